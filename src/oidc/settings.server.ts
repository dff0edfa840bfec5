import type { z } from "zod";
import { keySetting } from "#platform/database/keys/key-file.server.ts";
import type { Settings } from "#platform/settings.server.ts";

/** The settings of OpenID Connect, as the environment spells them. */
export const oidcEnvironment = {
  OIDC_KEY: keySetting(),
};

export function oidcSettings(given: Partial<z.output<z.ZodObject<typeof oidcEnvironment>>>) {
  return { oidcKey: given.OIDC_KEY };
}

/** What OpenID Connect reads of the product's settings. */
export type OidcSettings = Pick<Settings, "dataDir" | "sandbox" | "publicUrl" | "secureCookies"> &
  ReturnType<typeof oidcSettings>;
