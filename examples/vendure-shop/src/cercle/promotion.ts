import { LanguageCode, type Order, PromotionCondition, PromotionOrderAction } from "@vendure/core";

/** What the promotion is called on orders. */
export const promotionName = "Club voucher";

const voucherValue = (order: Order): number => order.customFields.cercleVoucherValue ?? 0;
const described = (value: string) => [{ languageCode: LanguageCode.en, value }];

/** One promotion for all vouchers. What it takes off is confirmed by Cercle before the customer pays. */
export const hasVoucher = new PromotionCondition({
  code: "cercle-has-voucher",
  description: described("The order has a voucher of the club"),
  args: {},
  check: (_ctx, order) => voucherValue(order) > 0,
});

export const takeVoucher = new PromotionOrderAction({
  code: "cercle-take-voucher",
  description: described("Takes off what the voucher is worth"),
  args: {},
  execute: (_ctx, order) => -Math.min(voucherValue(order), order.subTotalWithTax),
});

/** What vouchers take off the order now, in cents. */
export const takenOff = (order: Order): number =>
  -(order.discounts.find(({ description }) => description === promotionName)?.amountWithTax ?? 0);
