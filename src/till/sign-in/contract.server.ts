import { z } from "zod";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import * as calls from "#till/calls.ts";
import { pairingCode } from "#till/pairing/pairing-code.server.ts";

const person = z.object({ IdStaff: z.int(), Name: z.string() });
const nothing = z.object({});
const byPin = {
  IdStaff: fieldTypes.integerId(),
  Pin: fieldTypes
    .text(6)
    .regex(/^\d{6}$/, "invalid")
    .describe("Six digits"),
  LanguageIsoCode: fieldTypes.language(),
};

/** Which shop a browser is the till of, and who is signed in there. */
export const signInContract = {
  [calls.readState]: endpoint({
    summary: "What the till screen opens with: which shop and till it is, who works here, who is signed in.",
    access: "anyone",
    input: z.object({ LanguageIsoCode: fieldTypes.language() }),
    response: z.object({
      Paired: z.boolean(),
      Revoked: z.boolean().describe("It was a till until head office took it out of use; false for one that never was"),
      IdShop: z.int().nullable(),
      ShopName: z.string().nullable(),
      ShopCity: z.string().nullable(),
      TillName: z.string().nullable(),
      Staff: z.array(
        person.extend({
          Locked: z.boolean().describe("After five wrong PINs on this device"),
          MayUnpair: z.boolean().describe("May take the till out of use, by PIN"),
          PinMark: z.string().describe("Changes when the PIN is replaced; tells nothing about it"),
        }),
      ),
      SignedIn: person.nullable(),
      IdleSeconds: z.int().describe("After so long without a call a PIN is asked for again"),
      FormerCodes: z
        .boolean()
        .describe(
          "Another club has moved here: a code of an unknown shape may be its card or voucher, and is sent as Code",
        ),
    }),
    refusals: [],
  }),
  [calls.pair]: endpoint({
    summary: "Makes this browser a till of the shop that the code is for. The code works once, for ten minutes.",
    access: "anyone",
    input: z.object({
      Code: pairingCode(),
      TillName: fieldTypes.text(40).optional(),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({ IdShop: z.int(), ShopName: z.string(), TillName: z.string() }),
    refusals: ["pairing_invalid"],
  }),
  [calls.unpair]: endpoint({
    summary: "This browser is no till any more. Needs the PIN of an owner, or of a person who runs the shop.",
    access: "till staff",
    input: z.object(byPin),
    response: nothing,
    refusals: ["wrong_pin", "pin_last_try", "pin_locked", "forbidden"],
  }),
  [calls.signIn]: endpoint({
    summary: "Signs a person in on this till by PIN. Five wrong ones lock that person out of this device.",
    access: "till",
    input: z.object(byPin),
    response: person,
    refusals: ["wrong_pin", "pin_last_try", "pin_locked"],
  }),
  [calls.lock]: endpoint({
    summary: "Signs out the person who is signed in on this till.",
    access: "till",
    input: z.object({ LanguageIsoCode: fieldTypes.language() }),
    response: nothing,
    refusals: [],
  }),
};
