import { randomInt } from "node:crypto";
import { cardNumberOf, cardNumbers } from "./card-number.ts";
import { codeAlphabet, codeLength } from "./code-alphabet.ts";

/** A card number that cannot be guessed from another. */
export const generateCardNumber = () => cardNumberOf(randomInt(cardNumbers));

const randomCode = (length: number) =>
  Array.from({ length }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");

export const generateVoucherCode = () => randomCode(codeLength);

export const generateClaimCode = () => `A${randomCode(codeLength - 1)}`;
