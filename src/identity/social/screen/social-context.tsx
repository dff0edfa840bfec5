import { createContext, useContext } from "react";
import type { SocialSettings } from "#identity/customer/social-providers.ts";

/** The configured providers; without any, no page mentions them. */
const SocialContext = createContext<SocialSettings>({});
export const SocialSettingsProvider = SocialContext.Provider;

export function useSocialSettings(): SocialSettings {
  return useContext(SocialContext);
}
