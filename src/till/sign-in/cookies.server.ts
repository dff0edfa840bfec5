import { serialize } from "hono/utils/cookie";
import { readCookie } from "#identity/session/cookies.ts";

const deviceCookie = "till.device";
const staffCookie = "till.staff";

/** Browsers store a cookie for about this long at most; each sign-in renews it. */
const deviceSeconds = 365 * 86_400;
/** A session lasts at most this long; the server ends it earlier when no one works (db/functions/till_call.sql). */
const staffSeconds = 12 * 3_600;

/** The prefix of the till's key, and its secret. */
const devicePattern = /^([a-z2-9]{8})\.([\w-]{43})$/;

const options = (secure: boolean) => ({ path: "/", sameSite: "Strict", httpOnly: true, secure }) as const;

export const deviceCookieOf = ({ prefix, secret }: { prefix: string; secret: string }, secure: boolean) =>
  serialize(deviceCookie, `${prefix}.${secret}`, { ...options(secure), maxAge: deviceSeconds });
export const staffCookieOf = (token: string, secure: boolean) =>
  serialize(staffCookie, token, { ...options(secure), maxAge: staffSeconds });
export const clearedDeviceCookie = (secure: boolean) => serialize(deviceCookie, "", { ...options(secure), maxAge: 0 });
export const clearedStaffCookie = (secure: boolean) => serialize(staffCookie, "", { ...options(secure), maxAge: 0 });

/** What the device says it is; undefined where it was never paired. */
export function readDevice(request: Request): { prefix: string; secret: string } | undefined {
  const [, prefix, secret] = devicePattern.exec(read(request, deviceCookie) ?? "") ?? [];
  return prefix && secret ? { prefix, secret } : undefined;
}

export const readStaffToken = (request: Request): string | undefined => read(request, staffCookie);

const read = (request: Request, name: string) => readCookie(request.headers.get("cookie") ?? "", name);
