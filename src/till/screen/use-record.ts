import { useState } from "react";
import type { Input } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client.ts";
import * as calls from "#till/calls.ts";
import { enqueue } from "#till/queue/sale-queue.ts";
import type { DoneSale } from "./done.tsx";
import type { Failure } from "./failure.ts";
import { goodsFields, goodsOf } from "./goods.ts";
import type { Refused } from "./refused.tsx";
import { customerFields, type SaleInHand } from "./use-sale.ts";

/** Without a response for so long, the network counts as gone. */
const timeoutMs = 10_000;

/**
 * Records the sale in hand. Number, time and content stay the same through every try, so a response that was lost does no
 * harm. Without a network a sale with a card, or with nobody, waits on this device; one with vouchers cannot.
 */
export function useRecord(
  { sale, setSale, numberOf, total }: SaleInHand,
  given: {
    online: boolean;
    idStaff: number;
    onFailure: (error: unknown) => Failure;
    onDone: (done: DoneSale) => void;
    onKept: () => void;
    onRefused: (refused: Refused) => void;
  },
) {
  const [busy, setBusy] = useState(false);
  const canWait = Object.keys(sale.holds).length === 0 && (!sale.customer || sale.customer.cardNumber !== undefined);

  /** The sale waits on this device. */
  async function wait(ReceiptNumber: string, SoldAt: string) {
    const CardNumber = sale.customer?.cardNumber;
    const kept = { ReceiptNumber, SoldAt, IdStaff: given.idStaff, ...goodsOf(sale.lines) };
    await enqueue({ ...kept, ...(CardNumber && { CardNumber }) });
    given.onKept();
  }

  async function record() {
    if (busy || sale.lines.length === 0) return;
    setBusy(true);
    try {
      const ReceiptNumber = await numberOf();
      const SoldAt = sale.soldAt ?? new Date().toISOString();
      setSale((known) => ({ ...known, soldAt: SoldAt }));
      const codes = Object.keys(sale.holds);
      const fields = {
        ...{ ReceiptNumber, SoldAt, ...customerFields(sale.customer), ...goodsFields(sale.lines) },
        ...(codes.length > 0 && { VoucherCodes: codes.join(",") }),
      };
      try {
        if (!given.online) throw new TypeError("offline");
        const SentAt = new Date().toISOString();
        const sold = await withTimeout(
          browserCall(calls.postPurchase, { ...fields, SentAt } as Input<typeof calls.postPurchase>),
        );
        given.onDone({ sold, receiptNumber: ReceiptNumber, customer: sale.customer, total });
      } catch (error) {
        const failure = given.onFailure(error);
        if (failure.offline && canWait) await wait(ReceiptNumber, SoldAt);
        else if (failure.code !== "pin_required")
          given.onRefused({ kind: failure.offline ? "network" : "sale", code: "", failure });
      }
    } finally {
      setBusy(false);
    }
  }

  /** After a fault of the server: the number makes sure that the sale counts once, whatever became of the first try. */
  const keep = () => wait(sale.receiptNumber, sale.soldAt ?? new Date().toISOString());

  return { busy, record, keep: canWait ? keep : undefined };
}

function withTimeout<T>(call: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new DOMException("No response", "TimeoutError")), timeoutMs),
  );
  return Promise.race([call, late]);
}
