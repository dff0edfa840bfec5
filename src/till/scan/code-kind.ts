import { isCardNumber } from "#loyalty/card/card-number.ts";
import { claimCode, voucherCode } from "#loyalty/card/code-alphabet.ts";

/** What a scanned or typed text is, by its shape alone. */
export interface ReadCode {
  kind: "card" | "invalid-card" | "voucher" | "claim" | "email" | "phone" | "receipt" | "name" | "unknown";
  /** As the API takes it. */
  value: string;
}

/**
 * Sorts a text: a card, a voucher, the claim code of a receipt or its address, an email address, a phone, a receipt, a name.
 * A receipt number has a digit: a word is never one. The beginning of a card number is none either.
 */
export function codeKind(text: string): ReadCode {
  const typed = text.trim();
  const compact = withoutHyphens(typed.replace(/\s/g, "")).toUpperCase();
  if (/^29\d{11}$/.test(compact)) return { kind: isCardNumber(compact) ? "card" : "invalid-card", value: compact };
  if (/^29\d{6,12}$/.test(compact)) return { kind: "invalid-card", value: compact };
  if (voucherCode.test(compact)) return { kind: "voucher", value: compact };
  const claimed = /^HTTPS?:\/\/.*\/R\/(\w+)\/?$/.exec(compact)?.[1] ?? compact;
  if (claimCode.test(claimed)) return { kind: "claim", value: claimed };
  if (typed.includes("@")) return { kind: "email", value: typed };
  if (isPhone(typed)) return { kind: "phone", value: typed };
  // A number that a till has made is typed in small letters too; those of cash registers are as they are printed.
  if (/^T-\w{6}-\d{6}$/.test(compact)) return { kind: "receipt", value: compact };
  if (/^(?=.*\d)[\w./-]{1,40}$/.test(typed)) return { kind: "receipt", value: typed };
  if (/^\p{L}[\p{L}\p{M}'’. -]*\p{L}\.?$/u.test(typed)) return { kind: "name", value: typed };
  return { kind: "unknown", value: typed };
}

/**
 * Whether it may be a card or a voucher of a club that has moved here: what has the shape of a receipt, but not of a number
 * that a till makes, and a scan of anything but the product's own codes, for no one scans a name.
 */
export function mayBeFormer({ kind, value }: ReadCode, scanned: boolean): boolean {
  if (!/^[\w-]{4,32}$/.test(value) || /^T-\w{6}-\d{6}$/.test(value)) return false;
  return kind === "receipt" || kind === "invalid-card" || (scanned && (kind === "phone" || kind === "name"));
}

/**
 * Without a network, whether such a scan is taken for a card: the sale names it, and the server knows later whose it is. One
 * of the product's own that was misread is none, and in a sale what has the shape of a receipt is the number of the sale.
 */
export const isFormerCard = (code: ReadCode, { scanned, selling }: { scanned: boolean; selling: boolean }): boolean =>
  scanned && mayBeFormer(code, scanned) && code.kind !== "invalid-card" && !(selling && code.kind === "receipt");

/** People write a long code in groups of four. A receipt's number has its hyphens elsewhere, or no letter. */
function withoutHyphens(text: string): string {
  return /^(?=.*[A-Z])\w{4}-\w{4}-\w{4}$/i.test(text) ? text.replaceAll("-", "") : text;
}

/** +33 6…, 0033 6…, 06 …: no number begins with 0 after these, so a receipt 00004711 is none. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return /^(\+|00|0)\s*[1-9][\d\s()./-]*$/.test(text) && digits >= 8 && digits <= 15;
}
