import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { buildStatement, fillStatement } from "#platform/database/statements.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";

/** How long a sale may take to arrive, and a receipt that names no customer is kept. */
export const keptDays = 45;
const dayMs = 24 * 3_600_000;

type Opening = Record<"shopId" | "number" | "hash" | "now", unknown>;
const given = (name: keyof Opening) => sql.placeholder(name);
const openStatement = buildStatement<Opening>(sql`
  select outcome, returns_wait
  from shop_receipt_open(${given("shopId")}, ${given("number")}, ${given("hash")}, ${given("now")})`);

/**
 * Claims a receipt's number for good (db/functions/shop_receipt_open.sql). Returns whether the same content has arrived
 * before; refuses another content. It is asked before anything else is judged: the answer to a repeated call does not
 * depend on what has changed since.
 */
export async function openReceipt(queries: Queries, receipt: ReceiptKey, content: object, now: Date) {
  const hash = createHash("sha256").update(JSON.stringify(content)).digest();
  const statement = fillStatement("shop_receipt_open", openStatement, { ...receipt, hash, now });
  const { rows } = await queries.$client.query<{ outcome: "new" | "same" | "other"; returns_wait: boolean }>(statement);
  const [row] = rows;
  if (!row) throw new Error("shop_receipt_open returned no row.");
  if (row.outcome === "other") throw new Refusal("receipt_known");
  return { repeated: row.outcome === "same", returnsWait: row.returns_wait };
}

/** How far ahead the clock of a web shop may be, and how long before its dispatch goods may be ordered. */
const mostAheadMs = 5 * 60_000;
const preOrderDays = 366;

/**
 * When a sale was made: the till's clock is corrected by what it said when it sent, and a time in the future is set to now,
 * or refused where it is a mistake. A sale that is too old is refused; that of a pre-order counts from its dispatch.
 */
export function timeOfSale(times: {
  soldAt: Date;
  sentAt: Date | undefined;
  dispatchedAt?: Date | undefined;
  refusesFuture?: boolean;
  now: Date;
}) {
  const { soldAt, sentAt, dispatchedAt, refusesFuture = false, now } = times;
  const correct = (moment: Date) => new Date(moment.getTime() + (sentAt ? now.getTime() - sentAt.getTime() : 0));
  const sold = correct(soldAt);
  const latest = now.getTime() + mostAheadMs;
  if (refusesFuture && sold.getTime() > latest) refuseField("SoldAt", "in_future");
  const dispatched = dispatchedAt && correct(dispatchedAt);
  if (dispatched && (dispatched < sold || dispatched.getTime() > latest)) refuseField("DispatchedAt", "invalid");
  const daysBefore = (moment: Date, days: number) => moment.getTime() - days * dayMs;
  if ((dispatched ?? sold).getTime() < daysBefore(now, keptDays)) throw new Refusal("too_old");
  if (dispatched && sold.getTime() < daysBefore(dispatched, preOrderDays)) throw new Refusal("too_old");
  const atMostNow = (moment: Date) => (moment > now ? now : moment);
  return { soldAt: atMostNow(sold), dispatchedAt: dispatched && atMostNow(dispatched), inFuture: sold > now };
}
