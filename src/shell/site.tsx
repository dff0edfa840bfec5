import { createContext, useContext } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { SocialSettings } from "#identity/customer/social-providers.ts";
import type { Assets } from "#platform/assets.ts";

/** What every page knows of the settings; the browser reads it from the hydration data. */
export interface Site {
  publicUrl: string;
  shopUrl: string;
  sandbox: boolean;
  social: SocialSettings;
  assets: Assets;
}

const SiteContext = createContext<Site | undefined>(undefined);
export const SiteProvider = SiteContext.Provider;

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error("useSite outside SiteProvider");
  return site;
}

/** Addresses of the main web shop, in the page's language. */
export function useShop(): (path: string) => string {
  const { shopUrl } = useSite();
  const { locale } = useTexts();
  return (path) => `${shopUrl}/${locale}/${path}`;
}
