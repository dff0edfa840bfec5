import { Hono } from "hono";
import { type Locale, localeOfPath, localePath, namesLocale, offeredLocales } from "#i18n/locale.ts";
import { pagePaths, registerByFriendPath, registerInStorePath } from "#identity/paths.ts";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import { friendPath, receiptFragment, receiptParameter } from "#loyalty/paths.ts";
import { localeOf } from "#platform/api/request-checks.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { receiptPath, shortPath } from "./paths.ts";

export function posterOf(publicUrl: string, locale: Locale) {
  const url = publicUrl + localePath(locale, registerInStorePath);
  return { Url: url, QrSvg: qrSvg(url), ShortUrl: publicUrl + localePath(locale, shortPath) };
}

/** Where the QR code of a receipt leads: the points for a member, the registration for everybody else. */
export const claimUrl = (publicUrl: string, claimCode: string) => `${publicUrl}${receiptPath}/${claimCode}`;

/** Redirects short addresses, of the poster, of receipts and of members' links for friends. They are no pages, so the browser's router does not know them. */
export function shortAddress() {
  const app = new Hono<RequestEnv>();
  app.get(`${receiptPath}/:code`, (c) => {
    c.set("route", "receipt address");
    const query = new URLSearchParams({ [receiptParameter]: c.req.param("code") });
    return c.redirect(localePath(localeOf(c), `${pagePaths.memberPage}?${query}#${receiptFragment}`));
  });
  app.get(`${friendPath}/:code`, (c) => {
    c.set("route", "friend address");
    return c.redirect(localePath(localeOf(c), registerByFriendPath(c.req.param("code"))));
  });
  return app.on("GET", [shortPath, `/:locale{${offeredLocales().join("|")}}${shortPath}`], (c) => {
    c.set("route", "short address");
    // Without a language in the address it is the browser's: the poster may be in another.
    const locale = namesLocale(c.req.path) ? localeOfPath(c.req.path) : localeOf(c);
    return c.redirect(localePath(locale, registerInStorePath));
  });
}
