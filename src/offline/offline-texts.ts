import type { TextPart } from "#i18n/text-parts.ts";

/** The texts that the offline page loads beside `base`; the service worker stores them with it. */
export const offlineTexts: TextPart[] = ["account", "member", "club"];
