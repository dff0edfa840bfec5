import { expect, test } from "vitest";
import { generateClaimCode, generateVoucherCode } from "#loyalty/card/card.server.ts";
import { cardNumberOf } from "#loyalty/card/card-number.ts";
import { codeKind, isFormerCard, mayBeFormer } from "./code-kind.ts";

const card = cardNumberOf(123_456_789);
const wrongDigit = `${card.slice(0, 12)}${(Number(card[12]) + 1) % 10}`;

test.each([
  [card, "card", card],
  [` ${card}\n`, "card", card],
  [card.replace(/(\d{4})/g, "$1 "), "card", card],
  [wrongDigit, "invalid-card", wrongDigit],
  // Two digits of 2912345678937 are exchanged: EAN-13's own check digit is still right.
  ["2932145678937", "invalid-card", "2932145678937"],
  ["QK4TB7XW2HPD", "voucher", "QK4TB7XW2HPD"],
  ["qk4tb7xw2hpd", "voucher", "QK4TB7XW2HPD"],
  ["QK4T B7XW 2HPD", "voucher", "QK4TB7XW2HPD"],
  ["QK4T-B7XW-2HPD", "voucher", "QK4TB7XW2HPD"],
  ["qk4t - b7xw - 2hpd", "voucher", "QK4TB7XW2HPD"],
  ["AK4T-B7XW-2HPD", "claim", "AK4TB7XW2HPD"],
  ["AK4TB7XW2HPD", "claim", "AK4TB7XW2HPD"],
  ["ak4tb7xw2hpd", "claim", "AK4TB7XW2HPD"],
  ["https://cercle.example/r/AK4TB7XW2HPD", "claim", "AK4TB7XW2HPD"],
  ["https://cercle.example/de/r/AK4TB7XW2HPD/", "claim", "AK4TB7XW2HPD"],
  ["https://cercle.example/r/QK4TB7XW2HPD", "unknown", "https://cercle.example/r/QK4TB7XW2HPD"],
  ["https://elsewhere.example/", "unknown", "https://elsewhere.example/"],
  ["lea@exemple.fr", "email", "lea@exemple.fr"],
  [" Lea.Martin+club@exemple.fr ", "email", "Lea.Martin+club@exemple.fr"],
  ["t-bcdfgh-000123", "receipt", "T-BCDFGH-000123"],
  ["k-4711/b", "receipt", "k-4711/b"],
  ["06 12 34 50 01", "phone", "06 12 34 50 01"],
  ["0612345001", "phone", "0612345001"],
  ["+33 6 12 34 50 01", "phone", "+33 6 12 34 50 01"],
  ["+33 (0)6 12.34.50-01", "phone", "+33 (0)6 12.34.50-01"],
  ["0049 151 23456789", "phone", "0049 151 23456789"],
  ["030/1234567", "phone", "030/1234567"],
  ["L2-004817", "receipt", "L2-004817"],
  ["4711", "receipt", "4711"],
  ["K4-00-B7XW2H", "receipt", "K4-00-B7XW2H"],
  ["4829-3356-7742", "receipt", "4829-3356-7742"],
  ["00004711", "receipt", "00004711"],
  ["0612345", "receipt", "0612345"],
  ["T-BCDFGH-000123", "receipt", "T-BCDFGH-000123"],
  // 13 digits of an article are no card, and no one's receipt either; the server says so.
  ["4006381333931", "receipt", "4006381333931"],
  ["7".repeat(40), "receipt", "7".repeat(40)],
  ["7".repeat(41), "unknown", "7".repeat(41)],
  // A word is no receipt number, and twelve of thirteen digits are no voucher.
  ["laurent", "name", "laurent"],
  ["d’Argent", "name", "d’Argent"],
  ["L", "unknown", "L"],
  ["293456782345", "invalid-card", "293456782345"],
  ["29345678", "invalid-card", "29345678"],
  ["290012", "receipt", "290012"],
  ["", "unknown", ""],
  ["Léa Martin", "name", "Léa Martin"],
])("%j is a %s", (text, kind, value) => {
  expect(codeKind(text)).toEqual({ kind, value });
});

test("every code that the product draws is told apart", () => {
  for (let number = 0; number < 500; number += 1) {
    expect(codeKind(cardNumberOf(number * 7_919)).kind).toBe("card");
    expect(codeKind(generateVoucherCode()).kind).toBe("voucher");
    expect(codeKind(generateClaimCode()).kind).toBe("claim");
  }
});

test.each([
  ["ATELIER-004182", true, true],
  ["0041829977", true, false],
  ["2934567823", true, true],
  ["NOELDEUXMILLE", true, false],
  [card, false, false],
  ["QK4TB7XW2HPD", false, false],
  ["T-BCDFGH-000123", false, false],
  ["lea@exemple.fr", false, false],
])("%s may be a code of a former club: scanned %s, typed %s", (text, scanned, typed) => {
  expect([mayBeFormer(codeKind(text), true), mayBeFormer(codeKind(text), false)]).toEqual([scanned, typed]);
});

test.each([
  ["ATELIER-004182", true, false],
  ["0041829977", true, true],
  [wrongDigit, false, false],
  ["T-BCDFGH-000123", false, false],
])(
  "without a network a scan of %s is a card of a former club: outside a sale %s, in one %s",
  (text, outside, inSale) => {
    const scanned = (selling: boolean) => isFormerCard(codeKind(text), { scanned: true, selling });
    expect([scanned(false), scanned(true)]).toEqual([outside, inSale]);
    expect(isFormerCard(codeKind(text), { scanned: false, selling: false })).toBe(false);
  },
);
