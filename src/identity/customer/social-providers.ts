export const socialProviders = ["google", "facebook"] as const;
export type SocialProvider = (typeof socialProviders)[number];

/** As customers know them; names are not translated. */
export const providerNames: Record<SocialProvider, string> = { google: "Google", facebook: "Facebook" };

/** What a page needs to know of the providers; one that is not configured is absent. */
export interface SocialSettings {
  google?: { clientId: string; scriptUrl: string } | undefined;
  facebook?: { appId: string; sdkUrl: string; sdkVersion: string } | undefined;
}
