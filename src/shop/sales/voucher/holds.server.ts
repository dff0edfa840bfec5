import { and, eq, inArray, sql } from "drizzle-orm";
import { refreshAccount } from "#loyalty/ledger/ledger.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { auditSale, refuseOwnCard } from "#shop/sales/at-till.server.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import type { ReceiptKey, ShopVoucher } from "#shop/sales/purchase/facts.server.ts";
import { holds } from "#shop/sales/sales.tables.server.ts";
import { codesOf, type NamedVoucher, refuseExpiredTokens } from "./named-vouchers.server.ts";
import { refuseVoucher } from "./refuse-voucher.server.ts";

const holdMinutes = 15;

/**
 * Keeps vouchers for one receipt while its customer pays, all or none. The codes are locked in their order, as a purchase
 * does. A hold ends by itself, by its receipt's purchase, or when that receipt releases it.
 */
export async function holdVouchers(
  deps: ShopDependencies,
  caller: KeyCaller,
  named: readonly NamedVoucher[],
  number: string,
  now: Date,
) {
  const codes = codesOf(named);
  const receipt: ReceiptKey = { shopId: caller.shopId, number };
  const until = new Date(now.getTime() + holdMinutes * 60_000);
  return deps.database.transaction(async (tx) => {
    await tx.execute(
      sql`select from loyalty_voucher_code where code = any (${sql.param(codes)}::text[]) order by code for update`,
    );
    const { rows } = await tx.execute<{ vouchers: ShopVoucher[] }>(
      sql`select shop_vouchers(null, ${sql.param(codes)}::text[], ${now.toISOString()}::timestamptz) as vouchers`,
    );
    refuseExpiredTokens(named, rows[0]?.vouchers ?? [], receipt);
    for (const code of codes) {
      const voucher = rows[0]?.vouchers.find((one) => one.code === code);
      const refusal = refuseVoucher(voucher, { receipt, namedId: null, soldAt: now, now });
      if (refusal) throw new Refusal(refusal.code, refusal);
      await refuseOwnCard(tx, caller, voucher?.customerId);
    }
    const held = await tx
      .insert(holds)
      .values(codes.map((code) => ({ code, ...receipt, heldAt: now, until })))
      .onConflictDoUpdate({
        target: holds.code,
        set: {
          shopId: receipt.shopId,
          number,
          // Its own hold is not renewed while the customer has a debt: the voucher may have to be cancelled.
          until: sql`case when (${holds.shopId}, ${holds.number}) = (excluded.shop_id, excluded.number)
              and ${holds.until} > ${now.toISOString()}::timestamptz and loyalty_debt_of((
                select c.customer_id from loyalty_voucher_code c where c.code = excluded.code)) > 0
            then ${holds.until} else excluded.until end`,
          // Held again by the same receipt: what counts is that it was held before the voucher's end.
          heldAt: sql`case when (${holds.shopId}, ${holds.number}) = (excluded.shop_id, excluded.number)
            then ${holds.heldAt} else excluded.held_at end`,
        },
      })
      .returning({ code: holds.code, until: holds.until });
    const customerId = rows[0]?.vouchers[0]?.customerId;
    await auditSale(tx, caller, now, {
      action: "hold",
      customerId,
      after: { receipt: number, vouchers: codes.length },
    });
    const untilOf = (code: string) => held.find((one) => one.code === code)?.until ?? until;
    return { Holds: named.map(({ sent, code }) => ({ Code: sent, Until: untilOf(code).toISOString() })) };
  });
}

/** Only the receipt that holds a voucher releases it; releasing what is not held is fine. */
export async function releaseVouchers(
  { database }: ShopDependencies,
  caller: KeyCaller,
  codes: string[],
  number: string,
  now: Date,
) {
  const marked = await database.transaction(async (tx) => {
    const released = await tx
      .delete(holds)
      .where(and(inArray(holds.code, codes), eq(holds.shopId, caller.shopId), eq(holds.number, number)))
      .returning({ code: holds.code });
    await auditSale(tx, caller, now, { action: "release", after: { receipt: number, vouchers: released.length } });
    if (released.length === 0) return [];
    const { rows } = await tx.execute<{ customer_id: string }>(sql`
      select distinct customer_id from loyalty_voucher_cancel
      where code = any (${sql.param(released.map(({ code }) => code))}::text[]) and cancelled_at is null`);
    return rows;
  });
  // Vouchers that were marked while they were held are cancelled now; afterwards, because a purchase locks customers first.
  for (const { customer_id } of marked) await refreshAccount(database, Number(customer_id), now);
  return {};
}
