import type { SocialSettings } from "#identity/customer/social-providers.ts";
import { signOutOfFacebook } from "#identity/social/facebook/facebook.ts";
import { loadGoogle } from "#identity/social/google/google.ts";

/** Signs out at the provider that opened the session. */
export async function signOutOfProvider(settings: SocialSettings, provider: string, locale: string): Promise<void> {
  if (provider === "facebook" && settings.facebook) await signOutOfFacebook(settings.facebook, locale);
  // This kind of provider stays signed in; only its automatic sign-in here is switched off.
  if (provider === "google" && settings.google) (await loadGoogle(settings.google)).disableAutoSelect();
}
