/** The cookies of sign-in and session, for the server and the browser's script. */
export const cookieNames = {
  token: "auth.token",
  /** Set by the browser to sign out; the server ends the session when it sees it. */
  logout: "auth.logout",
  nonce: "auth.nonce",
  device: "auth.device",
  /** Says which provider opened the session, so that the script signs out there too. */
  provider: "auth.social",
} as const;

/** One cookie of a `Cookie` header or of `document.cookie`, undecoded. */
export function readCookie(cookies: string, name: string): string | undefined {
  const start = `${name}=`;
  return cookies
    .split("; ")
    .find((cookie) => cookie.startsWith(start))
    ?.slice(start.length);
}
