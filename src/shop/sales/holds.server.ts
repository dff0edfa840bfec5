import { and, eq, inArray, sql } from "drizzle-orm";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { auditSale, refuseOwnCard } from "./at-till.server.ts";
import { type ReceiptKey, refuseVoucher, type ShopVoucher } from "./facts.server.ts";
import type { ShopParts } from "./parts.server.ts";
import { holds } from "./sales.tables.server.ts";

const holdMinutes = 15;

/**
 * Keeps vouchers for one receipt while its customer pays, all or none. The codes are locked in their order, as a purchase
 * does. A hold ends by itself, by its receipt's purchase, or when that receipt releases it.
 */
export async function holdVouchers(parts: ShopParts, caller: KeyCaller, codes: string[], number: string, now: Date) {
  const receipt: ReceiptKey = { shopId: caller.shopId, number };
  const until = new Date(now.getTime() + holdMinutes * 60_000);
  return parts.database.transaction(async (tx) => {
    await tx.execute(
      sql`select from loyalty_voucher_code where code = any (${sql.param(codes)}::text[]) order by code for update`,
    );
    const { rows } = await tx.execute<{ vouchers: ShopVoucher[] }>(
      sql`select shop_vouchers(null, ${sql.param(codes)}::text[], ${now.toISOString()}::timestamptz) as vouchers`,
    );
    for (const code of codes) {
      const voucher = rows[0]?.vouchers.find((one) => one.code === code);
      const refusal = refuseVoucher(voucher, { receipt, namedId: null, soldAt: now, now });
      if (refusal) throw new Refusal(refusal.code, refusal);
      refuseOwnCard(caller, voucher?.customerId ?? null);
    }
    await tx
      .insert(holds)
      .values(codes.map((code) => ({ code, ...receipt, heldAt: now, until })))
      .onConflictDoUpdate({
        target: holds.code,
        set: {
          shopId: receipt.shopId,
          number,
          until,
          // Held again by the same receipt: what counts is that it was held before the voucher's end.
          heldAt: sql`case when (${holds.shopId}, ${holds.number}) = (excluded.shop_id, excluded.number)
            then ${holds.heldAt} else excluded.held_at end`,
        },
      });
    const customerId = rows[0]?.vouchers[0]?.customerId;
    await auditSale(tx, caller, now, {
      action: "hold",
      customerId,
      after: { receipt: number, vouchers: codes.length },
    });
    return { Holds: codes.map((code) => ({ Code: code, Until: until.toISOString() })) };
  });
}

/** Only the receipt that holds a voucher releases it; releasing what is not held is fine. */
export async function releaseVouchers(
  { database }: ShopParts,
  caller: KeyCaller,
  codes: string[],
  number: string,
  now: Date,
) {
  return database.transaction(async (tx) => {
    const released = await tx
      .delete(holds)
      .where(and(inArray(holds.code, codes), eq(holds.shopId, caller.shopId), eq(holds.number, number)))
      .returning({ code: holds.code });
    await auditSale(tx, caller, now, { action: "release", after: { receipt: number, vouchers: released.length } });
    return {};
  });
}
