import type { RefObject } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { codeKind, isFormerCard, mayBeFormer } from "#till/scan/code-kind.ts";
import { signal } from "#till/screen/browser/signals.ts";
import type { Refused } from "#till/screen/sale/refused.tsx";
import { listedAs, type Member, type SaleInHand } from "#till/screen/sale/use-sale.ts";
import { type Failure, failureText, withTimeout } from "./failure.ts";
import { isSelling, type View } from "./view.ts";

interface Named {
  CardNumber?: string;
  Email?: string;
  MobilePhone?: string;
  VoucherCode?: string;
  Code?: string;
}

/** What a scanned or typed code means for the sale in hand. Each function says whether it led to what was meant. */
export function useCodes(
  { latest, change, take, giveBack }: SaleInHand,
  given: {
    view: Readonly<RefObject<View>>;
    online: boolean;
    /** A club has moved here whose codes have shapes of their own. */
    formerCodes: boolean;
    onFailure: (error: unknown) => Failure;
    onOnline: () => void;
    onGoTo: (view: View) => void;
    onNotice: (notice: string | undefined) => void;
    onRefused: (refused: Refused) => void;
  },
) {
  const { view, onFailure, onGoTo, onNotice } = given;
  const { t } = useTexts();

  function askForNetwork(): false {
    onNotice(t("till.needsNetwork"));
    return false;
  }

  async function takeVoucher(code: string): Promise<boolean> {
    return given.online ? hold(code) : askForNetwork();
  }

  async function hold(code: string): Promise<boolean> {
    try {
      await take(code);
      onNotice(undefined);
      return true;
    } catch (error) {
      const failure = onFailure(error);
      if (failure.offline) return askForNetwork();
      // The token of a voucher that was listed too long ago.
      if (failure.code === "invalid") onNotice(t("till.listedTooLongAgo"));
      else if (failure.code !== "pin_required") given.onRefused({ kind: "voucher", code, failure });
      return false;
    }
  }

  /** The sale is this customer's. Another person's vouchers are given back. */
  function sellTo(
    member: Member | undefined,
    cardNumber: string | undefined,
    scanned: boolean,
    vouchers: string[] = [],
  ) {
    if (latest.current.customer) void giveBack(Object.keys(latest.current.holds));
    // As the server lists them: to a till that was shown the card or a voucher.
    const vouchersListed = cardNumber !== undefined || vouchers.length > 0;
    change({ customer: { cardNumber, member, scanned, vouchersListed, foundAt: new Date() }, scanned: vouchers });
    onGoTo({ name: "sale" });
    return true;
  }

  async function find(named: Named, scanned: boolean): Promise<boolean> {
    const { CardNumber, VoucherCode } = named;
    try {
      const fields = { ...named, EntryMode: scanned ? ("scanned" as const) : ("typed" as const) };
      const { Customers } = await withTimeout(browserCall(calls.identify, fields));
      given.onOnline();
      const [only, ...more] = Customers;
      if (!only || more.length > 0) {
        onGoTo({ name: "choose", members: Customers });
        return false;
      }
      sellTo(only, CardNumber, scanned, VoucherCode ? [VoucherCode] : []);
      return VoucherCode ? hold(VoucherCode) : true;
    } catch (error) {
      const failure = onFailure(error);
      if (failure.offline && CardNumber) {
        sellTo(undefined, CardNumber, scanned);
        return true;
      }
      if (failure.offline) return askForNetwork();
      if (failure.code === "not_found") {
        signal("refused");
        onNotice(t(CardNumber ? "till.unknownCard" : VoucherCode ? "till.unknownVoucher" : "till.unknownPerson"));
      } else if (failure.code !== "pin_required") onNotice(failureText(failure, t));
      return false;
    }
  }

  /** A code of a shape that this till does not know, or knows as another thing: the server says what it is. */
  async function findFormer(Code: string, scanned: boolean): Promise<boolean | "offline" | undefined> {
    try {
      const fields = { Code, EntryMode: scanned ? ("scanned" as const) : ("typed" as const) };
      const { Customers, FoundBy } = await withTimeout(browserCall(calls.identify, fields));
      given.onOnline();
      if (FoundBy === "card") return sellTo(Customers[0], Code, scanned);
      if (FoundBy !== "voucher") return undefined;
      const code = Code.toUpperCase();
      if (latest.current.customer) return addVoucher(code, scanned);
      sellTo(Customers[0], undefined, scanned, [code]);
      return hold(code);
    } catch (error) {
      const failure = onFailure(error);
      if (failure.offline) return "offline";
      if (failure.code === "not_found") return undefined;
      if (failure.code !== "pin_required") onNotice(failureText(failure, t));
      return false;
    }
  }

  async function addVoucher(code: string, byScanner: boolean): Promise<boolean> {
    const { customer, scanned, holds } = latest.current;
    if (!customer) return find({ VoucherCode: code }, byScanner);
    // The one that was refused is not asked for again.
    const refused = view.current.name === "refused" ? view.current.refused.code : undefined;
    onGoTo({ name: "sale" });
    if (holds[listedAs(latest.current, code)]) return true;
    change({ scanned: [...new Set([...scanned.filter((one) => one !== refused), code])] });
    return takeVoucher(code);
  }

  /** The number that the cash register printed for this sale; what was held for the former number is held for this one. */
  async function renumber(receiptNumber: string): Promise<boolean> {
    const { holds, sent, receiptNumber: former } = latest.current;
    if (former === receiptNumber) return true;
    if (sent) {
      // Under another number it might count twice.
      signal("refused");
      // A refusal says so already.
      if (view.current.name !== "refused") onNotice(t("till.numberStays", { number: former }));
      return false;
    }
    const codes = Object.keys(holds);
    if (!(await giveBack(codes))) return askForNetwork();
    change({ receiptNumber });
    onGoTo({ name: "sale" });
    const taken = await Promise.all(codes.map(takeVoucher));
    return taken.every(Boolean);
  }

  async function enter(text: string, scanned: boolean): Promise<boolean> {
    const { kind, value } = codeKind(text);
    if (given.formerCodes && mayBeFormer({ kind, value }, scanned)) {
      const found = given.online ? await findFormer(value, scanned) : "offline";
      if (typeof found === "boolean") return found;
      if (found === "offline" && isFormerCard({ kind, value }, { scanned, selling: isSelling(view.current) }))
        return sellTo(undefined, value, scanned);
    }
    if (kind === "card") return find({ CardNumber: value }, scanned);
    if (kind === "email") return find({ Email: value }, scanned);
    if (kind === "phone") return find({ MobilePhone: value }, scanned);
    if (kind === "voucher") return addVoucher(value, scanned);
    if (kind === "receipt" && isSelling(view.current)) return renumber(value);
    // Else a person brings something back.
    if (kind === "receipt" || kind === "claim") {
      onGoTo({ name: "return", receipt: kind === "claim" ? { ClaimCode: value } : { ReceiptNumber: value } });
      return false;
    }
    signal("refused");
    onNotice(t(kind !== "invalid-card" ? "till.unknownCode" : scanned ? "till.misread" : "till.cardDigits"));
    return false;
  }

  return { enter, find, takeVoucher, sellTo };
}
