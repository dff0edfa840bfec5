import { EncryptJWT, jwtDecrypt } from "jose";
import type { Queries } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/stored-keys.server.ts";

const lifeSeconds = 15 * 60;

/** Seals who was identified, so that a till need not keep a card number: opaque, 15 minutes, for one shop only. */
export function createCustomerTokens(queries: Queries) {
  const secret = storedSecret(queries, "customer-token");
  const seconds = (moment: Date) => Math.floor(moment.getTime() / 1_000);
  return {
    async seal(customerId: number, shopId: number, now: Date): Promise<string> {
      return new EncryptJWT()
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setSubject(String(customerId))
        .setAudience(String(shopId))
        .setExpirationTime(seconds(now) + lifeSeconds)
        .encrypt(await secret());
    },
    /** The customer; undefined for a token that is invalid, too old or of another shop. */
    async open(token: string, shopId: number, now: Date): Promise<number | undefined> {
      const opened = await jwtDecrypt(token, await secret(), { audience: String(shopId), currentDate: now }).catch(
        () => undefined,
      );
      return opened ? Number(opened.payload.sub) : undefined;
    },
  };
}

export type CustomerTokens = ReturnType<typeof createCustomerTokens>;
