import { installedBrand } from "#brand/brand.server.ts";
import type { InstalledSite } from "#pages/page-site.server.tsx";
import type { Settings } from "./settings.server.ts";

/** The settings that pages may know; of the providers, never the secret. */
export function siteOf({ publicUrl, shopUrl, sandbox, google, facebook }: Settings, release?: string): InstalledSite {
  return {
    profiles: installedBrand().Profiles,
    release,
    publicUrl: publicUrl.origin,
    shopUrl,
    sandbox,
    social: {
      ...(google && { google: { clientId: google.clientId, scriptUrl: google.scriptUrl } }),
      ...(facebook && {
        facebook: { appId: facebook.appId, sdkUrl: facebook.sdkUrl, sdkVersion: facebook.sdkVersion },
      }),
    },
  };
}
