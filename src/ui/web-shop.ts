import { createContext, useContext } from "react";
import type { ShopPages } from "#brand/shop-pages.ts";

/** The addresses of the web shop's pages, in the page's language. */
export const ShopPagesContext = createContext<ShopPages | undefined>(undefined);

export function useShop(): (page: keyof ShopPages) => string {
  const pages = useContext(ShopPagesContext);
  return (page) => pages?.[page] ?? "";
}
