import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/keys/stored-keys.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { tillCodes } from "./voucher.tables.server.ts";

const codeMinutes = 5;
const maxTries = 5;

/**
 * Six digits that the customer's page shows for the assistant to type: with them the customer agrees that points become a
 * voucher at the till, where the card cannot be scanned. One code per customer, for five minutes, good once and for five
 * tries (decision 0096).
 */
export function createTillCodes(database: Database) {
  const secret = storedSecret(database, "till-code");
  const hashOf = async (customerId: number, code: string) =>
    createHmac("sha256", await secret())
      .update(`${customerId}.${code}`)
      .digest();
  const living = (customerId: number, now: Date) =>
    and(eq(tillCodes.customerId, customerId), gt(tillCodes.expiresAt, now));

  return {
    /** A new code ends the one before. */
    async issue(customerId: number, now: Date) {
      const code = String(randomInt(10 ** 6)).padStart(6, "0");
      const expiresAt = new Date(now.getTime() + codeMinutes * 60_000);
      const row = { codeHash: await hashOf(customerId, code), tries: 0, expiresAt };
      await database
        .insert(tillCodes)
        .values({ customerId, ...row })
        .onConflictDoUpdate({ target: tillCodes.customerId, set: row });
      return { code, expiresAt };
    },

    /** Counts the try before it is judged, in a statement of its own: of any number at once only five are judged. */
    async check(customerId: number, code: string, now: Date): Promise<Buffer> {
      const typed = await hashOf(customerId, code);
      const [found] = await database
        .update(tillCodes)
        .set({ tries: sql`${tillCodes.tries} + 1` })
        .where(and(living(customerId, now), lt(tillCodes.tries, maxTries)))
        .returning({ codeHash: tillCodes.codeHash });
      if (!found || !timingSafeEqual(found.codeHash, typed)) throw new Refusal("till_code_invalid");
      return typed;
    },

    /** Consumes a code that was checked: of two calls with the right one only one finds it. */
    async redeem(tx: Queries, customerId: number, checked: Buffer, now: Date): Promise<void> {
      const { rowCount } = await tx
        .delete(tillCodes)
        .where(and(living(customerId, now), eq(tillCodes.codeHash, checked)));
      if (!rowCount) throw new Refusal("till_code_invalid");
    },
  };
}

export type TillCodes = ReturnType<typeof createTillCodes>;
