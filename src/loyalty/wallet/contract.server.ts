import { z } from "zod";
import { readWallets, saveToApple, saveToGoogle } from "#loyalty/calls.ts";
import { endpoint, wire } from "#platform/api/endpoint.server.ts";

export const walletContract = {
  [readWallets]: endpoint({
    summary: "The wallets a card can be put into here, and the way to the page on a phone.",
    access: "anyone",
    input: z.object({ LanguageIsoCode: wire.language() }),
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
};
