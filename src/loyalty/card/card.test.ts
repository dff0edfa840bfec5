import fc from "fast-check";
import { expect, test } from "vitest";
import { barcodeSvg } from "./barcode.server.ts";
import { generateCardNumber, generateVoucherCode } from "./card.server.ts";
import { cardNumberOf, cardNumbers, eanCheckDigit, innerCheckDigit, isCardNumber } from "./card-number.ts";

/** The modules of a drawing from left to right, quiet zones included: "1" is black. */
function readBars(svg: string) {
  const bars = [...svg.matchAll(/M(\d+) 0h(\d+)v60/g)]
    .slice(1)
    .map(([, x, width]) => [Number(x), Number(width)] as const);
  const width = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const modules = Array.from({ length: width }, (_, x) =>
    bars.some(([from, w]) => x >= from && x < from + w) ? "1" : "0",
  );
  return modules.join("");
}

const left = [
  "0001101",
  "0011001",
  "0010011",
  "0111101",
  "0100011",
  "0110001",
  "0101111",
  "0111011",
  "0110111",
  "0001011",
];
const parities = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"];
const inverted = (bits: string) => bits.replace(/./g, (bit) => (bit === "0" ? "1" : "0"));
const mirrored = (bits: string) => [...bits].reverse().join("");

/** Decodes an EAN-13, written from the standard. */
function scanEan13(modules: string): string {
  const body = modules.slice(11, -7);
  const halves = [body.slice(3, 45), body.slice(50, 92)].map((half) => half.match(/.{7}/g) ?? []);
  let parity = "";
  const digits = (halves[0] ?? []).map((bits) => {
    const odd = left.indexOf(bits);
    parity += odd >= 0 ? "L" : "G";
    return odd >= 0 ? odd : left.findIndex((code) => mirrored(inverted(code)) === bits);
  });
  const right = (halves[1] ?? []).map((bits) => left.findIndex((code) => inverted(code) === bits));
  return [parities.indexOf(parity), ...digits, ...right].join("");
}

test("a card number is 13 digits in the range reserved for shops, with EAN-13's check digit", () => {
  for (let n = 0; n < 500; n++) {
    const number = generateCardNumber();
    expect(number).toMatch(/^29\d{11}$/);
    expect(isCardNumber(number)).toBe(true);
    const sum = [...number].reduce((total, digit, place) => total + Number(digit) * (place % 2 ? 3 : 1), 0);
    expect(sum % 10).toBe(0);
  }
});

test("the inner check digit is that of ISO/IEC 7064, MOD 11,10", () => {
  expect(innerCheckDigit("0794")).toBe(5);
});

test.each([
  ["EAN-13's check digit", 12, eanCheckDigit],
  ["the inner check digit", 11, innerCheckDigit],
] as const)("%s detects any single wrong digit", (_, length, checkDigit) => {
  const digits = fc.stringMatching(new RegExp(`^\\d{${length}}$`));
  fc.assert(
    fc.property(digits, fc.nat(length - 1), fc.integer({ min: 1, max: 9 }), (right, place, shift) => {
      const wrong = [...right];
      wrong[place] = String((Number(right[place]) + shift) % 10);
      expect(checkDigit(wrong.join(""))).not.toBe(checkDigit(right));
    }),
  );
});

test("of readings with three wrong digits that pass EAN-13's check, the inner one refuses nine in ten", () => {
  let passed = 0;
  let refused = 0;
  for (let n = 0; n < 20_000; n++) {
    const digits = [...cardNumberOf((n * 7_919) % cardNumbers)];
    for (const place of [2 + (n % 3), 5 + (n % 4), 9 + (n % 3)])
      digits[place] = String((Number(digits[place]) + 1 + (n % 9)) % 10);
    const misread = digits.join("");
    if (eanCheckDigit(misread.slice(0, 12)) !== Number(misread[12])) continue;
    passed += 1;
    if (!isCardNumber(misread)) refused += 1;
  }
  expect(passed).toBeGreaterThan(1_000);
  expect(refused / passed).toBeGreaterThan(0.85);
});

test("a scanner reads the card's number from its bars, between quiet zones", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^29\d{10}$/), (twelve) => {
      const number = `${twelve}${eanCheckDigit(twelve)}`;
      const modules = readBars(barcodeSvg("ean13", number));
      expect(modules).toHaveLength(11 + 95 + 11);
      expect(modules.slice(0, 11) + modules.slice(-11)).toMatch(/^0+$/);
      expect(scanEan13(modules)).toBe(number);
    }),
    { numRuns: 50 },
  );
});

test("a voucher's barcode keeps its quiet zones and ends with Code 128's stop", () => {
  const modules = readBars(barcodeSvg("code128", generateVoucherCode()));
  expect(modules).toMatch(/^0{10}1.*1100011101011(0{10})$/);
});

test("barcodes contain nothing that the Content-Security-Policy would refuse", () => {
  const svg = barcodeSvg("ean13", generateCardNumber()) + barcodeSvg("code128", generateVoucherCode());
  expect(svg).not.toMatch(/style|script|on\w+=|href|class/i);
});

test("voucher codes contain no letter or digit that is easily confused", () => {
  const codes = Array.from({ length: 500 }, generateVoucherCode);
  expect(codes.every((code) => /^[2-9BCDFGHJKMNPQRSTVWXZ]{12}$/.test(code))).toBe(true);
  expect(new Set(codes).size).toBe(500);
});
