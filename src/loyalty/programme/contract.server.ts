import { z } from "zod";
import { listTiers, readProgramme } from "#loyalty/calls.ts";
import { endpoint, money } from "#platform/api/endpoint.server.ts";
import { clubQuery } from "./club-fields.server.ts";
import { defaultProgrammeId } from "./programme.server.ts";

/**
 * How long the programme may be cached. A version is published at least as long before it begins, but by the command with
 * --publish, which begins at once.
 */
export const publicSeconds = 60;

const tier = z.object({
  IdLoyaltyTier: z.int(),
  Rank: z.int(),
  Name: z.string(),
  PointsRequired: z.int(),
  Multiplier: z.number().describe("Purchases earn so many times the points"),
  Benefits: z.array(z.string()),
});

export const reward = z.object({
  IdLoyaltyReward: z.int(),
  Name: z.string(),
  Description: z.string(),
  Points: z.int(),
  Value: money,
  ValidDays: z.int().describe("How long its voucher is valid"),
});

export const event = z.object({
  IdLoyaltyProgramEvent: z.int(),
  Name: z.string(),
  Description: z.string(),
  Points: z.int(),
  Frequency: z.enum(["once", "yearly"]),
});

export const referral = z.object({
  Points: z.int().describe("For each friend who joins and buys"),
  Days: z.int().describe("So many days after the friend's first purchase"),
  PerYear: z.int().describe("For so many friends in a year"),
  Minimum: money.describe("What the friend keeps of the purchase was at least so much: what the points are worth"),
});

export const programmeContract = {
  [readProgramme]: endpoint({
    summary: "The club as everybody may see it: welcome gift, tiers, rewards, ways to earn.",
    access: "anyone",
    input: z.object(clubQuery),
    response: z.object({
      IdLoyaltyProgram: z.literal(defaultProgrammeId),
      WelcomePoints: z.int(),
      PointsPerEuro: z.int().describe("Points for the main unit of the currency, whichever it is"),
      PointsValidMonths: z.int().describe("How long points are valid after they are earned"),
      TierMonths: z.int().describe("The tier follows the points earned in so many months"),
      PendingDays: z.int().describe("Days after a purchase until its points arrive"),
      Referral: referral.nullable().describe("What recommending a friend brings; null: nothing"),
      Tiers: z.array(tier),
      Rewards: z.array(reward),
      Events: z.array(event),
      Contact: z
        .object({ Email: z.string().nullable(), Phone: z.string().nullable(), Hours: z.string().nullable() })
        .describe("Whom customers ask"),
    }),
    refusals: ["not_found"],
    publicSeconds,
  }),
  [listTiers]: endpoint({
    summary: "The tiers of the club.",
    access: "customer",
    input: z.object(clubQuery),
    response: z.object({ Tiers: z.array(tier) }),
    refusals: ["not_found"],
  }),
};
