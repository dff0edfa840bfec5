import type { MiddlewareHandler } from "hono";
import { parse } from "hono/utils/cookie";
import { providerCookie } from "#identity/customer/social-providers.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { type Database, unavailableRefusal } from "#platform/database/database.server.ts";
import {
  clearedLogoutCookie,
  clearedProviderCookie,
  clearedTokenCookie,
  logoutCookie,
  tokenCookie,
} from "./cookies.server.ts";
import { endSessionOf } from "./session.server.ts";

/**
 * Signing out makes no call of its own: the browser sets a cookie, and whichever request first carries it here
 * ends the session. That request goes on as a stranger's.
 */
export function endSessionOnLogout(options: { database: Database; secure: boolean }): MiddlewareHandler<RequestEnv> {
  return async (c, next) => {
    const header = c.req.raw.headers.get("cookie");
    // A glance first: this stands in front of every file and every call.
    if (!header?.includes(logoutCookie)) return next();
    const cookies = parse(header);
    if (cookies[logoutCookie] !== "1") return next();
    const ended = await endSessionOf(options.database, cookies[tokenCookie] ?? "").then(
      () => true,
      (error) => {
        // The database is away: the cookies stay, so the next request tries again.
        if (unavailableRefusal(error)) return false;
        throw error;
      },
    );
    const headers = new Headers(c.req.raw.headers);
    headers.set("cookie", without(header, [tokenCookie, logoutCookie]));
    c.req.raw = new Request(c.req.raw, { headers });
    await next();
    if (!ended) return;
    const answer = c.res.headers;
    // A sign-in may have been carried by this very request: its new token stays.
    const sets = (name: string) => answer.getSetCookie().some((cookie) => cookie.startsWith(`${name}=`));
    if (!sets(tokenCookie)) answer.append("set-cookie", clearedTokenCookie(options.secure));
    if (cookies[providerCookie] && !sets(providerCookie))
      answer.append("set-cookie", clearedProviderCookie(options.secure));
    if (!sets(logoutCookie)) answer.append("set-cookie", clearedLogoutCookie(options.secure));
    // Were it a file for everybody, a cache would sign everybody out.
    answer.set("cache-control", "no-store");
  };
}

function without(header: string, names: string[]): string {
  return header
    .split(";")
    .filter((pair) => !names.includes(pair.split("=")[0]?.trim() ?? ""))
    .join(";")
    .trim();
}
