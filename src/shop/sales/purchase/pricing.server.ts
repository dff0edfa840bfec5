import { amountOf } from "#brand/amounts.ts";
import { refuseVoucher } from "#shop/sales/voucher/refuse-voucher.server.ts";
import { type BasketLine, type PricedLine, priceBasket } from "./basket.server.ts";
import type { ReceiptKey, SaleFacts } from "./facts.server.ts";

/** What is bought: lines, or one amount, which is one line that earns. */
export interface Goods {
  lines: BasketLine[];
  whole: boolean;
}

/** The basket with each voucher's share, and for each voucher that cannot be used the reason. */
export function priceSale(
  goods: Goods,
  codes: readonly string[],
  facts: SaleFacts,
  sale: { receipt?: ReceiptKey; soldAt: Date; now: Date },
) {
  const found = codes.map((code) => {
    const voucher = facts.vouchers.find((one) => one.code === code);
    return { code, voucher, refusal: refuseVoucher(voucher, { ...sale, namedId: facts.namedId }) };
  });
  const usable = found.flatMap(({ voucher, refusal }) => (voucher && !refusal ? [voucher] : []));
  const priced = priceBasket(goods.lines, usable);
  return {
    lines: priced.lines,
    vouchers: found.map(({ code, voucher, refusal }) => ({
      code,
      valueCents: voucher?.valueCents ?? 0,
      takenCents: priced.vouchers.find((one) => one.code === code)?.takenCents ?? 0,
      refusal: refusal ?? (priced.tooSmall.includes(code) ? { code: "basket_too_small" as const } : undefined),
    })),
  };
}

/** What was paid on each line, and the vouchers' share of it, as the till is told. */
export const describeLines = (lines: readonly PricedLine[]) =>
  lines.map(({ line, paidCents, shareCents }) => ({
    Line: line,
    Paid: amountOf(paidCents),
    VoucherShare: amountOf(shareCents),
  }));
