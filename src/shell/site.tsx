import { createContext, type ReactNode, useContext } from "react";
import type { SocialSettings } from "#identity/customer/social-providers.ts";
import type { Assets } from "#platform/assets.ts";
import { WebShopUrl } from "#ui/web-shop.ts";

/** What every page knows of the settings; the browser reads it from the hydration data. */
export interface Site {
  publicUrl: string;
  /** The version and the commit; absent in development. */
  release?: string | undefined;
  shopUrl: string;
  sandbox: boolean;
  social: SocialSettings;
  assets: Assets;
}

const SiteContext = createContext<Site | undefined>(undefined);

export function SiteProvider({ value, children }: { value: Site; children: ReactNode }) {
  return (
    <SiteContext value={value}>
      <WebShopUrl value={value.shopUrl}>{children}</WebShopUrl>
    </SiteContext>
  );
}

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error("useSite outside SiteProvider");
  return site;
}
