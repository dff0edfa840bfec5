import { z } from "zod";
import { pendingFields } from "#loyalty/ledger/contract.server.ts";
import { voucherStates } from "#loyalty/rewards/voucher-states.ts";
import * as calls from "#office/customers/calls.ts";
import { correctedFields, timelineFilters, timelineTypes } from "#office/customers/choices.ts";
import { language } from "#office/fields.server.ts";
import { endpoint, fieldTypes, money } from "#platform/api/endpoint.server.ts";
import { moment, oneOf, customerRoles as roles, waitingRequest } from "./fields.server.ts";

const correctedValue = z.union([z.string(), z.boolean()]).nullable();
const state = z.enum(["member", "left", "none"]);

const wide = () =>
  fieldTypes
    .flag()
    .optional()
    .describe("Similar names and addresses too, where others are found; always where none is");

/** Customers: finding them, their record and their timeline. */
export const customersContract = {
  [calls.findCustomers]: endpoint({
    summary:
      "Customers by card, email, phone, receipt, voucher or the beginning of a name; all of them without a search. Each page read is in the audit log; 300 an hour for a person.",
    access: "staff",
    roles,
    input: z.object({
      Search: fieldTypes.text(120).optional(),
      Wide: wide(),
      Cursor: fieldTypes.text(1_000).optional().describe("NextCursor of the page before"),
      ...language,
    }),
    response: z.object({
      Customers: z.array(
        z.object({
          IdCustomer: z.int(),
          Firstname: z.string(),
          Lastname: z.string(),
          Email: z.string(),
          MobilePhone: z.string().nullable(),
          CardNumber: z.string().nullable(),
          State: state,
          Tier: z.string().nullable(),
          Points: z.int().nullable(),
          Blocked: z.boolean(),
          Similar: z.boolean().describe("Not found by what was typed, but by a part of it or with a typing error"),
          CreatedAt: moment(),
        }),
      ),
      NextCursor: z.string().nullable(),
    }),
    refusals: [],
  }),
  [calls.customersCsv]: endpoint({
    summary: "The same list as a file. The header X-Estimated-Rows says about how many rows come.",
    access: "staff",
    roles,
    fresh: true,
    input: z.object({ Search: fieldTypes.text(120).optional(), Wide: wide(), ...language }),
    response: z.string(),
    responseType: "text/csv",
    refusals: [],
  }),
  [calls.readCustomer]: endpoint({
    summary: "The record of one customer. That it was read stands in the audit log, once in a quarter of an hour.",
    access: "staff",
    roles,
    input: z.object({ IdCustomer: fieldTypes.id(), ...language }),
    response: z.object({
      IdCustomer: z.int(),
      Email: z.string(),
      EmailVerified: z.boolean(),
      PendingEmail: z.string().nullable().describe("The address that waits for its confirmation"),
      NewsletterSubscribe: z.boolean(),
      NewsletterSmsSubscribe: z.boolean(),
      Firstname: z.string(),
      Lastname: z.string(),
      Civility: z.enum(["M", "Mme"]).nullable(),
      Birthday: z.iso.date().nullable(),
      MobilePhone: z.string().nullable(),
      LanguageIsoCode: z.enum(["fr", "en", "de"]),
      Origin: z.string(),
      CreatedAt: moment(),
      LastSeenAt: moment(),
      BlockedAt: moment().nullable(),
      MergedAccounts: z.int(),
      State: state,
      MemberSince: moment().nullable(),
      CardNumber: z.string().nullable(),
      Tier: z.object({ Rank: z.int(), Name: z.string(), Until: z.iso.date().nullable() }).nullable(),
      TierMonths: z.int().describe("The tier follows the points earned in so many months"),
      NextTier: z.object({ Name: z.string(), PointsRequired: z.int(), PointsMissing: z.int() }).nullable(),
      Points: z.object({
        Available: z.int(),
        ...pendingFields,
        Value: money,
        Debt: z.int(),
        EarnedLast12Months: z.int(),
        ByExpiry: z.array(z.object({ Month: z.string(), Points: z.int() })),
      }),
      Vouchers: z.array(
        z.object({
          IdCustomerReward: z.int(),
          Code: z.string().describe("Its last four characters: the code is money, and the customer's"),
          Value: money,
          ObtainedAt: moment(),
          ExpiresAt: moment(),
          State: z.enum(voucherStates),
          UsedAt: moment().nullable(),
          ShopName: z.string().nullable(),
          ReceiptNumber: z.string().nullable(),
        }),
      ),
      Last12Months: z.object({ Receipts: z.int(), Amount: money, Returns: z.int() }),
      Sessions: z.array(
        z.object({
          IdSession: z.int(),
          Current: z.boolean(),
          Device: z.string().nullable(),
          Network: z.string().nullable(),
          SocialProvider: z.string().nullable(),
          CreatedAt: moment(),
          LastSeenAt: moment(),
          ExpiresAt: moment(),
        }),
      ),
      Consents: z.array(
        z.object({ Subject: z.enum(["newsletter", "sms", "loyalty"]), Given: z.boolean(), At: moment() }),
      ),
      Passes: z.object({ Google: z.boolean(), ApplePhones: z.int() }),
      Requests: z.array(z.object(waitingRequest)),
      Free: z
        .object({ Points: z.int(), Cents: z.int() })
        .describe("What the caller may still give or take today without a second person"),
      Notes: z
        .array(z.object({ At: moment(), By: z.string().nullable(), Text: z.string() }))
        .describe("The latest five, the newest first"),
      AddedExpireAt: moment().describe("When points expire that are added now"),
      AdjustmentTexts: z.array(z.string()).describe("Ready-made texts for adjustments, in the customer's language"),
      Rewards: z.array(z.object({ IdLoyaltyReward: z.int(), Name: z.string(), Points: z.int(), Value: money })),
    }),
    refusals: ["not_found"],
  }),
  [calls.readTimeline]: endpoint({
    summary: "Everything that happened to one customer, the newest first, thirty entries a page.",
    access: "staff",
    roles,
    input: z.object({
      IdCustomer: fieldTypes.id(),
      Show: oneOf(timelineFilters).default("all"),
      Cursor: fieldTypes.text(400).optional().describe("NextCursor of the page before"),
      ...language,
    }),
    response: z.object({
      Entries: z.array(
        z.object({
          IdEntry: z.string(),
          At: moment(),
          Type: z.enum(timelineTypes),
          Kind: z.string().nullable(),
          Label: z.string().nullable(),
          Points: z.int().nullable(),
          Balance: z.int().nullable(),
          ExpiresAt: moment().nullable(),
          VoucherCode: z.string().nullable(),
          UsedAt: moment().nullable(),
          ShopName: z.string().nullable(),
          IdShop: z.int().nullable().describe("Of a sale, whose receipt has a page"),
          ReceiptNumber: z.string().nullable(),
          OriginalReceiptNumber: z.string().nullable(),
          Amount: money.nullable(),
          Waiting: z.boolean(),
          Earning: z
            .object({
              Paid: money.describe("For the lines that earn, after vouchers"),
              PointsPerEuro: z.int().describe("Points for the main unit of the currency, whichever it is"),
              Multiplier: z.number().describe("Of the status on the day of the sale"),
              TierName: z.string().nullable(),
              Points: z.int().describe("Paid × PointsPerEuro × Multiplier, rounded down"),
              CampaignPoints: z.int(),
              CampaignName: z.string().nullable(),
              Taken: z.int().describe("By returns since"),
              ArrivesAt: moment().nullable().describe("While the points are pending"),
            })
            .nullable()
            .describe("How the points of a sale came about"),
          SentAt: moment().nullable(),
          RefusedAt: moment().nullable(),
          Given: z.boolean().nullable(),
          Source: z.string().nullable(),
          Device: z.string().nullable(),
          By: z.string().nullable(),
          Reason: z.string().nullable(),
          Note: z.string().nullable(),
          After: z.record(z.string(), z.unknown()).nullable(),
          Changes: z
            .array(z.object({ Field: z.enum(correctedFields), Before: correctedValue, After: correctedValue }))
            .describe("Of a correction, the values before and after"),
        }),
      ),
      NextCursor: z.string().nullable(),
    }),
    refusals: [],
  }),
};

type CustomersContract = typeof customersContract;
declare module "#platform/api/api.ts" {
  interface Api extends CustomersContract {}
}
