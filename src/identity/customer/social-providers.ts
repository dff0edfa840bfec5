export const socialProviders = ["google", "facebook"] as const;
export type SocialProvider = (typeof socialProviders)[number];

/** Brand names, not translated. */
export const providerNames: Record<SocialProvider, string> = { google: "Google", facebook: "Facebook" };

/** The providers' public settings, for pages; a provider that is not configured is absent. */
export interface SocialSettings {
  google?: { clientId: string; scriptUrl: string } | undefined;
  facebook?: { appId: string; sdkUrl: string; sdkVersion: string } | undefined;
}
