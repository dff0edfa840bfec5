import { serialize } from "hono/utils/cookie";

export const tokenCookie = "auth.token";
export const logoutCookie = "auth.logout";

const options = (secure: boolean, httpOnly: boolean) => ({ path: "/", sameSite: "Lax", secure, httpOnly }) as const;

/** The browser keeps the token as long as a session can last at most; how long it is good for, the server knows. */
export function tokenCookieOf(token: string, maxAge: number, secure: boolean): string {
  return serialize(tokenCookie, token, { ...options(secure, true), maxAge });
}

export function clearedTokenCookie(secure: boolean): string {
  return serialize(tokenCookie, "", { ...options(secure, true), maxAge: 0 });
}

export function clearedLogoutCookie(secure: boolean): string {
  return serialize(logoutCookie, "", { ...options(secure, false), maxAge: 0 });
}
