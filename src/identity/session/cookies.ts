// The names of the cookies. Constants of their own, so that the browser's build contains only those it uses.
export const tokenCookieName = "auth.token";
/** Set by the browser to sign out; the server ends the session when it sees it. */
export const logoutCookieName = "auth.logout";
export const logoutCookie = `${logoutCookieName}=1; path=/; max-age=2592000; samesite=lax`;
export const nonceCookieName = "auth.nonce";
/** Binds a mailed code to the browser that asked for it. */
export const codeCookieName = "auth.code";
export const deviceCookieName = "auth.device";
/** Says which provider opened the session, so that the script signs out there too. */
export const providerCookieName = "auth.social";

/** One cookie of a `Cookie` header or of `document.cookie`, undecoded. */
export function readCookie(cookies: string, name: string): string | undefined {
  const start = `${name}=`;
  return cookies
    .split("; ")
    .find((cookie) => cookie.startsWith(start))
    ?.slice(start.length);
}
