import { sumCents } from "#brand/amounts.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { nextReceiptNumber } from "#till/queue/receipt-number.ts";
import type { RefusedSale } from "#till/queue/sale-queue.ts";
import type { View } from "#till/screen/view.ts";
import { linesOf } from "./goods.ts";
import { isInHand, type Member, type useSale } from "./use-sale.ts";

/** A customer whose receipt is at hand: the card is not, so vouchers are not told. */
export const ofReceipt = (member: Member | null) =>
  member ? { cardNumber: undefined, member, scanned: false, vouchersListed: false, foundAt: new Date() } : undefined;

/** Takes an earlier sale's goods in hand again. */
export function useFormerSale(
  { change, latest }: ReturnType<typeof useSale>,
  options: {
    taking: (code: string, accept: () => Promise<boolean>) => unknown;
    begin: (next: View) => void;
    onFailure: (error: unknown) => void;
  },
) {
  const { taking, begin, onFailure } = options;

  /** A sale that the server refused is in hand again, to be corrected. */
  function ringUpAgain({ ReceiptNumber, SoldAt, CardNumber, code, again, ...goods }: RefusedSale) {
    taking(ReceiptNumber, async () => {
      const receiptNumber = again ?? (await nextReceiptNumber());
      // What was scanned meanwhile stays.
      if (isInHand(latest.current)) return false;
      begin({ name: "sale" });
      const customer = {
        cardNumber: CardNumber,
        member: undefined,
        scanned: false,
        vouchersListed: true,
        foundAt: new Date(),
      };
      change({
        // A number that is noted was sent.
        ...{ receiptNumber, sent: again !== undefined },
        ...{ lines: linesOf(goods), customer: CardNumber === undefined ? undefined : customer },
        again: { receiptNumber: ReceiptNumber, soldAt: code === "too_old" ? undefined : SoldAt },
      });
      return true;
    });
  }

  /** A sale of today with the goods of another, which it replaces. */
  function correct(number: string) {
    taking(number, async () => {
      try {
        const found = await browserCall(calls.readReceipt, { ReceiptNumber: number });
        if (isInHand(latest.current)) return false;
        begin({ name: "sale" });
        const lines = found.Lines.map(({ Paid, VoucherShare, Earns, PriceType, Codes }) => ({
          ...{ cents: sumCents([Paid, VoucherShare]), earns: Earns },
          ...(PriceType && { PriceType }),
          ...(Codes && { Codes }),
        }));
        change({ lines, customer: ofReceipt(found.Member), corrects: found.ReceiptNumber });
        return true;
      } catch (error) {
        onFailure(error);
        return false;
      }
    });
  }

  return { ringUpAgain, correct };
}
