import { randomInt } from "node:crypto";
import { codeAlphabet, codeLength } from "./code-alphabet.ts";

/** The EAN-13 range reserved for use inside a shop. */
const prefix = "29";

/** A card number that cannot be guessed from another: ten random digits between the prefix and the check digit. */
export function generateCardNumber(): string {
  return cardNumberOf(randomInt(1e10));
}

/** The card number of a number below 10^10: the prefix, ten digits, the check digit. */
export function cardNumberOf(number: number): string {
  const digits = `${prefix}${String(number).padStart(10, "0")}`;
  return `${digits}${checkDigit(digits)}`;
}

/** The check digit of EAN-13 for the twelve digits before it: weights 1 and 3 in turn, completed to the next ten. */
export function checkDigit(twelve: string): number {
  const sum = [...twelve].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}

const randomCode = (length: number) =>
  Array.from({ length }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");

export const generateVoucherCode = () => randomCode(codeLength);

export const generateClaimCode = () => `A${randomCode(codeLength - 1)}`;
