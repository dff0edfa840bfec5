import { room } from "#platform/api.server.ts";
import type { Database } from "#platform/database.server.ts";
import { readProgramme } from "./calls.ts";
import { loyaltyContract } from "./contract.server.ts";
import { euros, findProgramme } from "./programme.server.ts";

export function loyaltyRoom({ database }: { database: Database }) {
  return room(loyaltyContract, {
    async [readProgramme]({ input, locale }) {
      const programme = await findProgramme(database, input.IdLoyaltyProgram);
      return {
        IdLoyaltyProgram: 4 as const,
        WelcomePoints: programme.welcomePoints,
        Tiers: programme.tiers.map((tier) => ({
          IdLoyaltyTier: tier.id,
          Rank: tier.rank,
          Name: tier.name[locale],
          PointsRequired: tier.pointsRequired,
          Benefits: tier.benefits[locale],
        })),
        Rewards: programme.rewards.map((reward) => ({
          IdLoyaltyReward: reward.id,
          Name: reward.name[locale],
          Description: reward.description[locale],
          Points: reward.points,
          Value: euros(reward.amountCents),
        })),
        Events: programme.events.map((event) => ({
          IdLoyaltyProgramEvent: event.id,
          Name: event.name[locale],
          Description: event.description[locale],
          Points: event.points,
          Frequency: event.frequency,
        })),
      };
    },
  });
}
