import { serialize } from "hono/utils/cookie";
import {
  codeCookieName,
  deviceCookieName,
  logoutCookieName,
  nonceCookieName,
  providerCookieName,
  tokenCookieName,
} from "./cookies.ts";

/** Browsers store a cookie for about this long at most. */
export const deviceSeconds = 365 * 86_400;

const options = (secure: boolean, httpOnly: boolean) => ({ path: "/", sameSite: "Lax", secure, httpOnly }) as const;

/** The browser stores the token for the longest a session can last; the server knows when it expires. */
export function tokenCookieOf(token: string, maxAge: number, secure: boolean): string {
  return serialize(tokenCookieName, token, { ...options(secure, true), maxAge });
}

export function clearedTokenCookie(secure: boolean): string {
  return serialize(tokenCookieName, "", { ...options(secure, true), maxAge: 0 });
}

/** Binds a social sign-in to the browser that began it. */
export function nonceCookieOf(nonce: string, maxAge: number, secure: boolean): string {
  return serialize(nonceCookieName, nonce, { ...options(secure, true), maxAge });
}

export function clearedNonceCookie(secure: boolean): string {
  return serialize(nonceCookieName, "", { ...options(secure, true), maxAge: 0 });
}

export function codeCookieOf(token: string, maxAge: number, secure: boolean): string {
  return serialize(codeCookieName, token, { ...options(secure, true), maxAge });
}

export function clearedCodeCookie(secure: boolean): string {
  return serialize(codeCookieName, "", { ...options(secure, true), maxAge: 0 });
}

/** Survives a logout: it says that the password was typed here before, and grants no access. */
export function deviceCookieOf(value: string, secure: boolean): string {
  return serialize(deviceCookieName, value, { ...options(secure, true), maxAge: deviceSeconds });
}

export function clearedDeviceCookie(secure: boolean): string {
  return serialize(deviceCookieName, "", { ...options(secure, true), maxAge: 0 });
}

/** For the browser's script alone; the server decides nothing by it. */
export function providerCookieOf(provider: string, maxAge: number, secure: boolean): string {
  return serialize(providerCookieName, provider, { ...options(secure, false), maxAge });
}

export function clearedProviderCookie(secure: boolean): string {
  return serialize(providerCookieName, "", { ...options(secure, false), maxAge: 0 });
}

export function clearedLogoutCookie(secure: boolean): string {
  return serialize(logoutCookieName, "", { ...options(secure, false), maxAge: 0 });
}
