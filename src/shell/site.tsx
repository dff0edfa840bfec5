import { createContext, type ReactNode, useContext } from "react";
import type { Brand } from "#brand/brand.server.ts";
import type { ShopPages } from "#brand/shop-pages.ts";
import type { SocialSettings } from "#identity/customer/social-providers.ts";
import { ShopPagesContext } from "#ui/web-shop.ts";

/** What every page knows of the settings; the browser reads it from the hydration data. */
export interface Site {
  publicUrl: string;
  /** The version and the commit; absent in development. */
  release?: string | undefined;
  shop: ShopPages;
  /** Where the brand is to be found elsewhere, such as at Instagram. */
  profiles: Brand["Profiles"];
  sandbox: boolean;
  social: SocialSettings;
  /** The style sheets, as the build named them. */
  styles: string[];
}

const SiteContext = createContext<Site | undefined>(undefined);

export function SiteProvider({ value, children }: { value: Site; children: ReactNode }) {
  return (
    <SiteContext value={value}>
      <ShopPagesContext value={value.shop}>{children}</ShopPagesContext>
    </SiteContext>
  );
}

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error("useSite outside SiteProvider");
  return site;
}
