import { serialize } from "hono/utils/cookie";
import { providerCookie } from "#identity/customer/social-providers.ts";

export const tokenCookie = "auth.token";
export const logoutCookie = "auth.logout";
export const nonceCookie = "auth.nonce";
export const deviceCookie = "auth.device";
/** Browsers keep no cookie much longer than this. */
const deviceSeconds = 365 * 86_400;

const options = (secure: boolean, httpOnly: boolean) => ({ path: "/", sameSite: "Lax", secure, httpOnly }) as const;

/** The browser keeps the token as long as a session can last at most; how long it is good for, the server knows. */
export function tokenCookieOf(token: string, maxAge: number, secure: boolean): string {
  return serialize(tokenCookie, token, { ...options(secure, true), maxAge });
}

export function clearedTokenCookie(secure: boolean): string {
  return serialize(tokenCookie, "", { ...options(secure, true), maxAge: 0 });
}

/** The browser that asked for a social sign-in is the one that ends it. */
export function nonceCookieOf(nonce: string, maxAge: number, secure: boolean): string {
  return serialize(nonceCookie, nonce, { ...options(secure, true), maxAge });
}

export function clearedNonceCookie(secure: boolean): string {
  return serialize(nonceCookie, "", { ...options(secure, true), maxAge: 0 });
}

/** Survives a logout: it says that the password was typed here before, and opens nothing. */
export function deviceCookieOf(value: string, secure: boolean): string {
  return serialize(deviceCookie, value, { ...options(secure, true), maxAge: deviceSeconds });
}

export function clearedDeviceCookie(secure: boolean): string {
  return serialize(deviceCookie, "", { ...options(secure, true), maxAge: 0 });
}

/** Which provider opened the session, for the script that signs out there too. It decides nothing on the server. */
export function providerCookieOf(provider: string, maxAge: number, secure: boolean): string {
  return serialize(providerCookie, provider, { ...options(secure, false), maxAge });
}

export function clearedProviderCookie(secure: boolean): string {
  return serialize(providerCookie, "", { ...options(secure, false), maxAge: 0 });
}

export function clearedLogoutCookie(secure: boolean): string {
  return serialize(logoutCookie, "", { ...options(secure, false), maxAge: 0 });
}
