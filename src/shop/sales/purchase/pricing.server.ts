import { amountOf } from "#brand/amounts.ts";
import { refuseVoucher } from "#shop/sales/voucher/refuse-voucher.server.ts";
import { type BasketLine, type PricedLine, priceBasket, spread } from "./basket.server.ts";
import type { Holder, SaleFacts } from "./facts.server.ts";

/** What is bought: lines, or one amount, which is one line that earns. */
export interface Goods {
  lines: BasketLine[];
  whole: boolean;
}

/** What may become of a voucher between the payment of an order and its arrival. */
const lostReasons = new Set(["voucher_used", "voucher_held", "voucher_expired", "voucher_cancelled", "card_blocked"]);

/**
 * The basket with each voucher's share, and for each voucher that cannot be used the reason. Where lost vouchers are
 * accepted, the customer has paid the price with them: what they took off is neither paid nor a share of a voucher.
 */
export function priceSale(
  goods: Goods,
  codes: readonly string[],
  facts: SaleFacts,
  sale: { receipt?: Holder; soldAt: Date; now: Date; expired?: readonly string[]; acceptsLost?: boolean },
) {
  const found = codes.map((code) => {
    const voucher = facts.vouchers.find((one) => one.code === code);
    const refused = refuseVoucher(voucher, { ...sale, namedId: facts.namedId });
    const refusal = refused ?? (sale.expired?.includes(code) ? { code: "voucher_expired" as const } : undefined);
    const lost = sale.acceptsLost === true && refusal !== undefined && lostReasons.has(refusal.code);
    return { code, voucher, refusal, lost };
  });
  const counted = found.flatMap(({ voucher, refusal, lost }) => (voucher && (!refusal || lost) ? [voucher] : []));
  const priced = priceBasket(goods.lines, counted, facts.earnsOn);
  const vouchers = found.map(({ code, voucher, refusal, lost }) => {
    const { takenCents = 0, lines } = priced.vouchers.find((one) => one.code === code) ?? {};
    const tooSmall = priced.tooSmall.find((one) => one.code === code);
    return {
      ...{ code, lost, valueCents: voucher?.valueCents ?? 0, takenCents, lines },
      refusal: refusal ?? (tooSmall && { code: "basket_too_small" as const, lines: tooSmall.lines }),
    };
  });
  const lostCents = vouchers.reduce((total, { lost, takenCents }) => total + (lost ? takenCents : 0), 0);
  const lostShares = spread(
    lostCents,
    priced.lines.map(({ shareCents }) => shareCents),
  );
  return {
    lines: priced.lines.map((line, index) => {
      const lostShare = lostShares[index] ?? 0;
      return { ...line, cents: line.cents - lostShare, shareCents: line.shareCents - lostShare };
    }),
    vouchers: vouchers.filter(({ lost }) => !lost),
    lostVouchers: vouchers.flatMap(({ code, lost, valueCents, takenCents, refusal }) =>
      lost && refusal ? [{ code, valueCents, takenCents, reason: refusal.code }] : [],
    ),
  };
}

/** What the vouchers of a sale took off together. */
export const voucherTotal = (vouchers: readonly { takenCents: number }[]): string =>
  amountOf(vouchers.reduce((total, { takenCents }) => total + takenCents, 0));

/** What was paid on each line, and the vouchers' share of it, as the till is told. */
export const describeLines = (lines: readonly PricedLine[]) =>
  lines.map(({ line, paidCents, shareCents }) => ({
    Line: line,
    Paid: amountOf(paidCents),
    VoucherShare: amountOf(shareCents),
  }));
