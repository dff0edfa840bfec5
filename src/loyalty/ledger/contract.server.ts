import { z } from "zod";
import { readHistory, readLoyalty } from "#loyalty/calls.ts";
import { clubQuery } from "#loyalty/programme/club-fields.server.ts";
import { referral } from "#loyalty/programme/contract.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { decodeCursor } from "#platform/api/cursor.server.ts";
import { endpoint, fieldTypes, money } from "#platform/api/endpoint.server.ts";
import { entryKinds } from "./ledger.tables.server.ts";

export const pointsLeft = z.object({ Available: z.int() });

/** Points of purchases that have not arrived yet; in every response that tells a customer's points. */
export const pendingFields = {
  Pending: z.int().describe("Points of purchases that arrive later; they cannot be spent yet"),
  NextPending: z
    .object({ Points: z.int().describe("How many arrive"), Date: z.iso.date().describe("The day they arrive") })
    .nullable()
    .describe("Those that arrive next; null: none are pending"),
};

export const loyaltyCustomer = z.object({
  IdCustomer: z.int(),
  IdLoyaltyProgram: z.literal(defaultProgrammeId),
  LoyaltyCustomerState: z.boolean(),
  MemberSince: z.iso.datetime().nullable(),
  WelcomePoints: z.int().describe("What joining would bring: nothing to who has had the welcome gift"),
  Card: z.object({ Number: z.string(), BarcodeFormat: z.literal("EAN13"), BarcodeSvg: z.string() }).nullable(),
  Referral: referral
    .extend({ Url: z.url().describe("The address that a friend opens") })
    .nullable()
    .describe("The member's link for friends; null: recommending brings nothing"),
  Points: z.object({
    Available: z.int(),
    ...pendingFields,
    EarnedLast12Months: z.int(),
    Value: money.describe("What whole vouchers would bring"),
    Expiring: z.object({ Points: z.int(), Date: z.iso.date() }).nullable().describe("What lapses next"),
    Debt: z.int().describe("Points taken back for a return that the balance did not have; the next points settle them"),
  }),
  TierMonths: z.int().describe("The tier follows the points earned in so many months, `EarnedLast12Months`"),
  Tier: z
    .object({
      IdLoyaltyTier: z.int(),
      Rank: z.int(),
      Name: z.string(),
      Multiplier: z.number(),
      Benefits: z.array(z.string()),
      Until: z.iso.date().nullable().describe("The day it lapses if nothing more is earned"),
      PointsToKeep: z.int().nullable().describe("How many points earned by then keep it"),
    })
    .nullable(),
  NextTier: z
    .object({ IdLoyaltyTier: z.int(), Name: z.string(), PointsRequired: z.int(), PointsMissing: z.int() })
    .nullable(),
  Campaigns: z
    .array(
      z.object({
        Name: z.string(),
        Text: z.string(),
        EndsAt: z.iso.datetime(),
        ShopName: z.string().nullable().describe("The one shop where it counts; null: everywhere"),
        MinimumAmount: money.nullable().describe("What must be paid at least; null: anything"),
        Weekdays: z.array(z.int()).optional().describe("It counts on these days; Monday is 1; absent: on all"),
        FromHour: z.int().optional().describe("It counts from then on, by the club's clock; absent: at all hours"),
        ToHour: z.int().optional().describe("Not included; present with FromHour"),
      }),
    )
    .describe("Those in force that bring this member more points, some on certain days or at certain hours only"),
});

const historyEntry = z.object({
  IdLoyaltyHistory: z.int(),
  Date: z.iso.datetime(),
  Kind: z.enum(entryKinds),
  Label: z.string(),
  Points: z.int().describe("Negative when points go"),
  Balance: z.int().describe("The balance after it"),
  Remaining: z.int().describe("How many of these points are still to be spent"),
  ExpiresAt: z.iso.datetime().nullable().describe("When the remaining points lapse"),
});

const pendingPurchase = z.object({
  Date: z.iso.datetime().describe("When it was bought"),
  Label: z.string(),
  Points: z.int(),
  ArrivesAt: z.iso.datetime().describe("When the points can be spent"),
});

const cursor = () =>
  fieldTypes
    .text(64)
    .transform((text, context) => {
      const id = decodeCursor(text, z.int().min(1));
      if (id === undefined) context.addIssue("invalid");
      return id;
    })
    .optional();

export const ledgerContract = {
  [readLoyalty]: endpoint({
    summary: "Where the customer stands in the club: card, points, tier.",
    access: "customer",
    input: z.object(clubQuery),
    response: loyaltyCustomer,
    refusals: ["not_found"],
  }),
  [readHistory]: endpoint({
    summary: "The customer's points, entry by entry, newest first.",
    access: "customer",
    input: z.object({
      LanguageIsoCode: fieldTypes.language(),
      Limit: z
        .string()
        .regex(/^([1-9]\d?|100)$/, "invalid")
        .transform(Number)
        .default(20)
        .describe("1 to 100, 20 when absent"),
      Cursor: cursor().describe("NextCursor of the page before"),
      After: cursor().describe("PreviousCursor of the page after; instead of Cursor"),
    }),
    response: z.object({
      Pending: z
        .array(pendingPurchase)
        .optional()
        .describe("On the first page: the purchases whose points arrive later, newest first, at most 100"),
      Entries: z.array(historyEntry),
      NextCursor: z.string().nullable(),
      PreviousCursor: z.string().optional().describe("Of a newer page, if there is one; to be sent as After"),
    }),
    refusals: [],
  }),
};
