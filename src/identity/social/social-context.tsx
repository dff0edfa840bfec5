import { createContext, useContext } from "react";
import type { SocialSettings } from "#identity/customer/social-providers.ts";

/** The providers this site works with; without any, no page speaks of them. */
const SocialContext = createContext<SocialSettings>({});
export const SocialSettingsProvider = SocialContext.Provider;

export function useSocialSettings(): SocialSettings {
  return useContext(SocialContext);
}
