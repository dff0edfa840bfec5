import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";

/** How long a sale may take to arrive, and a receipt that names no customer is kept. */
export const keptDays = 45;
const dayMs = 24 * 3_600_000;

/**
 * Claims a receipt's number for good (db/functions/shop_receipt_open.sql). Returns whether the same content has arrived
 * before; refuses another content. It is asked before anything else is judged: the answer to a repeated call does not
 * depend on what has changed since.
 */
export async function openReceipt(queries: Queries, receipt: ReceiptKey, content: object, now: Date) {
  const hash = createHash("sha256").update(JSON.stringify(content)).digest();
  const [row] = await queries
    .select({ outcome: sql<"new" | "same" | "other">`outcome`, returnsWait: sql<boolean>`returns_wait` })
    .from(
      sql`shop_receipt_open(${receipt.shopId}::integer, ${receipt.number}::text, ${hash}::bytea,
        ${now.toISOString()}::timestamptz)`,
    )
    .prepare("shop_receipt_open")
    .execute();
  if (!row) throw new Error("shop_receipt_open returned no row.");
  if (row.outcome === "other") throw new Refusal("receipt_known");
  return { repeated: row.outcome === "same", returnsWait: row.returnsWait };
}

/**
 * When a sale was made: the till's clock is corrected by what it said when it sent, and a time in the future is set to now.
 * A sale that is too old is refused.
 */
export function timeOfSale(times: { soldAt: Date; sentAt: Date | undefined; now: Date }) {
  const { soldAt, sentAt, now } = times;
  const corrected = new Date(soldAt.getTime() + (sentAt ? now.getTime() - sentAt.getTime() : 0));
  if (corrected.getTime() < now.getTime() - keptDays * dayMs) throw new Refusal("too_old");
  return { soldAt: corrected > now ? now : corrected, inFuture: corrected > now };
}
