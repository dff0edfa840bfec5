import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Queries } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/stored-keys.server.ts";
import { takeRandom } from "#platform/random.server.ts";

const lifeMs = 15 * 60_000;
const [ivBytes, tagBytes] = [12, 16];

/**
 * Seals who was identified, so that a till need not keep a card number: opaque, 15 minutes, for one shop only. AES-256-GCM,
 * of which the shop is the additional data. Not a JWT: making one takes longer than looking the customer up.
 */
export function createCustomerTokens(queries: Queries) {
  const secret = storedSecret(queries, "customer-token");
  return {
    async seal(customerId: number, shopId: number, now: Date): Promise<string> {
      const iv = takeRandom(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", await secret(), iv).setAAD(Buffer.from(String(shopId)));
      const sealed = cipher.update(`${customerId}.${now.getTime() + lifeMs}`, "utf8");
      return Buffer.concat([iv, sealed, cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    /** The customer; undefined for a token that is invalid, too old or of another shop. */
    async open(token: string, shopId: number, now: Date): Promise<number | undefined> {
      const bytes = Buffer.from(token, "base64url");
      const sealed = bytes.subarray(ivBytes, -tagBytes);
      try {
        const decipher = createDecipheriv("aes-256-gcm", await secret(), bytes.subarray(0, ivBytes))
          .setAAD(Buffer.from(String(shopId)))
          .setAuthTag(bytes.subarray(-tagBytes));
        const opened = Buffer.concat([decipher.update(sealed), decipher.final()]).toString();
        const [customerId, endsAt] = opened.split(".").map(Number);
        return endsAt !== undefined && endsAt > now.getTime() ? customerId : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

export type CustomerTokens = ReturnType<typeof createCustomerTokens>;
