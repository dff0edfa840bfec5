import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Queries } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/keys/stored-keys.server.ts";
import { takeRandom } from "#platform/random.server.ts";

const lifeMs = 15 * 60_000;
/** In a page of a web shop, where its scripts can read it. */
const embedLifeMs = 5 * 60_000;
const [ivBytes, tagBytes] = [12, 16];

/** What a voucher's token begins with: no code has an underscore. */
const voucherPrefix = "vt_";
export const isVoucherToken = (text: string) => text.startsWith(voucherPrefix);

/**
 * Seals who was identified, and which vouchers were shown, so that a till need not keep a card number nor know a code:
 * opaque, 15 minutes, for one shop only. AES-256-GCM, of which the kind and the shop are the additional data. Not a JWT:
 * making one takes longer than looking the customer up.
 */
export function createCustomerTokens(queries: Queries) {
  const secret = storedSecret(queries, "customer-token");

  async function seal(content: string | number, madeFor: string, now: Date, life = lifeMs): Promise<string> {
    const iv = takeRandom(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", await secret(), iv).setAAD(Buffer.from(madeFor));
    const sealed = cipher.update(`${content}.${now.getTime() + life}`, "utf8");
    return Buffer.concat([iv, sealed, cipher.final(), cipher.getAuthTag()]).toString("base64url");
  }

  /** Undefined for a token that is invalid or made for something else. */
  async function open(token: string, madeFor: string, now: Date) {
    const bytes = Buffer.from(token, "base64url");
    const sealed = bytes.subarray(ivBytes, -tagBytes);
    try {
      const decipher = createDecipheriv("aes-256-gcm", await secret(), bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(madeFor))
        .setAuthTag(bytes.subarray(-tagBytes));
      const opened = Buffer.concat([decipher.update(sealed), decipher.final()]).toString();
      const [content = "", endsAt] = opened.split(".");
      return { content, expired: Number(endsAt) <= now.getTime() };
    } catch {
      return undefined;
    }
  }

  return {
    seal: (customerId: number, shopId: number, now: Date) => seal(customerId, String(shopId), now),
    /** The customer; undefined for a token that is invalid, too old or of another shop. */
    async open(token: string, shopId: number, now: Date): Promise<number | undefined> {
      const opened = await open(token, String(shopId), now);
      return opened && !opened.expired ? Number(opened.content) : undefined;
    },
    /** For the elements on the pages of any shop: src/shop/embed. */
    async sealEmbed(customerId: number, now: Date) {
      const ExpiresAt = new Date(now.getTime() + embedLifeMs).toISOString();
      return { EmbedToken: await seal(customerId, "embed", now, embedLifeMs), ExpiresAt };
    },
    /** The customer; undefined for a token that is invalid or too old. */
    async openEmbed(token: string, now: Date): Promise<number | undefined> {
      const opened = await open(token, "embed", now);
      return opened && !opened.expired ? Number(opened.content) : undefined;
    },
    sealVoucher: async (code: string, shopId: number, now: Date) =>
      `${voucherPrefix}${await seal(code, `voucher:${shopId}`, now)}`,
    /** The code, and whether the token is too old; undefined for one that is invalid or of another shop. */
    async openVoucher(token: string, shopId: number, now: Date) {
      const opened = await open(token.slice(voucherPrefix.length), `voucher:${shopId}`, now);
      return opened && { code: opened.content, expired: opened.expired };
    },
  };
}

export type CustomerTokens = ReturnType<typeof createCustomerTokens>;
