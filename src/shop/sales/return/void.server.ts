import { and, eq, inArray, sql } from "drizzle-orm";
import { firstPurchaseCause } from "#loyalty/emails/emails.server.ts";
import { voucherUseCause } from "#loyalty/emails/voucher-emails.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { withdrawMails } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { findAdditions } from "#shop/sales/amend/amended-sale.server.ts";
import { auditSale, refuseOwnCard } from "#shop/sales/at-till.server.ts";
import { inSale, type ShopDependencies } from "#shop/sales/dependencies.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { returns, sales } from "#shop/sales/sales.tables.server.ts";
import { asOne, auditedReturn, describeReturn, type ReturnRow, rowOf } from "./return-rows.server.ts";
import { applyReturn, lockSale, type OriginalSale } from "./take-back.server.ts";

/** Cancels a sale of the same day as a whole. Named by the sale's own number, so repeating it gives the same answer. */
export async function voidSale(deps: ShopDependencies, caller: KeyCaller, receiptNumber: string, now: Date) {
  return inSale(deps, caller, (tx) => voidIn(tx, deps, caller, receiptNumber, now));
}

/** The same in a transaction of the caller's. */
export async function voidIn(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  caller: KeyCaller,
  receiptNumber: string,
  now: Date,
) {
  const receipt = { shopId: caller.shopId, number: receiptNumber };
  const sale = await lockSale(tx, receipt);
  if (!sale) throw new Refusal("not_found");
  const parts = [sale, ...(await findAdditions(tx, sale))];
  const voided = await readVoids(tx, parts);
  if (voided.length > 0) {
    await auditSale(tx, caller, now, { action: "void", after: { receipt: receiptNumber, repeated: true } });
    return describeReturn(asOne(voided));
  }
  const [day] = (
    await tx.execute<{ same: boolean }>(
      sql`select club_day(${sale.soldAt}::timestamptz) = club_day(${now.toISOString()}::timestamptz) as same`,
    )
  ).rows;
  if (!day?.same) throw new Refusal("not_same_day");
  if (parts.some(({ returned }) => returned.length > 0)) throw new Refusal("more_than_bought");
  await refuseOwnCard(tx, caller, sale.customerId);
  const rows: ReturnRow[] = [];
  for (const part of parts) {
    const written = { shopId: part.shopId, number: part.number, kind: "void" as const, asked: { all: true } as const };
    const done = await applyReturn(tx, deps, caller, part, written, now);
    rows.push(rowOf(caller, { ...written, returnedAt: now }, part, done));
  }
  await tx.insert(returns).values(rows);
  await withdrawSaleEmails(tx, sale, parts);
  const row = asOne(rows);
  await auditSale(tx, caller, now, { action: "void", customerId: sale.customerId, after: auditedReturn(row) });
  return describeReturn(row);
}

/** The emails about a sale that was undone before they were sent: of its vouchers, and of a first purchase if it was that. */
async function withdrawSaleEmails(
  tx: Queries,
  { customerId, soldAt }: OriginalSale & { soldAt: string },
  parts: readonly OriginalSale[],
) {
  const causes = parts.flatMap(({ vouchers }) => vouchers.map(({ code }) => voucherUseCause(code)));
  if (customerId !== null) {
    const { rows } = await tx.execute(sql`
      select from ${sales} s where s.customer_id = ${customerId} and s.sold_at < ${soldAt}::timestamptz
        and not shop_sale_voided(s.shop_id, s.number) limit 1`);
    if (rows.length === 0) causes.push(firstPurchaseCause(customerId));
  }
  if (causes.length > 0) await withdrawMails(tx, causes);
}

/** The voids of a sale and of what amendments added to it, in their order. Each has the number of what it cancels. */
async function readVoids(tx: Queries, parts: readonly ReceiptKey[]): Promise<ReturnRow[]> {
  const numbers = parts.map(({ number }) => number);
  const rows = await tx
    .select()
    .from(returns)
    .where(and(eq(returns.shopId, parts[0]?.shopId ?? 0), eq(returns.kind, "void"), inArray(returns.number, numbers)));
  return rows.sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number));
}
