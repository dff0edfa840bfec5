import type { Locale } from "#i18n/locale.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { inSale } from "#shop/sales/dependencies.server.ts";
import { lockCustomers, openToken } from "#shop/sales/purchase/facts.server.ts";
import { type Purchase, purchaseIn } from "#shop/sales/purchase/purchase.server.ts";
import { findReturn } from "#shop/sales/return/return-rows.server.ts";
import { lockReceipts } from "#shop/sales/return/returns.server.ts";
import { lockSale } from "#shop/sales/return/take-back.server.ts";
import { voidIn } from "#shop/sales/return/void.server.ts";
import type { SellingDependencies } from "#shop/sales/selling.server.ts";

/**
 * A sale of today in place of another that was rung up wrong: the other is voided and this one recorded, both or neither.
 * One that used a voucher is voided by itself, as the voucher comes back with another code; an exchange is undone as a whole.
 */
export async function correctSale(
  deps: SellingDependencies,
  caller: StaffCaller,
  { purchase, corrects }: { purchase: Purchase; corrects: string },
  context: { now: Date; locale: Locale },
) {
  const { tiers, known } = await deps.findProgramme(defaultProgrammeId, context.now);
  return inSale(deps, caller, async (tx) => {
    const original = { originalShopId: caller.shopId, originalNumber: corrects, asked: { all: true } as const };
    await lockReceipts(tx, caller, purchase.receiptNumber, original);
    const sale = await lockSale(tx, { shopId: caller.shopId, number: corrects });
    if (!sale || corrects === purchase.receiptNumber) throw new Refusal("receipt_not_found");
    const exchange = await findReturn(tx, { shopId: caller.shopId, number: corrects, kind: "exchange" });
    if (sale.vouchers.length > 0 || (exchange && exchange.state !== "undone")) throw new Refusal("sale_final");
    if (sale.customerId) {
      const customerId = await openToken(tx, deps.tokens, purchase, caller.shopId, context.now);
      const named = { customerId, cardNumber: purchase.CardNumber, codes: purchase.voucherCodes };
      await lockCustomers(tx, sale.customerId, named);
    }
    await voidIn(tx, deps, caller, corrects, context.now);
    return purchaseIn(tx, { ...deps, tiers, known }, caller, purchase, context);
  });
}
