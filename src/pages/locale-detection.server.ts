import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import {
  defaultLocale,
  type Locale,
  localeCookie,
  localeCookieDays,
  localeOfCode,
  localeOfHeader,
  localePath,
} from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";

/**
 * The address decides the language of a page. On the bare home page the cookie does, then the browser's language, then
 * the default one: another language than that is a redirect. The cookie remembers the language of the page shown last.
 */
export function chooseLocale(c: Context<RequestEnv>, locale: Locale, secure: boolean): Response | undefined {
  const { pathname, search } = new URL(c.req.raw.url);
  const remembered = getCookie(c, localeCookie);
  if (pathname === "/" && c.req.raw.method !== "POST") {
    c.header("vary", "accept-language, cookie");
    const preferred = localeOfCode(remembered) ?? localeOfHeader(c.req.header("accept-language"));
    if (preferred && preferred !== defaultLocale()) return c.redirect(localePath(preferred, "/") + search, 302);
  }
  if (remembered !== locale)
    setCookie(c, localeCookie, locale, { path: "/", maxAge: localeCookieDays * 86_400, sameSite: "Lax", secure });
  return undefined;
}
