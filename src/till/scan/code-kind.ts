/** What a scanned or typed text is, by its shape alone. */
export interface ReadCode {
  kind: "card" | "invalid-card" | "voucher" | "claim" | "email" | "phone" | "receipt" | "unknown";
  /** As the API takes it. */
  value: string;
}

/** The alphabet of vouchers and claim codes, as src/loyalty/card/card.server.ts draws them. */
const letters = "[23456789BCDFGHJKMNPQRSTVWXZ]";
const voucher = new RegExp(`^${letters}{12}$`);
const claim = new RegExp(`^A${letters}{11}$`);

/** Sorts a text: a card, a voucher, the claim code of a receipt or its address, an email address, a phone, a receipt. */
export function codeKind(text: string): ReadCode {
  const typed = text.trim();
  const compact = typed.replace(/\s/g, "").toUpperCase();
  if (/^29\d{11}$/.test(compact)) return { kind: hasCheckDigit(compact) ? "card" : "invalid-card", value: compact };
  if (voucher.test(compact)) return { kind: "voucher", value: compact };
  const claimCode = /^HTTPS?:\/\/.*\/R\/(\w+)\/?$/.exec(compact)?.[1] ?? compact;
  if (claim.test(claimCode)) return { kind: "claim", value: claimCode };
  if (typed.includes("@")) return { kind: "email", value: typed };
  if (isPhone(typed)) return { kind: "phone", value: typed };
  if (/^[\w./-]{1,40}$/.test(typed)) return { kind: "receipt", value: typed };
  return { kind: "unknown", value: typed };
}

/** Weights 1 and 3 in turn: with its check digit the sum of an EAN-13 ends in 0. */
function hasCheckDigit(ean: string): boolean {
  const sum = [...ean].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** +33 6…, 0033 6…, 06 …: no number begins with 0 after these, so a receipt 00004711 is none. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return /^(\+|00|0)\s*[1-9][\d\s()./-]*$/.test(text) && digits >= 8 && digits <= 15;
}
