import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Input } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { dismissRefused, enqueue, noteAgain } from "#till/queue/sale-queue.ts";
import type { InTurn } from "#till/screen/browser/use-turns.ts";
import type { Failure } from "#till/screen/failure.ts";
import { withTimeout } from "#till/screen/failure.ts";
import type { DoneSale } from "./done.tsx";
import { goodsFields, goodsOf, totalOf } from "./goods.ts";
import type { Refused } from "./refused.tsx";
import { customerFields, type Sale, type SaleInHand, soldAtOf } from "./use-sale.ts";

/** Without a network a sale with a card, or with no one, waits on this device; one with vouchers, an exchange and a correction cannot. */
const canWait = ({ holds, customer, exchange, corrects }: Sale) =>
  Object.keys(holds).length === 0 && (!customer || customer.cardNumber !== undefined) && !exchange && !corrects;

/**
 * Records the sale in hand, with all that was scanned before the button was pressed. Number, time and content stay the
 * same through every try, so a response that was lost does no harm.
 */
export function useRecord(
  { sale, latest, setSale, numberOf }: SaleInHand,
  given: {
    online: boolean;
    idStaff: number;
    idShop: number | undefined;
    inTurn: InTurn;
    onFailure: (error: unknown) => Failure;
    onDone: (done: DoneSale) => void;
    onKept: () => void;
    onRefused: (refused: Refused) => void;
    /** Something that was scanned before was not accepted. */
    onStopped: () => void;
  },
) {
  const { t } = useTexts();
  const [busy, setBusy] = useState(false);

  /** The sale waits on this device, unless another one does under its number. */
  async function wait({ customer, lines, again }: Sale, ReceiptNumber: string, SoldAt: string) {
    const CardNumber = customer?.cardNumber;
    const kept = { ReceiptNumber, SoldAt, IdStaff: given.idStaff, ...goodsOf(lines) };
    const whose = { ...(CardNumber && { CardNumber }), ...(given.idShop && { IdShop: given.idShop }) };
    if (await enqueue({ ...kept, ...whose }, { insteadOf: again?.receiptNumber })) return given.onKept();
    if (again) await noteAgain(again.receiptNumber, undefined);
    const known = { offline: false, fault: false, code: undefined, waitSeconds: undefined };
    given.onRefused({ kind: "sale", code: "", failure: { ...known, detail: t("till.queue.numberWaits") } });
  }

  async function send() {
    const ReceiptNumber = await numberOf();
    const sale = latest.current;
    const SoldAt = soldAtOf(sale);
    setSale((known) => ({ ...known, soldAt: SoldAt, sent: known.sent || given.online }));
    const { again } = sale;
    if (again) await noteAgain(again.receiptNumber, ReceiptNumber);
    const codes = Object.keys(sale.holds);
    const fields = {
      ...{ ReceiptNumber, SoldAt, ...customerFields(sale.customer), ...goodsFields(sale.lines) },
      ...(codes.length > 0 && { VoucherCodes: codes.join(",") }),
      ...(sale.exchange && { ReturnOf: JSON.stringify(sale.exchange.returnOf) }),
      ...(sale.corrects && { Corrects: sale.corrects }),
    };
    try {
      if (!given.online) throw new TypeError("offline");
      const SentAt = new Date().toISOString();
      const sold = await withTimeout(
        browserCall(calls.postPurchase, { ...fields, SentAt } as Input<typeof calls.postPurchase>),
      );
      const { customer, exchange } = sale;
      given.onDone({ sold, receiptNumber: ReceiptNumber, customer, total: totalOf(sale.lines), exchange });
      if (again) void dismissRefused(again.receiptNumber);
    } catch (error) {
      const failure = given.onFailure(error);
      // The server said no: it has not recorded it.
      if (!failure.offline && !failure.fault) setSale((known) => ({ ...known, sent: false }));
      if (failure.offline && canWait(sale)) await wait(sale, ReceiptNumber, SoldAt);
      else if (failure.code !== "pin_required")
        given.onRefused({ kind: failure.offline ? "network" : "sale", code: "", failure });
    }
  }

  function once(work: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    given.inTurn(async (formerWentWell) => {
      try {
        // A card or a voucher that was not accepted is looked at first.
        if (!formerWentWell) given.onStopped();
        else if (latest.current.lines.length > 0) await work();
      } catch (error) {
        // Neither sent nor stored on this device: the sale stays in hand.
        given.onRefused({ kind: "sale", code: "", failure: given.onFailure(error) });
      } finally {
        setBusy(false);
      }
      return true;
    });
  }

  const record = () => once(send);
  /** After a fault of the server: the number makes sure that the sale counts once, whatever became of the first try. */
  const keep = () => once(() => wait(latest.current, latest.current.receiptNumber, soldAtOf(latest.current)));

  return { busy, record, keep: canWait(sale) ? keep : undefined };
}
