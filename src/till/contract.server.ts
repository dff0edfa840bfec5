import { z } from "zod";
import { isAmount } from "#brand/amounts.ts";
import { pendingFields } from "#loyalty/ledger/contract.server.ts";
import { priceTypes } from "#loyalty/programme/line-rule.ts";
import { amount, type Endpoint, endpoint, fieldTypes, signedAmount } from "#platform/api/endpoint.server.ts";
import { holdVouchers, postPurchase, postReturn, voidSale } from "#shop/calls.ts";
import {
  catalogueAnswer,
  identified as identifiedCustomers,
  nextReward,
  pricedLine,
  purchaseAnswer,
  refunds,
  returnAnswer,
  usedVoucher,
} from "#shop/sales/answers.server.ts";
import { sellingContract } from "#shop/sales/contract.server.ts";
import { purchaseInput, saleFields } from "#shop/sales/fields.server.ts";
import { proofFields } from "#shop/sales/return/receipt-proof.server.ts";
import { signInContract } from "#till/sign-in/contract.server.ts";
import * as calls from "./calls.ts";

const identified = identifiedCustomers.shape.Customers.element;
/** A claim code names its receipt by itself. */
const { OriginalClaimCode: _, ...proofOfNumber } = proofFields;

/** A shop's call as the till spells it. */
export type AtTill<Line> = Line extends `POST shop/${infer Rest}` ? `POST till/${Rest}` : never;
export const tillLine = (line: string) => line.replace("POST shop/", "POST till/");

type TillEndpoint<E> =
  E extends Endpoint<infer Input, infer Body> ? Endpoint<Input, Body> & { access: "till staff" } : never;
type TillSelling = {
  [Line in keyof typeof sellingContract as AtTill<Line>]: TillEndpoint<(typeof sellingContract)[Line]>;
};

/** They name a customer, or a receipt of one. */
const namesCustomer = new Set<string>([holdVouchers, postPurchase, postReturn, voidSale]);

/**
 * The shop's calls with a paired device and a person instead of a key: the same fields, the same answers. The type says line
 * by line what the loop does, which TypeScript cannot follow.
 */
const tillSelling = Object.fromEntries(
  Object.entries(sellingContract).map(([line, { scopes: _, ...shops }]) => [
    tillLine(line),
    {
      ...shops,
      access: "till staff",
      refusals: [...shops.refusals, ...(namesCustomer.has(line) ? ["own_card"] : [])],
    },
  ]),
) as unknown as TillSelling;

export const tillContract = {
  ...tillSelling,
  [calls.postPurchase]: {
    ...tillSelling[calls.postPurchase],
    input: purchaseInput.extend({
      Corrects: saleFields
        .receiptNumber()
        .optional()
        .describe("A sale of today, which is voided together with this one"),
    }),
    refusals: [...tillSelling[calls.postPurchase].refusals, ...(["not_same_day", "sale_final"] as const)],
    response: purchaseAnswer.extend({
      NextReward: nextReward.describe("After this sale; null when no member was named"),
      ClaimQrSvg: z.string().optional().describe("The QR code of ClaimUrl"),
    }),
  },
  ...signInContract,
  [calls.searchByName]: endpoint({
    summary:
      "Customers who have bought or registered in this shop, by the beginning of a name. Counted and logged as look-ups by address are; vouchers are not listed.",
    access: "till staff",
    input: z.object({
      Text: fieldTypes.text(60).refine((text) => (text.match(/\p{L}/gu) ?? []).length >= 2, "invalid"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({
      Members: z.array(identified.extend({ FullName: z.string(), LastBoughtAt: z.iso.datetime().nullable() })),
      Others: z
        .array(z.object({ CustomerToken: z.string(), FullName: z.string() }))
        .describe("They have an account and are no members: they can be enrolled"),
      More: z.boolean().describe("There are more than are listed"),
    }),
    refusals: [],
  }),
  [calls.enrol]: endpoint({
    summary:
      "Makes a customer who has an account already a member, again or for the first time. The customer is told as one found by address: without card number and vouchers.",
    access: "till staff",
    input: z.object({
      Email: fieldTypes.text().optional(),
      CustomerToken: fieldTypes.text(400).optional().describe("Instead of the address: from a search by name"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({ Customers: z.array(identified) }),
    refusals: ["not_found", "card_blocked", "own_card"],
  }),
  [calls.obtainVoucher]: endpoint({
    summary:
      "Turns points into a voucher, which the customer gets by email too. The customer agrees by the card, which was scanned at this till in the last 15 minutes, or by a code that the member page shows.",
    access: "till staff",
    input: z.object({
      CustomerToken: saleFields.customerToken().describe("From till/identify"),
      IdLoyaltyReward: fieldTypes.integerId(),
      Points: fieldTypes.integerId().describe("The available points that the till shows: with others it is refused"),
      Code: fieldTypes
        .text(7)
        .transform((typed) => typed.replace(/\s/g, ""))
        .refine((typed) => /^\d{6}$/.test(typed), "invalid")
        .optional()
        .describe("Six digits of loyalty/till-code, where the card was not scanned"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({
      Voucher: identified.shape.Vouchers.element,
      Points: z.object({ Available: z.int() }),
    }),
    refusals: [
      ...(["card_needed", "card_blocked", "own_card", "not_found", "not_a_member"] as const),
      ...(["not_enough_points", "email_unconfirmed", "reward_changed", "till_code_invalid"] as const),
    ],
  }),
  [calls.listReceipts]: endpoint({
    summary:
      "The last receipts of the customer whose card is scanned, of every shop: for a return without the receipt.",
    access: "till staff",
    input: z.object({ CardNumber: saleFields.cardNumber(), LanguageIsoCode: fieldTypes.language() }),
    response: z.object({
      Name: z.string().describe("Camille L."),
      Receipts: z.array(
        z.object({
          IdShop: z.int(),
          ShopName: z.string(),
          ReceiptNumber: z.string(),
          SoldAt: z.iso.datetime(),
          Paid: amount,
          Left: amount.describe("What can still be given back"),
        }),
      ),
    }),
    refusals: ["not_found", "card_blocked"],
  }),
  [calls.undoReturn]: endpoint({
    summary:
      "Undoes a return of the same day, at the till that recorded it: the customer pays the refund again and gets the points back. Not where a voucher came back with it. Of an exchange the new sale is voided with it.",
    access: "till staff",
    input: z.object({
      ReceiptNumber: saleFields.receiptNumber().describe("Of the return, or of the exchange"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({
      Points: z.object({ Restored: z.int(), Available: z.int(), ...pendingFields, Debt: z.int() }),
      Refunds: refunds.describe("What the customer pays again"),
      Voided: returnAnswer.optional().describe("Of an exchange: what voiding the new sale gave back and took"),
    }),
    refusals: ["receipt_not_found", "return_final", "own_card", "not_same_day", "more_than_bought"],
  }),
  [calls.emailReceipt]: endpoint({
    summary:
      "Sends a sale of today of this till to the address of its customer's account, in the customer's language. Once a minute for a receipt.",
    access: "till staff",
    input: z.object({ ReceiptNumber: saleFields.receiptNumber(), LanguageIsoCode: fieldTypes.language() }),
    response: z.object({}),
    refusals: ["receipt_not_found", "email_unconfirmed"],
  }),
  [calls.countDay]: endpoint({
    summary:
      "What was counted at the end of this till's day against its receipts. Counted again, the last count stays; the shop's day in the back office shows it.",
    access: "till staff",
    input: z.object({
      Count: fieldTypes.text(6).regex(/^\d+$/, "invalid").describe("Receipts: sales and returns without voided ones"),
      Amount: fieldTypes
        .text(16)
        .refine((text) => isAmount(text.replace(/^-/, "")), "invalid")
        .describe("Sales less what was given back"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({
      Expected: z.object({ Count: z.int(), Amount: signedAmount }),
      Difference: z.object({ Count: z.int(), Amount: signedAmount }),
    }),
    refusals: [],
  }),
  [calls.readDay]: endpoint({
    summary:
      "What this till has sold and taken back today: the newest receipts, and the totals with those of each seller.",
    access: "till staff",
    input: z.object({
      All: fieldTypes.flag().optional().describe("Every receipt of the day, not the last five"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({
      Receipts: z.array(
        z.object({
          ReceiptNumber: z.string(),
          Kind: z.enum(["sale", "return", "exchange"]),
          At: z.iso.datetime(),
          Customer: z.string().nullable().describe("Camille L."),
          Tier: z.string().nullable(),
          Amount: amount.describe("Paid, or given back"),
          Points: z.int().describe("Earned, or taken"),
          Seller: z.string().nullable(),
          HasClaimCode: z.boolean().describe("Of a sale without a card"),
          Voided: z.boolean(),
          Returned: amount.describe("What of a sale was given back since"),
          Exchange: z
            .boolean()
            .describe("A sale that is one half of an exchange: both are undone together, by the other half"),
          Correctable: z
            .boolean()
            .describe("A sale that another may replace: no vouchers, nothing returned, not of an exchange"),
        }),
      ),
      Net: signedAmount.describe("Sales less what was given back; voided sales count nowhere"),
      Sales: z.int(),
      Returns: z.int(),
      Voided: z.int(),
      Sellers: z.array(
        z.object({
          IdStaff: z.int().nullable(),
          Name: z.string().nullable(),
          Sales: z.int(),
          Returns: z.int(),
          Net: amount,
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.listOtherShops]: endpoint({
    summary: "The other shops, for a receipt that one of them has sold.",
    access: "till staff",
    input: z.object({ LanguageIsoCode: fieldTypes.language() }),
    response: z.object({ Shops: z.array(z.object({ IdShop: z.int(), Name: z.string(), City: z.string() })) }),
    refusals: [],
  }),
  [calls.readCatalogue]: endpoint({
    summary: "What a line may say of itself: its price type and its codes, with their names.",
    access: "till staff",
    input: z.object({ LanguageIsoCode: fieldTypes.language() }),
    response: catalogueAnswer,
    refusals: [],
  }),
  [calls.readReceipt]: endpoint({
    summary: "A sale, what is left of it, and what a return of these lines would take and give back. Changes nothing.",
    access: "till staff",
    input: z.object({
      ReceiptNumber: saleFields.receiptNumber().optional(),
      IdShop: saleFields.shopId().optional().describe("If it was sold in another shop: then with proof"),
      ...proofOfNumber,
      ClaimCode: fieldTypes.text(32).optional().describe("Instead of a receipt number"),
      Lines: saleFields.returnedLines().optional().describe('JSON: [{ "Line": "1" }]; absent, all that is left'),
      Amount: saleFields.amount().optional(),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({
      IdShop: z.int(),
      ShopName: z.string(),
      ReceiptNumber: z.string(),
      SoldAt: z.iso.datetime(),
      Customer: z.string().nullable().describe("Camille L."),
      Member: identified
        .nullable()
        .describe("The customer as found by address, for an exchange or a correction; null when not a member"),
      Whole: z.boolean().describe("Sent as one amount, without lines: any part of it may be returned"),
      Lines: z.array(
        pricedLine.extend({
          Earns: z.boolean().describe("As sent, with PriceType and Codes"),
          PriceType: z.enum(priceTypes).optional(),
          Codes: z.array(z.string()).optional(),
          Left: amount.describe("What can still be given back"),
          Returned: z.boolean().describe("Nothing of it is left; a line that vouchers paid has 0.00 left until then"),
        }),
      ),
      Vouchers: z.array(usedVoucher),
      Earned: z.int().describe("Points, when it was sold"),
      Voidable: z.boolean().describe("Of this shop, sold today, nothing returned, not of an exchange"),
      Return: z
        .object({
          Points: z.object({ Taken: z.int(), Available: z.int(), ...pendingFields, Debt: z.int() }),
          Refunds: refunds,
          ReissuedVouchers: z.array(z.object({ Value: amount, ExpiresAt: z.iso.datetime() })),
          CancelledVouchers: z.array(z.object({ Value: amount })),
        })
        .nullable()
        .describe("What the return would do; null when nothing is left"),
    }),
    refusals: ["receipt_not_found", "more_than_bought"],
  }),
};

type TillContract = typeof tillContract;
declare module "#platform/api/api.ts" {
  interface Api extends TillContract {}
}
