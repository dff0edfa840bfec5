import { z } from "zod";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import { openEmbed, readEmbed } from "#shop/calls.ts";
import { saleFields } from "#shop/sales/fields.server.ts";

/** How many prices one call may ask about. */
const mostAmounts = 50;

export const embedContract = {
  [readEmbed]: endpoint({
    summary:
      "What the elements of /embed/cercle.js show on a page of any site: what prices earn, joining and, with a token of shop/embed as bearer, the customer.",
    access: "anyone",
    input: z.object({
      Amounts: fieldTypes
        .text(1_000)
        .transform((text) => text.split(",").slice(0, mostAmounts))
        .optional()
        .describe(`Prices, separated by commas, ${mostAmounts} at most`),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({
      Earn: z.array(
        z.object({
          Amount: z.string().describe("As sent"),
          Points: z.int().describe("By the rate of the club and the customer's status, without campaigns"),
          Text: z.string().describe("To show"),
        }),
      ),
      Join: z.object({ Text: z.string().describe("To show"), Url: z.string().describe("Where to join") }),
      Customer: z
        .object({
          Name: z.string().describe("First name and initial: Camille L."),
          Tier: z.string().describe("The name of the status"),
          PointsText: z.string().describe("The balance, to show"),
          CardNumber: z.string().describe("Thirteen digits"),
          CardLabel: z.string().describe("What the card is, for screen readers"),
          Bars: z.array(z.int()).describe("The EAN-13 of the card: widths of bars and gaps in turn, a bar first"),
        })
        .nullable()
        .describe("Of the token; null without one, and for a customer who is no member"),
    }),
    refusals: [],
    publicSeconds: 60,
  }),
  [openEmbed]: endpoint({
    summary: "A token for pages: for five minutes the elements show the customer who is signed in at the web shop.",
    access: "key",
    scopes: ["sub"],
    input: z.object({ Sub: saleFields.sub(), LanguageIsoCode: fieldTypes.language() }),
    response: z.object({
      EmbedToken: z
        .string()
        .describe("For data-token of the script; it reads name, status, points and card, and no more"),
      ExpiresAt: z.iso.datetime().describe("Five minutes from now"),
    }),
    refusals: ["not_found"],
  }),
};
