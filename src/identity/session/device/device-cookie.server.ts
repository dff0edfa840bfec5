import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { parse } from "hono/utils/cookie";
import { deviceCookieOf } from "#identity/session/cookies.server.ts";
import { deviceCookieName } from "#identity/session/cookies.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/keys/stored-keys.server.ts";

interface Account {
  id: number;
  passwordHash: string | null;
}

/**
 * The device cookie: signed, it marks a device on which the account's password was typed before. It grants no access;
 * wrong guesses from such a device have a rate limit of their own, so that strangers cannot lock its owner out.
 */
export interface DeviceCookies {
  /** The key of the device's rate limit; nothing for a device that is new to this account. */
  verify(request: Request, account: Account | undefined): Promise<string | undefined>;
  /** Sets or renews the cookie. Call it when the password was right, or has just been set. */
  issue(call: { request: Request; headers: Headers }, account: Account): Promise<void>;
}

/** Whether the device of a request is one of an account: its password was typed there, or it is signed in there. */
export const isDeviceOf =
  (cookies: DeviceCookies, { request, caller }: { request: Request; caller?: { customerId: number } | undefined }) =>
  async (account: Account): Promise<boolean> =>
    caller?.customerId === account.id || (await cookies.verify(request, account)) !== undefined;

/** Whose devices they are: customers and staff have cookies of their own, each signed with a secret of its own. */
interface DeviceCookie {
  secret: string;
  name: string;
  write: (value: string) => string;
}

export const createCustomerDeviceCookies = (queries: Queries, secureCookies: boolean): DeviceCookies =>
  createDeviceCookies(queries, {
    secret: "known-device",
    name: deviceCookieName,
    write: (value) => deviceCookieOf(value, secureCookies),
  });

export function createDeviceCookies(
  queries: Queries,
  { secret: secretName, name, write }: DeviceCookie,
): DeviceCookies {
  const secret = storedSecret(queries, secretName);

  // The signature covers the password's hash: anyone who had the old password may have collected any number of cookies, each
  // with a rate limit of its own, and a new password invalidates them all.
  async function signatureOf(deviceId: string, { id, passwordHash }: Account): Promise<string> {
    const payload = JSON.stringify([id, deviceId, passwordHash]);
    return createHmac("sha256", await secret())
      .update(payload)
      .digest("base64url");
  }

  async function readDeviceId(request: Request, account: Account | undefined): Promise<string | undefined> {
    const cookie = parse(request.headers.get("cookie") ?? "", name)[name];
    const [, deviceId, given] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
    if (!deviceId || !given) return undefined;
    // The same work without an account, so that the time does not reveal whether there is one.
    const expected = await signatureOf(deviceId, account ?? { id: 0, passwordHash: null });
    const isValid = timingSafeEqual(Buffer.from(given), Buffer.from(expected));
    return isValid && account?.passwordHash ? deviceId : undefined;
  }

  return {
    async verify(request, account) {
      const deviceId = await readDeviceId(request, account);
      return deviceId && `${account?.id}:${deviceId}`;
    },
    async issue({ request, headers }, account) {
      const deviceId = (await readDeviceId(request, account)) ?? randomBytes(16).toString("base64url");
      const value = `${deviceId}.${await signatureOf(deviceId, account)}`;
      headers.append("set-cookie", write(value));
    },
  };
}
