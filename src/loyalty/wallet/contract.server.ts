import { z } from "zod";
import { passToApple, passToGoogle, readPass, readWallets, saveToApple, saveToGoogle } from "#loyalty/calls.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";

const passToken = z.object({ Token: fieldTypes.text(128), LanguageIsoCode: fieldTypes.language() });

export const walletContract = {
  [readWallets]: endpoint({
    summary: "The wallets a card can be put into here, and the way to the page on a phone.",
    access: "anyone",
    input: z.object({ LanguageIsoCode: fieldTypes.language() }),
    response: z.object({ Google: z.boolean(), Apple: z.boolean(), Url: z.string(), QrSvg: z.string() }),
    refusals: [],
    publicSeconds: 60,
  }),
  [saveToGoogle]: endpoint({
    summary:
      "A link that puts the member's card into Google Wallet; from then on changes of points and status reach it.",
    access: "customer",
    input: z.object({}),
    response: z.object({ SaveUrl: z.url() }),
    refusals: ["not_a_member", "not_configured"],
  }),
  [saveToApple]: endpoint({
    summary:
      "The member's card as a signed pass for Apple Wallet; its phone then asks for changes by Apple's own protocol.",
    access: "customer",
    input: z.object({}),
    response: z.string().meta({ format: "binary" }),
    responseType: "application/vnd.apple.pkpass",
    refusals: ["not_a_member", "not_configured"],
  }),
  [readPass]: endpoint({
    summary: "The card of a customer whom a shop has just registered, by the token of the till's QR code.",
    access: "anyone",
    input: passToken,
    response: z.object({
      Name: z.string(),
      Points: z.int(),
      Tier: z.object({ Rank: z.int(), Name: z.string() }),
      CardNumber: z.string(),
      BarcodeSvg: z.string(),
    }),
    refusals: ["link_expired"],
  }),
  [passToGoogle]: endpoint({
    summary: "A link that puts that card into Google Wallet.",
    access: "anyone",
    input: passToken,
    response: z.object({ SaveUrl: z.url() }),
    refusals: ["link_expired", "not_a_member", "not_configured"],
  }),
  [passToApple]: endpoint({
    summary: "That card as a signed pass for Apple Wallet.",
    access: "anyone",
    input: passToken,
    response: z.string().meta({ format: "binary" }),
    responseType: "application/vnd.apple.pkpass",
    refusals: ["link_expired", "not_a_member", "not_configured"],
  }),
};
