import { z } from "zod";
import { money } from "#platform/api/endpoint.server.ts";

/** The shapes of the club's answers. */
export const tier = z.object({
  IdLoyaltyTier: z.int(),
  Rank: z.int(),
  Name: z.string(),
  PointsRequired: z.int(),
  Benefits: z.array(z.string()),
});

export const reward = z.object({
  IdLoyaltyReward: z.int(),
  Name: z.string(),
  Description: z.string(),
  Points: z.int(),
  Value: money,
});

export const offeredReward = reward.extend({
  Obtainable: z.boolean().describe("The points reach it; spending them also needs a confirmed address"),
  PointsMissing: z.int(),
});

export const event = z.object({
  IdLoyaltyProgramEvent: z.int(),
  Name: z.string(),
  Description: z.string(),
  Points: z.int(),
  Frequency: z.enum(["once", "yearly"]),
});

export const customerEvent = event.extend({
  State: z.enum(["available", "obtained", "locked"]),
  Hint: z.string().nullable().describe("What is missing while it is locked"),
  ObtainedAt: z.iso.datetime().nullable(),
});

export const customerReward = z.object({
  IdCustomerReward: z.int(),
  IdLoyaltyReward: z.int(),
  Name: z.string(),
  Value: money,
  Code: z.string(),
  BarcodeFormat: z.literal("CODE128"),
  BarcodeSvg: z.string(),
  LoyaltyRewardState: z.enum(["available", "used", "expired"]),
  ObtainedAt: z.iso.datetime(),
  ExpiresAt: z.iso.datetime(),
  UsedAt: z.iso.datetime().nullable(),
});

export const pointsLeft = z.object({ Available: z.int() });

export const loyaltyCustomer = z.object({
  IdCustomer: z.int(),
  IdLoyaltyProgram: z.literal(4),
  LoyaltyCustomerState: z.boolean(),
  MemberSince: z.iso.datetime().nullable(),
  WelcomePoints: z.int().describe("What joining would bring: nothing to who has had the welcome gift"),
  Card: z.object({ Number: z.string(), BarcodeFormat: z.literal("EAN13"), BarcodeSvg: z.string() }).nullable(),
  Points: z.object({
    Available: z.int(),
    EarnedLast12Months: z.int(),
    Value: money.describe("What whole vouchers would bring"),
    Expiring: z.object({ Points: z.int(), Date: z.iso.date() }).nullable().describe("What lapses next"),
  }),
  Tier: z
    .object({
      IdLoyaltyTier: z.int(),
      Rank: z.int(),
      Name: z.string(),
      Benefits: z.array(z.string()),
      Until: z.iso.date().nullable().describe("The day it lapses if nothing more is earned"),
    })
    .nullable(),
  NextTier: z
    .object({ IdLoyaltyTier: z.int(), Name: z.string(), PointsRequired: z.int(), PointsMissing: z.int() })
    .nullable(),
});

export const historyEntry = z.object({
  IdLoyaltyHistory: z.int(),
  Date: z.iso.datetime(),
  Kind: z.enum(["welcome", "event", "grant", "reward", "expiry"]),
  Label: z.string(),
  Points: z.int().describe("Negative when points go"),
  Balance: z.int().describe("The balance after it"),
  Remaining: z.int().describe("How many of these points are still to be spent"),
  ExpiresAt: z.iso.datetime().nullable().describe("When the remaining points lapse"),
});
