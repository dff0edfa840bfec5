import { issueNonce } from "#identity/calls.ts";
import type { SocialProvider, SocialSettings } from "#identity/customer/social-providers.ts";
import { requestFacebookProof } from "#identity/social/facebook/facebook.ts";
import { requestGoogleProof } from "#identity/social/google/google.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { SocialFailure } from "./provider-script.ts";
import type { AskAgain, FailureReason, OnProgress, ProofFields } from "./social-state.ts";

/**
 * The popup flow at a provider, from the click on its button to its proof. Loaded by that click, and with it the
 * provider's own script: a page without a click loads neither.
 */
export async function requestProof(
  settings: SocialSettings,
  options: {
    provider: SocialProvider;
    locale: string;
    /** Where the provider may render a button of its own. */
    container: () => HTMLElement | null;
    onProgress: OnProgress;
    askAgain: AskAgain | undefined;
    signal: AbortSignal;
  },
): Promise<ProofFields | FailureReason> {
  try {
    if (options.provider === "google") {
      if (!settings.google) return "failed";
      const nonce = browserCall(issueNonce).then(({ Nonce }) => Nonce);
      // If the script fails first, no one awaits this promise, and its rejection would be unhandled.
      nonce.catch(() => {});
      return await requestGoogleProof(settings.google, { ...options, nonce });
    }
    return settings.facebook ? await requestFacebookProof(settings.facebook, options) : "failed";
  } catch (error) {
    // Any other error means that the provider could not be reached.
    return error instanceof SocialFailure ? error.reason : "failed";
  }
}
