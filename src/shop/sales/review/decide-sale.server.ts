import { and, eq, sql } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { accounts } from "#loyalty/ledger/account.tables.server.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { creditLater, refreshAccount } from "#loyalty/ledger/ledger.server.ts";
import { programmeAt } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import { campaignPointsOf, linesLeft, pointsOf } from "#shop/sales/purchase/basket.server.ts";
import { purchaseCause } from "#shop/sales/purchase/credit-sale.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { keptDays } from "#shop/sales/receipts.server.ts";
import { amountsByLine, lockSale, type OriginalSale } from "#shop/sales/return/take-back.server.ts";
import { receipts, sales } from "#shop/sales/sales.tables.server.ts";
import { type Decider, decideOnce, refuseOwn, refuseSeller, refuseUnopened } from "./decisions.server.ts";

const ofSale = ({ shopId, number }: ReceiptKey) => and(eq(sales.shopId, shopId), eq(sales.number, number));

/**
 * Points that waited for a person: released, they are those of what is left of the sale, by the rule frozen with it, and
 * count from the day of the sale. The numbers of the till's answer stay as they were given.
 */
export async function decidePoints(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  receipt: ReceiptKey,
  outcome: "released" | "refused",
  by: Decider,
) {
  const original = await lockSale(tx, receipt);
  const [sale] = await tx.select().from(sales).where(ofSale(receipt));
  if (!original || !sale?.waiting) return refuseUnopened(tx, receipt, "points");
  await refuseOwn(tx, by, sale.customerId);
  if (outcome === "released") await refuseSeller(tx, by, sale);
  await decideOnce(tx, receipt, "points", outcome, by);
  const { customerId } = sale;
  const points = outcome === "released" ? await release(tx, deps, original, sale, by.now) : 0;
  return { customerId, points };
}

async function release(
  tx: Queries,
  { publicUrl }: Pick<ShopDependencies, "publicUrl">,
  original: OriginalSale,
  sale: Omit<typeof sales.$inferSelect, "writtenIn">,
  now: Date,
): Promise<number> {
  const lines = linesLeft(sale.lines, amountsByLine(original.returned));
  const points = original.rule ? pointsOf(lines, original.rule) : 0;
  if (points === 0) return 0;
  const [member] = await tx
    .select({
      id: accounts.customerId,
      programmeId: accounts.programmeId,
      state: accounts.state,
      language: customers.language,
      shop: shops.name,
      // By the version at the time of the sale, which is never edited; from the day's start (db/functions/club_day_start.sql).
      arrivesAt: sql`(
        select club_day_start(club_day(${(sale.pendingFrom ?? sale.soldAt).toISOString()}::timestamptz) + p.pending_days)
        from ${programmeAt(sql`${accounts.programmeId}`, sale.soldAt)} p)`.mapWith(sales.soldAt),
    })
    .from(accounts)
    .innerJoin(customers, eq(customers.id, accounts.customerId))
    .innerJoin(shops, eq(shops.id, sale.shopId))
    .where(eq(accounts.customerId, sale.customerId ?? 0));
  // Erased since: no one is left to credit.
  if (member?.state !== "active") throw new Refusal("not_a_member");
  const cents = lines.reduce((total, { paidCents }) => total + paidCents, 0);
  const credit = {
    customerId: member.id,
    points,
    cause: purchaseCause(sale),
    label: { sale: { shop: member.shop, cents } },
  };
  const { arrivesAt } = member;
  const later = arrivesAt > now;
  let entryId: number | null = null;
  if (later) {
    await refreshAccount(tx, member.id, now);
    await creditLater(tx, { ...credit, soldAt: sale.soldAt, arrivesAt, now });
  } else {
    const earning = { ...credit, kind: "purchase" as const, earnedAt: sale.soldAt };
    const context = { now, locale: member.language, publicUrl };
    entryId = (await earn(tx, member.programmeId, earning, context)).entryId;
  }
  const campaignPoints = original.rule ? campaignPointsOf(lines, original.rule) : 0;
  await tx
    .update(sales)
    .set({ entryId, campaignPoints, arrivesAt: later ? arrivesAt : null })
    .where(ofSale(sale));
  return points;
}

/**
 * A till was ahead of the time, and its sale was dated when it arrived. A person confirms that, or says when it was sold:
 * the sale then stands in the report of that day. Its points keep their day.
 */
export async function decideClock(tx: Queries, receipt: ReceiptKey, soldAt: Date | undefined, by: Decider) {
  await lockSale(tx, receipt);
  const [found] = await tx
    .select({ sale: sales, arrivedAt: receipts.arrivedAt })
    .from(sales)
    .innerJoin(receipts, and(eq(receipts.shopId, sales.shopId), eq(receipts.number, sales.number)))
    .where(ofSale(receipt));
  if (!found?.sale.inFuture) return refuseUnopened(tx, receipt, "clock");
  const { sale, arrivedAt } = found;
  if (soldAt && (soldAt > arrivedAt || soldAt.getTime() < arrivedAt.getTime() - keptDays * 24 * 3_600_000))
    throw new Refusal("invalid", { errors: [{ field: "SoldAt", code: "date" }] });
  await decideOnce(tx, receipt, "clock", soldAt ? "corrected" : "confirmed", by);
  await tx
    .update(sales)
    .set({ inFuture: false, ...(soldAt && { soldAt }) })
    .where(ofSale(receipt));
  return { customerId: sale.customerId, before: sale.soldAt, after: soldAt ?? sale.soldAt };
}
