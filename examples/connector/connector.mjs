// What a web shop tells of its orders, and what of it Cercle gets. See README.md.
import { Refused } from "@cercle/client";
import { amountOf, centsOf } from "@cercle/client/money";

/** A web shop pays days after the basket: the longest hold. */
const holdMinutes = 72 * 60;

/**
 * `orders` keeps what was sent of each order: a Map here, a table in a real shop. Every function may be called again with
 * the same order, as shops deliver their own events more than once.
 */
export function createConnector({ cercle, queue, currency, orders = new Map(), now = () => new Date() }) {
  /** The number of a line on the receipt stays, whatever is added or removed before it. */
  function numbered(order, lines) {
    for (const { Id } of lines) order.lineOf[Id] ??= String(Object.keys(order.lineOf).length + 1);
    return lines.map(({ Id, Amount, Earns = true }) => ({ Line: order.lineOf[Id], Amount, Earns }));
  }

  function find(id) {
    const order = orders.get(id);
    if (!order) throw new Error(`No order ${id}.`);
    return order;
  }

  const held = (order, id) => ({ VoucherCodes: order.sale.VoucherCodes, Reference: id });

  return {
    /** The basket goes to checkout. Returns what is to be paid; throws a refusal to show when a voucher cannot be used. */
    async place({ Order, CardNumber, Sub, Lines, VoucherCodes = [] }) {
      const order = orders.get(Order) ?? { lineOf: {}, amendments: 0, refunds: [], isPaid: false };
      const customer = { CardNumber, Sub };
      order.sale = { ...customer, Lines: numbered(order, Lines), Currency: currency };
      orders.set(Order, order);
      if (VoucherCodes.length === 0) return { Total: totalOf(Lines) };
      order.sale.VoucherCodes = VoucherCodes.join(",");
      await cercle.hold({ ...held(order, Order), HoldMinutes: holdMinutes });
      const quote = await cercle.quote({ ...order.sale, Reference: Order });
      return { Total: amountOf(quote.Lines.reduce((sum, { Paid }) => sum + centsOf(Paid), 0)) };
    },

    /** The payment has arrived. From here on the sale is never lost: a voucher that is gone meanwhile does not refuse it. */
    async pay({ Order }) {
      const order = find(Order);
      if (!order.isPaid) {
        order.isPaid = true;
        const voucher = order.sale.VoucherCodes && { OnVoucherLost: "accept", Reference: Order };
        await queue.add("purchase", { ReceiptNumber: Order, SoldAt: now(), ...order.sale, ...voucher });
      }
      await queue.send();
    },

    /** The payment has failed: others may use the voucher. Without a network its hold ends by itself. */
    async fail({ Order }) {
      const order = find(Order);
      if (!order.sale.VoucherCodes) return;
      await cercle.release(held(order, Order)).catch((error) => {
        if (error instanceof Refused) throw error;
      });
    },

    /** Money was given back: of lines, or a sum that is laid on what is left. `Refund` is the shop's own number of it. */
    async refund({ Order, Refund, Lines, Amount }) {
      const order = find(Order);
      if (!order.refunds.includes(Refund)) {
        order.refunds.push(Refund);
        await queue.add("return", {
          ...{ ReceiptNumber: `${Order}-R${Refund}`, OriginalReceiptNumber: Order, SoldAt: now(), Currency: currency },
          ...(Lines
            ? { Lines: Lines.map((one) => ({ Line: order.lineOf[one.Id], Amount: one.Amount })) }
            : { Amount, Spread: true }),
        });
      }
      await queue.send();
    },

    /** The order was edited: all its lines as they are now, at their prices before vouchers. */
    async edit({ Order, Lines }) {
      const order = find(Order);
      if (!order.isPaid) throw new Error("Place it again.");
      const wanted = JSON.stringify(Lines);
      if (order.edited !== wanted) {
        order.edited = wanted;
        order.amendments += 1;
        await queue.add("amend", {
          ...{ ReceiptNumber: Order, AmendNumber: order.amendments, Currency: currency },
          Lines: numbered(order, Lines),
        });
      }
      await queue.send();
    },

    /** When the network is back, at each start, and every few minutes. */
    send: () => queue.send(),
  };
}

const totalOf = (lines) => amountOf(lines.reduce((sum, { Amount }) => sum + centsOf(Amount), 0));
