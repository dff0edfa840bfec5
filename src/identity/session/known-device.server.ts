import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { parse } from "hono/utils/cookie";
import type { Queries } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/stored-keys.server.ts";
import { deviceCookieOf } from "./cookies.server.ts";
import { cookieNames } from "./cookies.ts";

interface Account {
  id: number;
  passwordHash: string | null;
}

/**
 * Devices on which somebody has typed an account's password before, known by a signed cookie. It opens nothing: wrong
 * guesses from such a device are counted apart from everybody else's.
 */
export interface KnownDevices {
  /** The device as a key for its counter; nothing for a device that is new to this account. */
  recognise(request: Request, account: Account | undefined): Promise<string | undefined>;
  /** Sets the cookie, or renews it. Call it when the password was right, or has just been chosen. */
  remember(call: { request: Request; headers: Headers }, account: Account): Promise<void>;
}

export function createKnownDevices(queries: Queries, secureCookies: boolean): KnownDevices {
  const secret = storedSecret(queries, "known-device");

  // The password's hash is signed along: whoever had the old password may have collected any number of cookies, each
  // with a counter of its own, and a new password ends them all.
  async function signatureOf(deviceId: string, { id, passwordHash }: Account): Promise<string> {
    const signed = JSON.stringify([id, deviceId, passwordHash]);
    return createHmac("sha256", await secret())
      .update(signed)
      .digest("base64url");
  }

  async function readDeviceId(request: Request, account: Account | undefined): Promise<string | undefined> {
    const cookie = parse(request.headers.get("cookie") ?? "", cookieNames.device)[cookieNames.device];
    const [, deviceId, given] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
    if (!deviceId || !given) return undefined;
    // The same work without an account: nobody learns from the time whether there is one.
    const expected = await signatureOf(deviceId, account ?? { id: 0, passwordHash: null });
    const good = timingSafeEqual(Buffer.from(given), Buffer.from(expected));
    return good && account?.passwordHash ? deviceId : undefined;
  }

  return {
    async recognise(request, account) {
      const deviceId = await readDeviceId(request, account);
      return deviceId && `${account?.id}:${deviceId}`;
    },
    async remember({ request, headers }, account) {
      const deviceId = (await readDeviceId(request, account)) ?? randomBytes(16).toString("base64url");
      const value = `${deviceId}.${await signatureOf(deviceId, account)}`;
      headers.append("set-cookie", deviceCookieOf(value, secureCookies));
    },
  };
}
