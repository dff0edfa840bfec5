import { z } from "zod";
import { address, BadSetting } from "#platform/settings.server.ts";

/** The settings of the social providers, as the environment spells them. */
export const socialEnvironment = {
  GOOGLE_ISSUER: address.optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_SCRIPT_URL: address.optional(),
  FACEBOOK_APP_ID: z.string().optional(),
  FACEBOOK_APP_SECRET: z.string().optional(),
  FACEBOOK_SDK_URL: address.optional(),
  FACEBOOK_SDK_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/)
    .optional(),
  FACEBOOK_GRAPH_URL: address.optional(),
};

type Given = Partial<z.output<z.ZodObject<typeof socialEnvironment>>>;

/** The app by which the sandbox's own providers know us. */
export const sandboxSocialApps = {
  google: { clientId: "cercle.sandbox" },
  facebook: { appId: "100000000000004", appSecret: "sandbox" },
};

/** Both providers; `sandboxOrigin` is where the sandbox's own are, if there is a sandbox. */
export function socialSettings(given: Given, sandboxOrigin: string | undefined) {
  return { google: googleOf(given, sandboxOrigin), facebook: facebookOf(given, sandboxOrigin) };
}

export type SocialProviderSettings = ReturnType<typeof socialSettings>;

/** A Google-type provider; the sandbox's where none is named, and nothing where there is no sandbox either. */
function googleOf(given: Given, sandboxOrigin: string | undefined) {
  const named = {
    ...(given.GOOGLE_ISSUER && { issuer: given.GOOGLE_ISSUER }),
    ...(given.GOOGLE_SCRIPT_URL && { scriptUrl: given.GOOGLE_SCRIPT_URL }),
  };
  if (given.GOOGLE_CLIENT_ID)
    return {
      issuer: "https://accounts.google.com",
      clientId: given.GOOGLE_CLIENT_ID,
      scriptUrl: "https://accounts.google.com/gsi/client",
      ...named,
    };
  if (sandboxOrigin !== undefined)
    return {
      issuer: `${sandboxOrigin}/sandbox/google`,
      ...sandboxSocialApps.google,
      // Without a host: it works at whichever of this machine's names the visitor typed.
      scriptUrl: "/sandbox/google/client.js",
      ...named,
    };
  refuseHalf(given, ["GOOGLE_ISSUER", "GOOGLE_SCRIPT_URL"], "GOOGLE_CLIENT_ID");
  return undefined;
}

/** A Facebook-type provider, by the same rules. */
function facebookOf(given: Given, sandboxOrigin: string | undefined) {
  const named = {
    sdkVersion: given.FACEBOOK_SDK_VERSION ?? "v2.10",
    ...(given.FACEBOOK_SDK_URL && { sdkUrl: given.FACEBOOK_SDK_URL }),
    ...(given.FACEBOOK_GRAPH_URL && { graphUrl: given.FACEBOOK_GRAPH_URL }),
  };
  if (given.FACEBOOK_APP_ID && given.FACEBOOK_APP_SECRET)
    return {
      appId: given.FACEBOOK_APP_ID,
      appSecret: given.FACEBOOK_APP_SECRET,
      sdkUrl: "https://connect.facebook.net/fr_FR/sdk.js",
      graphUrl: "https://graph.facebook.com",
      ...named,
    };
  // An app of one's own without its secret is a mistake, sandbox or not.
  refuseHalf(given, ["FACEBOOK_APP_ID"], "FACEBOOK_APP_SECRET");
  refuseHalf(given, ["FACEBOOK_APP_SECRET"], "FACEBOOK_APP_ID");
  if (sandboxOrigin !== undefined)
    return {
      ...sandboxSocialApps.facebook,
      sdkUrl: "/sandbox/facebook/sdk.js",
      graphUrl: `${sandboxOrigin}/sandbox/facebook`,
      ...named,
    };
  refuseHalf(given, ["FACEBOOK_SDK_URL", "FACEBOOK_GRAPH_URL"], "FACEBOOK_APP_ID");
  return undefined;
}

/** Half a provider is a mistake that would otherwise only show as missing buttons. */
function refuseHalf(given: Given, names: (keyof Given)[], missing: string): void {
  const named = names.find((name) => given[name] !== undefined);
  if (named) throw new BadSetting(`The setting ${missing} is missing: ${named} needs it.`);
}
