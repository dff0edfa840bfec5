import { serialize } from "hono/utils/cookie";
import { deviceSeconds } from "#identity/session/cookies.server.ts";
import { readCookie } from "#identity/session/cookies.ts";

const officeCookie = "staff.token";
/** As long as a session lasts at most; the server ends it earlier when no one works (session.server.ts). */
const seconds = 12 * 3_600;

const options = (secure: boolean) => ({ path: "/", sameSite: "Strict", httpOnly: true, secure }) as const;

export const officeCookieOf = (token: string, secure: boolean) =>
  serialize(officeCookie, token, { ...options(secure), maxAge: seconds });
export const clearedOfficeCookie = (secure: boolean) => serialize(officeCookie, "", { ...options(secure), maxAge: 0 });

/** Of a browser in which a person of the staff has signed in before. It grants no access, and survives signing out. */
export const officeDeviceCookie = "staff.device";
export const officeDeviceCookieOf = (value: string, secure: boolean) =>
  serialize(officeDeviceCookie, value, { ...options(secure), maxAge: deviceSeconds });

export const readOfficeToken = (request: Request): string | undefined =>
  readCookie(request.headers.get("cookie") ?? "", officeCookie);
