import { z } from "zod";
import { clubQuery, endpoint, money } from "#platform/endpoint.server.ts";
import { readProgramme } from "./calls.ts";

const tier = z.object({
  IdLoyaltyTier: z.int(),
  Rank: z.int(),
  Name: z.string(),
  PointsRequired: z.int(),
  Benefits: z.array(z.string()),
});

const reward = z.object({
  IdLoyaltyReward: z.int(),
  Name: z.string(),
  Description: z.string(),
  Points: z.int(),
  Value: money,
});

const event = z.object({
  IdLoyaltyProgramEvent: z.int(),
  Name: z.string(),
  Description: z.string(),
  Points: z.int(),
  Frequency: z.enum(["once", "yearly"]),
});

export const loyaltyContract = {
  [readProgramme]: endpoint({
    summary: "The club as everybody may see it: welcome gift, tiers, rewards, ways to earn.",
    access: "anyone",
    input: z.object(clubQuery),
    answer: z.object({
      IdLoyaltyProgram: z.literal(4),
      WelcomePoints: z.int(),
      Tiers: z.array(tier),
      Rewards: z.array(reward),
      Events: z.array(event),
    }),
    refusals: ["not_found"],
    publicSeconds: 60,
  }),
};

type LoyaltyContract = typeof loyaltyContract;
declare module "#platform/api.ts" {
  interface Api extends LoyaltyContract {}
}
