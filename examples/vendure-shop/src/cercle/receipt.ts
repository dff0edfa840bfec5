import { amountOf } from "@cercle/client/money";
import type { ID, Order } from "@vendure/core";

export interface Line {
  Line: string;
  Amount: string;
  Earns: boolean;
}

/** What Cercle was sent of an order. Stored before it is sent, so that a repetition has the same content. */
export interface Receipt {
  /** The number of a line on the receipt stays, whatever is added or removed: numbered anew, a refund would hit another article. */
  lineOf: Record<string, string>;
  sale?: { SoldAt: string; Sub?: string; VoucherCodes?: string; Lines: Line[] };
  /** Cercle has the sale. */
  isSold: boolean;
  /** The lines after each edit. */
  amendments: Line[][];
  /** How many of the amendments Cercle has. */
  amended: number;
  /** Money was given back that no line lost: the lines of an edit would say too much. */
  hasSums?: boolean;
}

export const shippingLine = "shipping";

export const receiptOf = (order: Order): Receipt =>
  JSON.parse(order.customFields.cercleReceipt ?? '{"lineOf":{},"isSold":false,"amendments":[],"amended":0}');

/**
 * The lines of the order as they are now, with VAT, before the voucher, which Cercle spreads itself. A shop with other
 * promotions on whole orders takes off their share too.
 */
export function linesOf(order: Order, lineOf: Record<string, string> = {}): Line[] {
  const numberOf = (id: ID) => {
    lineOf[id] ??= String(Object.keys(lineOf).length + 1);
    return lineOf[id];
  };
  const goods = order.lines
    .filter(({ quantity }) => quantity > 0)
    .map((line) => ({ Line: numberOf(line.id), Amount: amountOf(line.discountedLinePriceWithTax), Earns: true }));
  if (order.shippingWithTax === 0) return goods;
  return [...goods, { Line: numberOf(shippingLine), Amount: amountOf(order.shippingWithTax), Earns: false }];
}
