import { z } from "zod";
import { loyaltyCustomer } from "#loyalty/ledger/contract.server.ts";
import { programmeField } from "#loyalty/programme/club-fields.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import { salesContract } from "#shop/sales/contract.server.ts";
import { webhooksContract } from "#shop/webhooks/contract.server.ts";
import { readPoster, updateInShop } from "./calls.ts";
import { embedContract } from "./embed/contract.server.ts";

export const shopContract = {
  [readPoster]: endpoint({
    summary: "What the poster in the shop shows: where its QR code leads, and the code itself.",
    access: "anyone",
    input: z.object({ LanguageIsoCode: fieldTypes.language() }),
    response: z.object({
      Url: z.string(),
      QrSvg: z.string(),
      ShortUrl: z.string().describe("For people to type; it leads to Url"),
    }),
    refusals: [],
    publicSeconds: 3600,
  }),
  [updateInShop]: endpoint({
    summary: "In the shop: joins or leaves the club, and changes phone and opt-ins, of the bearer alone.",
    access: "customer",
    input: z.object({
      Email: fieldTypes.text().optional().describe("If given, the bearer's own"),
      IdCustomer: fieldTypes.id().optional().describe("If given, the bearer's own"),
      MobilePhone: fieldTypes.text(32).optional(),
      NewsletterSubscribe: fieldTypes.flag().optional(),
      NewsletterSmsSubscribe: fieldTypes.flag().optional(),
      LoyaltySubscribe: fieldTypes.flag().optional().describe("true joins, false leaves"),
      IdLoyaltyProgram: programmeField(),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: loyaltyCustomer,
    refusals: ["forbidden", "not_found"],
  }),
  ...salesContract,
  ...webhooksContract,
  ...embedContract,
};

type ShopContract = typeof shopContract;
declare module "#platform/api/api.ts" {
  interface Api extends ShopContract {}
}
