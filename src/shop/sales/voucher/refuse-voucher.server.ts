import type { RefusalCode } from "#platform/refusal.ts";
import type { UnpaidLine } from "#shop/sales/purchase/basket.server.ts";
import { type Holder, isOwnHold, type ShopVoucher } from "#shop/sales/purchase/facts.server.ts";

/** Why a voucher cannot be used by this receipt. */
export interface VoucherRefusal {
  code: RefusalCode;
  retryAfterSeconds?: number;
  /** Lines that it may not pay. */
  lines?: readonly UnpaidLine[];
}

/**
 * Whether a receipt may use a voucher: unused, of the customer named, good at the time of the sale or held by this receipt
 * before its end, and not held by another.
 */
export function refuseVoucher(
  voucher: ShopVoucher | undefined,
  sale: { receipt?: Holder | undefined; namedId: number | null; soldAt: Date; now: Date },
): VoucherRefusal | undefined {
  if (!voucher) return { code: "voucher_unknown" };
  if (voucher.erased) return { code: "voucher_expired" };
  if (voucher.blocked) return { code: "card_blocked" };
  if (sale.namedId !== null && voucher.customerId !== sale.namedId) return { code: "voucher_of_another" };
  if (voucher.usedAt) return { code: "voucher_used" };
  if (voucher.unconfirmed) return { code: "email_unconfirmed" };
  const { hold } = voucher;
  const { receipt, now } = sale;
  const ownHold = isOwnHold(hold, receipt);
  if (voucher.cancelled || (voucher.toCancel && !ownHold)) return { code: "voucher_cancelled" };
  const end = new Date(voucher.expiresAt);
  const good = sale.soldAt <= end || (ownHold && hold !== null && new Date(hold.heldAt) <= end);
  if (!good) return { code: "voucher_expired" };
  const secondsLeft = hold && !ownHold ? (new Date(hold.until).getTime() - now.getTime()) / 1_000 : 0;
  if (secondsLeft > 0) return { code: "voucher_held", retryAfterSeconds: Math.ceil(secondsLeft) };
  return undefined;
}
