import { and, eq, sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { describePending, readBalance, undoClawBack } from "#loyalty/ledger/ledger.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { auditSale, refuseOwnCard } from "#shop/sales/at-till.server.ts";
import { inSale } from "#shop/sales/dependencies.server.ts";
import { purchaseCause } from "#shop/sales/purchase/credit-sale.server.ts";
import { returns } from "#shop/sales/sales.tables.server.ts";
import { auditedReturn, describeReturn, findReturn, readParts } from "./return-rows.server.ts";
import { lockReceipts } from "./returns.server.ts";
import { lockSale, returnEffect } from "./take-back.server.ts";
import { voidIn } from "./void.server.ts";

type ReturnRow = Omit<typeof returns.$inferSelect, "writtenIn">;

/**
 * Undoes a return, at the till that recorded it and on the same day: the customer keeps the goods and pays the refund again, and
 * gets the points back. A return that has brought a voucher back cannot be undone, as its code has been sent, nor one whose
 * points would not be those of what is left of the sale: they were claimed, released or settled since. An exchange is undone as
 * a whole: its new sale is voided with it.
 */
export async function undoReturn(
  deps: Parameters<typeof inSale>[0] & Parameters<typeof voidIn>[1],
  caller: KeyCaller,
  receiptNumber: string,
  now: Date,
) {
  const receipt = { shopId: caller.shopId, number: receiptNumber };
  return inSale(deps, caller, async (tx) => {
    const find = async () =>
      (await findReturn(tx, { ...receipt, kind: "return" })) ??
      (await findReturn(tx, { ...receipt, kind: "exchange" }));
    const named = await find();
    if (!named || named.keyPrefix !== caller.prefix) throw new Refusal("receipt_not_found");
    const original = { originalShopId: named.saleShopId, originalNumber: named.saleNumber, asked: named.asked };
    await lockReceipts(tx, caller, receiptNumber, original);
    const row = (await find()) ?? named;
    const isExchange = row.kind === "exchange";
    const audit = (customerId: number | null, after: object) =>
      auditSale(tx, caller, now, { action: "return_undone", customerId, before: auditedReturn(row), after });
    if (row.state === "undone") {
      const sale = await lockSale(tx, saleOf(row));
      await audit(sale?.customerId ?? null, { receipt: row.number, repeated: true });
      const voided = isExchange ? await findReturn(tx, { ...receipt, kind: "void" }) : undefined;
      return describeUndone(tx, row, sale?.customerId ?? null, voided && describeReturn(voided), now);
    }
    // Of a sale that was amended.
    if ((await readParts(tx, { ...receipt, kind: row.kind })).length > 1) throw new Refusal("return_final");
    if (row.state === "conflict" || !(await isToday(tx, row.returnedAt, now))) throw new Refusal("return_final");
    if (isExchange) await lockBothCustomers(tx, row);
    await tx
      .update(returns)
      .set({ state: "undone", undoneAt: now, undoneBy: caller.staff?.id ?? null })
      .where(and(eq(returns.shopId, row.shopId), eq(returns.number, row.number), eq(returns.kind, row.kind)));
    // Now without this return.
    const sale = await lockSale(tx, saleOf(row));
    const customerId = sale?.customerId ?? null;
    await refuseOwnCard(tx, caller, customerId);
    if (sale && row.state === "applied") {
      const { points, reissues } = returnEffect(sale, { lines: row.refunds });
      const cause = `${row.kind}:${row.shopId}:${row.number}`;
      const exchange = isExchange ? purchaseCause(row) : null;
      const given = customerId ? await undoClawBack(tx, { customerId, cause, label: {}, now, exchange }) : 0;
      if (reissues.length > 0 || given !== (sale.credited ? points : 0)) throw new Refusal("return_final");
    }
    await audit(customerId, { receipt: row.number, restored: row.taken });
    // After the return: what that took from the points of the new sale is there again to be taken.
    const voided = isExchange ? await voidIn(tx, deps, caller, receiptNumber, now) : undefined;
    return describeUndone(tx, row, customerId, voided, now);
  });
}

/** The customers of both sales of an exchange, in the order in which the exchange has locked them. */
async function lockBothCustomers(tx: Queries, row: ReturnRow): Promise<void> {
  await tx.execute(sql`
    select from customer where id in (
      select customer_survivor(s.customer_id) from shop_sale s
      where (s.shop_id, s.number) in ((${row.shopId}, ${row.number}), (${row.saleShopId}, ${row.saleNumber})))
    order by id for no key update`);
}

const saleOf = ({ saleShopId: shopId, saleNumber: number }: ReturnRow) => ({ shopId, number });

async function isToday(tx: Queries, moment: Date, now: Date): Promise<boolean> {
  const { rows } = await tx.execute<{ same: boolean }>(
    sql`select club_day(${moment.toISOString()}::timestamptz) = club_day(${now.toISOString()}::timestamptz) as same`,
  );
  return rows[0]?.same ?? false;
}

async function describeUndone(
  tx: Queries,
  row: ReturnRow,
  customerId: number | null,
  voided: ReturnType<typeof describeReturn> | undefined,
  now: Date,
) {
  const balance = customerId ? await readBalance(tx, customerId, now) : undefined;
  return {
    Points: {
      Restored: row.taken,
      Available: balance?.balance ?? 0,
      ...describePending(balance?.pending ?? null),
      Debt: balance?.debt ?? 0,
    },
    Refunds: row.refunds.map(({ line, cents }) => ({ Line: line, Amount: amountOf(cents) })),
    ...(voided && { Voided: voided }),
  };
}
