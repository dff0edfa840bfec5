import { and, eq, inArray, sql } from "drizzle-orm";
import { refreshAccount } from "#loyalty/ledger/ledger.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import { auditSale, refuseOwnCard } from "#shop/sales/at-till.server.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import type { Holder, ShopVoucher } from "#shop/sales/purchase/facts.server.ts";
import { holds } from "#shop/sales/sales.tables.server.ts";
import { codesOf, type NamedVoucher, refuseExpiredTokens, sentAs } from "./named-vouchers.server.ts";
import { refuseVoucher } from "./refuse-voucher.server.ts";

const [usualMinutes, mostWebMinutes] = [15, 72 * 60];

/** What a call holds vouchers for: a receipt or a reference, one of them. */
export function holderOf(
  { shopId }: KeyCaller,
  { ReceiptNumber, Reference }: { ReceiptNumber?: string | undefined; Reference?: string | undefined },
) {
  if (ReceiptNumber === undefined && Reference === undefined) refuseField("ReceiptNumber", "required");
  if (ReceiptNumber !== undefined && Reference !== undefined) refuseField("Reference", "twice");
  return { shopId, number: ReceiptNumber ?? null, reference: Reference ?? null };
}
type HeldFor = ReturnType<typeof holderOf>;

const asHolder = ({ shopId, number, reference }: HeldFor): Holder => ({
  ...{ shopId, number: number ?? undefined, reference: reference ?? undefined },
});

/**
 * Keeps vouchers for one receipt or basket while its customer pays, all or none: a web shop authorises a payment first and
 * settles it days later. The codes are locked in their order, as a purchase
 * does. A hold ends by itself, by its receipt's purchase, or when that receipt releases it.
 */
export async function holdVouchers(
  deps: ShopDependencies,
  caller: KeyCaller,
  named: readonly NamedVoucher[],
  heldFor: HeldFor,
  { minutes = usualMinutes, now }: { minutes?: number | undefined; now: Date },
) {
  if (minutes > (caller.web ? mostWebMinutes : usualMinutes)) refuseField("HoldMinutes", "invalid");
  const codes = codesOf(named);
  const receipt = asHolder(heldFor);
  const until = new Date(now.getTime() + minutes * 60_000);
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
      if (refusal) throw new Refusal(refusal.code, { ...refusal, voucherCode: sentAs(named, code) });
      await refuseOwnCard(tx, caller, voucher?.customerId);
    }
    const held = await tx
      .insert(holds)
      .values(codes.map((code) => ({ code, ...heldFor, heldAt: now, until })))
      .onConflictDoUpdate({
        target: holds.code,
        set: {
          ...heldFor,
          // Its own hold is not renewed while the customer has a debt: the voucher may have to be cancelled.
          until: sql`case when ${isSameHolder}
              and ${holds.until} > ${now.toISOString()}::timestamptz and loyalty_debt_of((
                select c.customer_id from loyalty_voucher_code c where c.code = excluded.code)) > 0
            then ${holds.until} else excluded.until end`,
          // Held again by the same receipt: what counts is that it was held before the voucher's end.
          heldAt: sql`case when ${isSameHolder}
            then ${holds.heldAt} else excluded.held_at end`,
        },
      })
      .returning({ code: holds.code, until: holds.until });
    const customerId = rows[0]?.vouchers[0]?.customerId;
    await auditSale(tx, caller, now, {
      action: "hold",
      customerId,
      after: { receipt: heldFor.number ?? heldFor.reference, vouchers: codes.length },
    });
    const untilOf = (code: string) => held.find((one) => one.code === code)?.until ?? until;
    return { Holds: named.map(({ sent, code }) => ({ Code: sent, Until: untilOf(code).toISOString() })) };
  });
}

const isSameHolder = sql`(${holds.shopId}, ${holds.number}, ${holds.reference})
  is not distinct from (excluded.shop_id, excluded.number, excluded.reference)`;

/** Only the receipt that holds a voucher releases it; releasing what is not held is fine, and is said. */
export async function releaseVouchers(
  { database }: ShopDependencies,
  caller: KeyCaller,
  codes: string[],
  { shopId, number, reference }: HeldFor,
  now: Date,
) {
  const { released, marked } = await database.transaction(async (tx) => {
    const released = await tx
      .delete(holds)
      .where(
        and(
          inArray(holds.code, codes),
          eq(holds.shopId, shopId),
          number === null ? eq(holds.reference, reference ?? "") : eq(holds.number, number),
        ),
      )
      .returning({ code: holds.code });
    const after = { receipt: number ?? reference, vouchers: released.length };
    await auditSale(tx, caller, now, { action: "release", after });
    if (released.length === 0) return { released, marked: [] };
    const { rows } = await tx.execute<{ customer_id: string }>(sql`
      select distinct customer_id from loyalty_voucher_cancel
      where code = any (${sql.param(released.map(({ code }) => code))}::text[]) and cancelled_at is null`);
    return { released, marked: rows };
  });
  // Vouchers that were marked while they were held are cancelled now; afterwards, because a purchase locks customers first.
  for (const { customer_id } of marked) await refreshAccount(database, Number(customer_id), now);
  return { Released: released.length };
}
