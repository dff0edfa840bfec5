import { createContext, useContext } from "react";
import { useTexts } from "#i18n/use-texts.tsx";

/** The address of the main web shop. */
export const WebShopUrl = createContext("");

/** Addresses of the main web shop, in the page's language. */
export function useShop(): (path: string) => string {
  const shopUrl = useContext(WebShopUrl);
  const { locale } = useTexts();
  return (path) => `${shopUrl}/${locale}/${path}`;
}
