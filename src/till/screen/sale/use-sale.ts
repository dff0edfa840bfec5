import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { sumCents } from "#brand/amounts.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import type { Input, ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { nextReceiptNumber } from "#till/queue/receipt-number.ts";
import { useLatest } from "#till/screen/browser/use-latest.ts";
import type { Failure } from "#till/screen/failure.ts";
import { withTimeout } from "#till/screen/failure.ts";
import { type GoodsLine, goodsFields, totalOf } from "./goods.ts";
import { readStoredSale, storeSale } from "./stored-sale.ts";

export type Member = ResponseBody<typeof calls.identify>["Customers"][number];
type Quote = ResponseBody<typeof calls.quote>;
export type Sold = ResponseBody<typeof calls.postPurchase>;

export interface Customer {
  /** Known when a card was scanned or typed; without it a sale cannot wait for the network. */
  cardNumber: string | undefined;
  /** Absent without a network: then only the card is known. */
  member: Member | undefined;
  scanned: boolean;
  /** Found by an address or a phone, a customer's vouchers are not told. */
  vouchersListed: boolean;
  foundAt: Date;
}

export interface Voucher {
  /** What is sent for it: the code where it was scanned, else its token. */
  Code: string;
  /** What is shown of it. */
  Shown: string;
  Value: string | undefined;
  ExpiresAt: string | undefined;
  State: string;
}

export interface Sale {
  receiptNumber: string;
  customer: Customer | undefined;
  lines: GoodsLine[];
  /** Scanned vouchers that were not listed with the customer. */
  scanned: string[];
  /** Vouchers held for this receipt, and until when. */
  holds: Record<string, string>;
  /** Fixed with the first try, so that every further one is the same sale. */
  soldAt: string | undefined;
  /** It was sent, and no one knows whether it arrived: its number stays. */
  sent: boolean;
  /** The refused sale that is rung up again with this one. */
  again: Again | undefined;
  /** What the customer gives back for it. */
  exchange?: Exchange | undefined;
  /** The sale that it replaces, which is voided with it. */
  corrects?: string | undefined;
}

/** Goods that come back with a sale, and what they are worth. */
export interface Exchange {
  receiptNumber: string;
  creditCents: number;
  /** As the API takes it. */
  returnOf: object;
}

/**
 * A refused sale stays among the refused ones while it is in hand again, and leaves when the new one is recorded or kept on
 * this device. So a sale that is dropped, or a page that is loaded again, loses nothing. The new number is stored with the
 * refused sale, and the time stays that of the sale: what was recorded in the last moment before a reload is the same sale
 * when it is rung up once more, and counts once; with other goods it is refused as known.
 */
interface Again {
  receiptNumber: string;
  /** When it was sold; absent where that is too long ago. */
  soldAt: string | undefined;
}

const emptySale: Sale = {
  receiptNumber: "",
  customer: undefined,
  lines: [],
  scanned: [],
  holds: {},
  soldAt: undefined,
  sent: false,
  again: undefined,
};

/** Also while something else is looked at: what waits, a return. */
export const isInHand = ({ customer, lines, exchange }: Sale) =>
  customer !== undefined || lines.length > 0 || exchange !== undefined;

/** The moment of a first try. */
export const soldAtOf = ({ soldAt, again }: Sale) => soldAt ?? again?.soldAt ?? new Date().toISOString();

/** Waits for the typing to pause before the server is asked again. */
const quoteDelayMs = 200;

export const customerFields = (customer: Customer | undefined) =>
  customer?.cardNumber !== undefined
    ? { CardNumber: customer.cardNumber }
    : customer?.member
      ? { CustomerToken: customer.member.CustomerToken }
      : {};

/** The vouchers to show: the customer's own, then those that were scanned beside. Identify tells only the end of a code. */
export function vouchersOf({ customer, scanned }: Sale): Voucher[] {
  const own = (customer?.member?.Vouchers ?? []).map(({ Code: Shown, VoucherToken, ...voucher }) => ({
    ...voucher,
    Code: scanned.find((code) => maskedCode(code) === Shown) ?? VoucherToken,
    Shown,
  }));
  const usable = own.filter(({ State }) => State === "available" || State === "held");
  const more = scanned
    .filter((code) => !own.some(({ Code }) => Code === code))
    .map((Code) => ({ Code, Shown: Code, Value: undefined, ExpiresAt: undefined, State: "available" }));
  return [...usable, ...more];
}

/** The voucher of this code, where it is listed already: by its token, or because it was scanned before. */
export const listedAs = (sale: Sale, code: string) =>
  vouchersOf(sale).find(({ Shown }) => Shown === maskedCode(code))?.Code ?? code;

/** The sale that was in hand before the page was loaded again. */
function formerSale(): Sale | undefined {
  const sale = readStoredSale() as Sale | null;
  if (!sale) return undefined;
  const { customer } = sale;
  return { ...sale, customer: customer && { ...customer, foundAt: new Date(customer.foundAt) } };
}

/** The sale in hand. Held vouchers are given back when it is let go. Its points are asked for while the server can be. */
export function useSale(onFailure: (error: unknown) => Failure, able: boolean) {
  const [former] = useState(formerSale);
  // What it held was released when the page was left.
  const [sale, setSale, latest] = useLatest<Sale>(former ? { ...former, holds: {} } : emptySale);
  useEffect(() => storeSale(isInHand(sale) ? sale : undefined), [sale]);
  /** Vouchers of the sale that was in hand before a reload, to be held again. */
  const [formerlyHeld] = useState(() => Object.keys(former?.holds ?? {}));
  const [quoted, setQuoted] = useState<{ asked: string; quote: Quote }>();
  const change = useCallback(
    (part: Partial<Sale>) => setSale((known) => ({ ...known, ...part, soldAt: undefined })),
    [setSale],
  );

  const numberOf = useCallback(async () => {
    const known = latest.current.receiptNumber;
    if (known) return known;
    const receiptNumber = await nextReceiptNumber();
    change({ receiptNumber });
    return receiptNumber;
  }, [change, latest]);

  /** Gives vouchers back; a hold that cannot be given back now ends by itself. False where that is so. */
  const release = useCallback(async (codes: string[], receiptNumber: string): Promise<boolean> => {
    if (codes.length === 0 || !receiptNumber) return true;
    const fields = { VoucherCodes: codes.join(","), ReceiptNumber: receiptNumber };
    return withTimeout(browserCall(calls.releaseVouchers, fields)).then(
      () => true,
      () => false,
    );
  }, []);

  // What a closed page held is free at once, not after 15 minutes; a page that is loaded again holds it again.
  useEffect(() => {
    const leave = () => {
      const { receiptNumber, holds } = latest.current;
      const codes = Object.keys(holds);
      if (codes.length === 0) return;
      const fields = new FormData();
      fields.set("VoucherCodes", codes.join(","));
      fields.set("ReceiptNumber", receiptNumber);
      // The browser delivers it when the page is gone already.
      navigator.sendBeacon(`/api/${calls.releaseVouchers.split(" ")[1]}`, fields);
    };
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, [latest]);

  const take = useCallback(
    async (code: string) => {
      const ReceiptNumber = await numberOf();
      const { customer } = latest.current;
      const held = browserCall(calls.holdVouchers, { VoucherCodes: code, ReceiptNumber });
      const giveBackLate = () => void held.then(() => release([code], ReceiptNumber)).catch(() => undefined);
      const { Holds } = await withTimeout(held).catch((error) => {
        giveBackLate();
        throw error;
      });
      // Let go, or another person's, in the meantime.
      if (latest.current.receiptNumber !== ReceiptNumber || latest.current.customer !== customer) return giveBackLate();
      const until = Object.fromEntries(Holds.map(({ Code, Until }) => [Code, Until]));
      setSale((known) => ({ ...known, holds: { ...known.holds, ...until }, soldAt: undefined }));
    },
    [numberOf, release, setSale, latest],
  );

  const giveBack = useCallback(
    async (codes: string[]): Promise<boolean> => {
      const { receiptNumber } = latest.current;
      setSale((known) => ({
        ...known,
        holds: Object.fromEntries(Object.entries(known.holds).filter(([code]) => !codes.includes(code))),
        soldAt: undefined,
      }));
      return release(codes, receiptNumber);
    },
    [release, setSale, latest],
  );

  const clear = useCallback(
    ({ keepHolds = false } = {}) => {
      const { holds, receiptNumber } = latest.current;
      if (!keepHolds) void release(Object.keys(holds), receiptNumber);
      setSale(() => emptySale);
    },
    [release, setSale, latest],
  );

  const fail = useEffectEvent(onFailure);
  const { customer, lines, holds, receiptNumber } = sale;
  const codes = Object.keys(holds).join(",");
  const asked =
    lines.length === 0
      ? ""
      : JSON.stringify({
          ...customerFields(customer),
          ...goodsFields(lines),
          ...(codes && { VoucherCodes: codes, ReceiptNumber: receiptNumber }),
        });
  useEffect(() => {
    if (!asked || !able) return;
    let stale = false;
    const ask = async () => {
      try {
        const quoted = await browserCall(calls.quote, JSON.parse(asked) as Input<typeof calls.quote>);
        if (!stale) setQuoted({ asked, quote: quoted });
      } catch (error) {
        if (!stale) fail(error);
      }
    };
    const timer = setTimeout(ask, quoteDelayMs);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [asked, able]);

  // Without a network the last response still holds, while it is about this very sale.
  const quote = quoted?.asked === asked ? quoted.quote : undefined;
  const total = totalOf(lines);
  const toPayCents = quote ? sumCents(quote.Lines.map(({ Paid }) => Paid)) : total;

  return { sale, latest, setSale, quote, total, toPayCents, change, numberOf, take, giveBack, clear, formerlyHeld };
}

export type SaleInHand = ReturnType<typeof useSale>;
