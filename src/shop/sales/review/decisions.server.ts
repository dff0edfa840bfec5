import { and, eq, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { decisions } from "#shop/sales/sales.tables.server.ts";
import { refuseStaffOwnCard } from "#staff/own-card.server.ts";

type Decision = typeof decisions.$inferSelect;

/** Who decides. */
export interface Decider {
  staffId: number;
  now: Date;
}

/** Writes a decision down. Of two people who decide at once the second is refused, whatever they chose. */
export async function decideOnce(
  tx: Queries,
  { shopId, number }: ReceiptKey,
  subject: Decision["subject"],
  outcome: Decision["outcome"],
  { staffId, now }: Decider,
): Promise<void> {
  const written = await tx
    .insert(decisions)
    .values({ shopId, number, subject, outcome, decidedAt: now, staffId })
    .onConflictDoNothing()
    .returning({ number: decisions.number });
  if (written.length === 0) throw new Refusal("already_decided");
}

/** Throws why there is nothing to decide: a person has decided, or there never was anything. */
export async function refuseUnopened(
  tx: Queries,
  { shopId, number }: ReceiptKey,
  subject: Decision["subject"],
): Promise<never> {
  const [decided] = await tx
    .select({ number: decisions.number })
    .from(decisions)
    .where(and(eq(decisions.shopId, shopId), eq(decisions.number, number), eq(decisions.subject, subject)));
  throw new Refusal(decided ? "already_decided" : "not_found");
}

/**
 * The seller of a sale releases nothing of it, nor does a shop's manager who added the seller: one person with two names is
 * no second pair of eyes. Also a person who only sent the sale from a till's queue counts as its seller, and who attached
 * it to the customer. What an amendment added to a sale was sold and attached with it.
 */
export async function refuseSeller(
  tx: Queries,
  { staffId }: Decider,
  sale: ReceiptKey & { staffId: number | null; amends: string | null },
): Promise<void> {
  const number = sale.amends ?? sale.number;
  const { rowCount } = await tx.execute(sql`
    select from staff p join staff decider on decider.id = ${staffId}
    where (p.id = decider.id or p.added_by = decider.id and decider.role = 'shop')
      and (p.id = ${sale.staffId} or exists (
        select from audit_log l where l.staff_id = p.id and l.action = 'purchase' and l.shop_id = ${sale.shopId}
          and l.after ->> 'receipt' = ${number}) or exists (
        select from audit_log l where l.staff_id = p.id and l.action = 'receipt_attached'
          and l.after @> ${JSON.stringify({ ofShop: sale.shopId, ofReceipt: number })}::jsonb))`);
  if (rowCount) throw new Refusal("second_person");
}

/** No one decides about points of their own card. */
export const refuseOwn = (tx: Queries, { staffId }: Decider, customerId: number | null | undefined): Promise<void> =>
  refuseStaffOwnCard(tx, [staffId], customerId);
