import { z } from "zod";
import { priceTypes } from "#loyalty/programme/line-rule.ts";
import { reasons } from "#office/customers/choices.ts";
import { integerId, language, moment } from "#office/fields.server.ts";
import { signedAmount as amount, endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import { saleFields } from "#shop/sales/fields.server.ts";
import * as calls from "./calls.ts";

const roles = ["owner", "service", "shop"] as const;
const receipt = { IdShop: integerId(), ReceiptNumber: saleFields.receiptNumber() };
const kind = z.enum(["sale", "return", "exchange", "void", "amend"]);
const sums = {
  Sales: z.int().describe("Without voided ones"),
  Returns: z.int(),
  Voids: z.int(),
  Net: amount.describe("Paid for sales, less what was given back; voided sales are apart"),
};

/** Receipts: one by one, those of a shop's day, and attaching one to a customer. The role shop sees its own alone. */
export const receiptsContract = {
  [calls.readReceipt]: endpoint({
    summary:
      "One sale: lines, voucher, points as a sum, what a return of each line would take. That it was read is in the audit log. The role shop does not learn who the customer is beyond what a till shows.",
    access: "staff",
    roles,
    input: z.object({ ...receipt, ReceiptNumber: saleFields.recordedNumber(), ...language }),
    response: z.object({
      IdShop: z.int(),
      ShopName: z.string(),
      ReceiptNumber: z.string(),
      SoldAt: moment,
      ArrivedAt: moment,
      TillName: z.string(),
      Seller: z.string().nullable(),
      Voided: z.boolean(),
      Waiting: z.boolean().describe("The points need a review"),
      Customer: z
        .object({ IdCustomer: z.int().nullable(), Name: z.string(), CardNumber: z.string().nullable() })
        .nullable(),
      Attachable: z.boolean().describe("No customer was named, and no one has claimed it"),
      Lines: z.array(
        z.object({
          ...{ Line: z.string(), Price: amount, VoucherShare: amount, Paid: amount, Returned: amount },
          Earns: z.boolean(),
          PriceType: z.enum(priceTypes).nullable().describe("As it was sent; null: not said, which is full price"),
          Codes: z.array(z.string()).describe("The names of its categories"),
        }),
      ),
      Total: z.object({ Price: amount, VoucherShare: amount, Paid: amount }),
      Vouchers: z.array(z.object({ Code: z.string(), Value: amount, Taken: amount })),
      Points: z
        .object({
          Paid: amount.describe("For the lines that earn, after vouchers"),
          PointsPerEuro: z.int().describe("Points for the main unit of the currency, whichever it is"),
          Multiplier: z.number(),
          TierName: z.string().nullable(),
          Base: z.int(),
          CampaignName: z.string().nullable(),
          CampaignPoints: z.int(),
          Total: z.int(),
          Taken: z.int().describe("By returns since"),
          ArrivesAt: moment.nullable().describe("While the points are pending"),
          ExpiresAt: moment.nullable(),
        })
        .nullable()
        .describe("Null when no member was named"),
      Returns: z.array(
        z.object({
          ...{ ReceiptNumber: z.string(), Kind: kind, At: moment, Seller: z.string().nullable() },
          ...{ Amount: amount, Points: z.int() },
        }),
      ),
      IfReturned: z
        .array(
          z.object({
            Line: z.string().nullable().describe("Null: everything that is left"),
            Refund: amount,
            Points: z.int().describe("Taken back"),
            Left: z.int().describe("Points of this receipt that stay"),
            VoucherReturns: z.boolean().describe("The voucher comes back under another code"),
          }),
        )
        .describe("By the rule of returns; empty once everything was given back"),
    }),
    refusals: ["receipt_not_found", "forbidden"],
  }),
  [calls.listReceipts]: endpoint({
    summary: "The receipts of a shop's day, with totals per till and person, and the numbers that are missing.",
    access: "staff",
    roles,
    input: z.object({ IdShop: integerId(), Day: fieldTypes.date(), ...language }),
    response: z.object({
      Day: z.iso.date(),
      Receipts: z.array(
        z.object({
          At: moment,
          ReceiptNumber: z.string(),
          Kind: kind,
          OriginalReceiptNumber: z.string().nullable(),
          OriginalIdShop: z.int().nullable(),
          TillName: z.string(),
          Seller: z.string().nullable(),
          Customer: z.string().nullable(),
          CampaignName: z.string().nullable(),
          Amount: amount.describe("Less than zero for a return"),
          Points: z.int(),
          Waiting: z.boolean(),
          VoidedAt: moment.nullable(),
        }),
      ),
      Total: z.object({
        ...sums,
        ...{ Returned: amount, Voided: amount, WithCard: z.int(), Points: z.int() },
        Vouchers: z.object({ Count: z.int(), Amount: amount }),
      }),
      Tills: z.array(z.object({ Name: z.string(), ...sums })),
      Sellers: z.array(z.object({ Name: z.string().nullable(), ...sums })),
      Counts: z
        .array(
          z.object({
            ...{ TillName: z.string(), By: z.string(), At: moment },
            Counted: z.object({ Count: z.int(), Amount: amount }),
            Expected: z.object({ Count: z.int(), Amount: amount }).describe("As the till's receipts said then"),
          }),
        )
        .describe("What was counted at the end of each till's day"),
      Missing: z.array(z.string()).describe("Numbers of a till's sequence that have not arrived, at most twenty"),
    }),
    refusals: ["not_found", "forbidden"],
  }),
  [calls.findReceipts]: endpoint({
    summary: "Receipts of sales by number, in every shop, or by the code printed on one; twenty at most.",
    access: "staff",
    roles,
    input: z.object({ Search: fieldTypes.text(120), ...language }),
    response: z.object({
      Receipts: z.array(
        z.object({ IdShop: z.int(), ShopName: z.string(), ReceiptNumber: z.string(), SoldAt: moment, Amount: amount }),
      ),
    }),
    refusals: [],
  }),
  [calls.attachReceipt]: endpoint({
    summary: "Attaches a receipt that named no customer to a member, who gets its points as by claiming it.",
    access: "staff",
    roles: ["owner", "service"],
    idempotent: true,
    input: z.object({
      ...receipt,
      IdCustomer: fieldTypes.id(),
      Reason: z.enum(reasons, { error: ({ input }) => (input === undefined ? "required" : "invalid") }),
      Note: fieldTypes.text(500).optional(),
      ...language,
    }),
    response: z.object({ Earned: z.int(), Waiting: z.boolean().describe("The points need a review") }),
    refusals: ["not_found", "receipt_not_found", "receipt_yours", "no_member", "own_card", "key_reused"],
  }),
};

type ReceiptsContract = typeof receiptsContract;
declare module "#platform/api/api.ts" {
  interface Api extends ReceiptsContract {}
}
