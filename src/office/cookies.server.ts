import { serialize } from "hono/utils/cookie";
import { readCookie } from "#identity/session/cookies.ts";

const officeCookie = "staff.token";
const options = (secure: boolean) => ({ path: "/", sameSite: "Strict", httpOnly: true, secure }) as const;

export const clearedOfficeCookie = (secure: boolean) => serialize(officeCookie, "", { ...options(secure), maxAge: 0 });

export const readOfficeToken = (request: Request): string | undefined =>
  readCookie(request.headers.get("cookie") ?? "", officeCookie);
