import { z } from "zod";
import { createTillCode, listCustomerRewards, listRewards, obtainReward } from "#loyalty/calls.ts";
import { pointsLeft } from "#loyalty/ledger/contract.server.ts";
import { clubForm, clubQuery } from "#loyalty/programme/club-fields.server.ts";
import { reward } from "#loyalty/programme/contract.server.ts";
import { endpoint, fieldTypes, money } from "#platform/api/endpoint.server.ts";
import { voucherFilters, voucherStates } from "./voucher-states.ts";

const offeredReward = reward.extend({
  Obtainable: z.boolean().describe("The points reach it; spending them also needs a confirmed address"),
  PointsMissing: z.int(),
});

const customerReward = z.object({
  IdCustomerReward: z.int(),
  IdLoyaltyReward: z.int().nullable().describe("Null of a voucher of the club that moved here"),
  Name: z.string(),
  Value: money,
  Code: z.string(),
  BarcodeFormat: z.literal("CODE128"),
  BarcodeSvg: z.string(),
  LoyaltyRewardState: z.enum(voucherStates),
  ObtainedAt: z.iso.datetime(),
  ExpiresAt: z.iso.datetime(),
  UsedAt: z.iso.datetime().nullable(),
  HeldUntil: z.iso.datetime().nullable().describe("A till keeps it for a receipt until then"),
});

export const rewardsContract = {
  [listRewards]: endpoint({
    summary: "Rewards, and which of them the customer's points reach.",
    access: "customer",
    input: z.object(clubQuery),
    response: z.object({ Rewards: z.array(offeredReward) }),
    refusals: ["not_found"],
  }),
  [listCustomerRewards]: endpoint({
    summary:
      "The customer's vouchers: those that can be used, the soonest to end first, then those used last, then those that expired last.",
    access: "customer",
    input: z.object({
      ...clubQuery,
      LoyaltyRewardState: z.enum(voucherFilters, { error: () => "invalid" }).default("all"),
      IdCustomerReward: fieldTypes.integerId().optional().describe("This one alone"),
      Limit: z
        .string()
        .regex(/^([1-9]\d?|100)$/, "invalid")
        .transform(Number)
        .optional()
        .describe("1 to 100; all when absent"),
      Offset: z
        .string()
        .regex(/^\d{1,6}$/, "invalid")
        .transform(Number)
        .default(0)
        .describe("How many to leave out, from the first"),
    }),
    response: z.object({
      CustomerRewards: z.array(customerReward),
      Total: z.int().optional().describe("How many there are in this state; with Limit"),
      NextExpiry: z.iso.datetime().nullable().optional().describe("When the first of them lapses unused; with Limit"),
    }),
    refusals: ["not_found"],
  }),
  [obtainReward]: endpoint({
    summary: "Turns points into a voucher; the customer's address must be confirmed.",
    access: "customer",
    input: z.object({
      ...clubForm,
      IdLoyaltyReward: fieldTypes.integerId(),
      Points: fieldTypes
        .text(7)
        .regex(/^\d+$/, "invalid")
        .transform(Number)
        .optional()
        .describe("What it cost when the customer saw it: refused once that has changed"),
      Value: fieldTypes.amount().optional().describe("Likewise, what it was worth"),
    }),
    response: z.object({ CustomerReward: customerReward, Points: pointsLeft }),
    refusals: ["not_found", "not_a_member", "email_unconfirmed", "not_enough_points", "reward_changed", "key_reused"],
    idempotent: true,
  }),
  [createTillCode]: endpoint({
    summary:
      "Six digits to tell the assistant at a till, who turns points into a voucher with them. Good once; a new code ends the one before.",
    access: "customer",
    input: z.object(clubForm),
    response: z.object({ Code: z.string().describe("482915"), ExpiresAt: z.iso.datetime() }),
    refusals: ["not_a_member"],
  }),
};
