import type { MiddlewareHandler } from "hono";
import { parse } from "hono/utils/cookie";
import { clearedLogoutCookie, clearedProviderCookie, clearedTokenCookie } from "#identity/session/cookies.server.ts";
import { logoutCookieName, providerCookieName, tokenCookieName } from "#identity/session/cookies.ts";
import { endSessionOfToken } from "#identity/session/session.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { type Database, unavailableRefusal } from "#platform/database/database.server.ts";

/**
 * Middleware. Signing out makes no call of its own: the browser sets a cookie, and the first request that carries it
 * ends the session. That request is then handled as signed out.
 */
export function endSessionOnLogout(options: { database: Database; secure: boolean }): MiddlewareHandler<RequestEnv> {
  return async (c, next) => {
    const header = c.req.raw.headers.get("cookie");
    // A cheap check first: this middleware runs before every file and every call.
    if (!header?.includes(logoutCookieName)) return next();
    const cookies = parse(header);
    if (cookies[logoutCookieName] !== "1") return next();
    const ended = await endSessionOfToken(options.database, cookies[tokenCookieName] ?? "").then(
      () => true,
      (error) => {
        // The database is unavailable: the cookies stay, so the next request tries again.
        if (unavailableRefusal(error)) return false;
        throw error;
      },
    );
    const headers = new Headers(c.req.raw.headers);
    headers.set("cookie", without(header, [tokenCookieName, logoutCookieName]));
    c.req.raw = new Request(c.req.raw, { headers });
    await next();
    if (!ended) return;
    const responseHeaders = c.res.headers;
    // This request may itself have been a sign-in: its new token stays.
    const sets = (name: string) => responseHeaders.getSetCookie().some((cookie) => cookie.startsWith(`${name}=`));
    if (!sets(tokenCookieName)) responseHeaders.append("set-cookie", clearedTokenCookie(options.secure));
    if (cookies[providerCookieName] && !sets(providerCookieName))
      responseHeaders.append("set-cookie", clearedProviderCookie(options.secure));
    if (!sets(logoutCookieName)) responseHeaders.append("set-cookie", clearedLogoutCookie(options.secure));
    // A shared cache that stored these cookies with a file would sign everybody out.
    responseHeaders.set("cache-control", "no-store");
  };
}

function without(header: string, names: string[]): string {
  return header
    .split(";")
    .filter((pair) => !names.includes(pair.split("=")[0]?.trim() ?? ""))
    .join(";")
    .trim();
}
