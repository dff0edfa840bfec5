import { randomInt } from "node:crypto";

/** The range of EAN-13 kept for shops' own use. */
const prefix = "29";

/** A card number nobody can guess from another: ten random digits between the prefix and the check digit. */
export function drawCardNumber(): string {
  const digits = `${prefix}${String(randomInt(1e10)).padStart(10, "0")}`;
  return `${digits}${checkDigit(digits)}`;
}

/** EAN-13's check digit for the twelve before it: weights 1 and 3 in turn, up to the next ten. */
export function checkDigit(twelve: string): number {
  const sum = [...twelve].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}

/** Without 0, O, 1, I and L, which hands and eyes confuse, and without vowels, which could make a word. */
const codeAlphabet = "23456789BCDFGHJKMNPQRSTVWXZ";
const codeLength = 12;

export function drawVoucherCode(): string {
  return Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
}
