import { issueNonce } from "#identity/calls.ts";
import type { SocialProvider, SocialSettings } from "#identity/customer/social-providers.ts";
import { browserCall } from "#platform/api/client.ts";
import { askFacebook, leaveFacebook } from "./facebook.ts";
import { askGoogle, loadGoogle } from "./google.ts";
import { type Report, SocialTrouble, type Trouble } from "./provider-script.ts";

/** The fields of a proof, as the API takes them. */
export type ProofFields = Record<string, string>;

/**
 * Everything between a press on a provider's button and its proof. Loaded by that press, and with it the provider's
 * own script: neither is on a page that nobody asked it of.
 */
export async function askProof(
  settings: SocialSettings,
  asked: {
    provider: SocialProvider;
    locale: string;
    /** Where the provider may put a button of its own. */
    place: () => HTMLElement | null;
    report: Report;
    /** Even whoever is signed in at the provider shows again who they are. */
    fresh: boolean;
    signal: AbortSignal;
  },
): Promise<ProofFields | Trouble> {
  try {
    if (asked.provider === "google") {
      if (!settings.google) return "failed";
      const nonce = browserCall(issueNonce).then(({ Nonce }) => Nonce);
      // Should the script fail first, nobody is left to hear of this one.
      nonce.catch(() => {});
      return await askGoogle(settings.google, { ...asked, nonce });
    }
    return settings.facebook ? await askFacebook(settings.facebook, asked) : "failed";
  } catch (error) {
    // Whatever else goes wrong on the way, the provider could not be reached.
    return error instanceof SocialTrouble ? error.trouble : "failed";
  }
}

/** Signs out at the provider that opened the session. */
export async function leaveProvider(settings: SocialSettings, provider: string, locale: string): Promise<void> {
  if (provider === "facebook" && settings.facebook) await leaveFacebook(settings.facebook, locale);
  // This kind keeps its own session; what ends is that it signs somebody in here by itself.
  if (provider === "google" && settings.google) (await loadGoogle(settings.google)).disableAutoSelect();
}
