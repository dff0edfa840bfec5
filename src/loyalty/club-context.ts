import type { Locale } from "#i18n/locale.ts";

/** When something happens, in which language it is told, and where its letters lead. */
export interface ClubContext {
  now: Date;
  locale: Locale;
  publicUrl: string;
}
