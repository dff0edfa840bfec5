import { randomInt } from "node:crypto";
import { fieldTypes } from "#platform/api/endpoint.server.ts";

/** Without 0 O 1 I L, which look alike. */
const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const length = 8;
const shape = new RegExp(`^[${alphabet}]{${length}}$`);

export const generatePairingCode = () => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");

/** As people type it: small letters, spaces and hyphens are fine. */
export const pairingCode = () =>
  fieldTypes
    .text(32)
    .transform((text) => text.toUpperCase().replace(/[\s-]/g, ""))
    .refine((code) => shape.test(code), "invalid")
    .describe("Eight characters");
