import { Hono } from "hono";
import { type Locale, localeOfPath, localePath } from "#i18n/locale.ts";
import { registerInStorePath } from "#identity/paths.ts";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { shortPath } from "./paths.ts";

export function posterOf(publicUrl: string, locale: Locale) {
  const url = publicUrl + localePath(locale, registerInStorePath);
  return { Url: url, QrSvg: qrSvg(url), ShortUrl: publicUrl + localePath(locale, shortPath) };
}

/** Redirects the short address to the page of the QR code. It is not a page, so the browser's router does not know it. */
export function shortAddress() {
  return new Hono<RequestEnv>().on("GET", [shortPath, `/:locale{fr|en|de}${shortPath}`], (c) => {
    c.set("route", "short address");
    return c.redirect(localePath(localeOfPath(c.req.path), registerInStorePath));
  });
}
