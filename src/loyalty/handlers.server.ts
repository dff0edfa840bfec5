import { withLockedSession } from "#identity/session/locked-session.server.ts";
import { listEvents, obtainEvent } from "#loyalty/events/events.server.ts";
import { readHistory } from "#loyalty/ledger/history.server.ts";
import { readLoyaltyCustomer } from "#loyalty/ledger/loyalty-customer.server.ts";
import { ensureBirthday } from "#loyalty/membership/birthday.server.ts";
import { isMember, setMembership } from "#loyalty/membership/membership.server.ts";
import { describeEvent, describeReward, describeTier, findProgramme } from "#loyalty/programme/programme.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme-id.ts";
import { listRewards, listVouchers, obtainReward } from "#loyalty/rewards/rewards.server.ts";
import { passResponse } from "#loyalty/wallet/apple-service.server.ts";
import { issueApplePass } from "#loyalty/wallet/apple-wallet.server.ts";
import { googleSaveUrl } from "#loyalty/wallet/google-wallet.server.ts";
import { describeWallets, type Wallets } from "#loyalty/wallet/wallets.server.ts";
import { room } from "#platform/api/api.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import * as calls from "./calls.ts";
import { loyaltyContract } from "./contract.server.ts";

export function loyaltyRoom(parts: { database: Database; publicUrl: string; now: () => Date; wallets?: Wallets }) {
  const { database, publicUrl, now, wallets } = parts;
  return room(loyaltyContract, {
    async [calls.readProgramme]({ queries, input, locale }) {
      const programme = await findProgramme(queries, input.IdLoyaltyProgram);
      return {
        IdLoyaltyProgram: defaultProgrammeId,
        WelcomePoints: programme.welcomePoints,
        Tiers: programme.tiers.map((tier) => describeTier(tier, locale)),
        Rewards: programme.rewards.map((reward) => describeReward(reward, locale)),
        Events: programme.events.map((event) => describeEvent(event, locale)),
      };
    },

    async [calls.readLoyalty]({ queries, input, caller, locale }) {
      return readLoyaltyCustomer(queries, caller.customerId, input.IdLoyaltyProgram, { now: now(), locale });
    },

    async [calls.readHistory]({ queries, input, caller, locale }) {
      const page = { limit: input.Limit, cursor: input.Cursor };
      return readHistory(queries, caller.customerId, page, { now: now(), locale });
    },

    async [calls.subscribe]({ queries, input, caller, locale }) {
      // A guest has an order but no account, so there is nothing to hold points.
      if (caller.guest) throw new Refusal("forbidden");
      const context = { now: now(), locale, publicUrl };
      if (!(await isMember(queries, caller.customerId)))
        await ensureBirthday(queries, caller.customerId, input.CustomerBirthday, context.now);
      await setMembership(queries, caller.customerId, true, {
        ...context,
        programmeId: input.IdLoyaltyProgram,
        source: "account",
      });
      return readLoyaltyCustomer(queries, caller.customerId, input.IdLoyaltyProgram, context);
    },

    async [calls.unsubscribe]({ queries, input, caller, locale }) {
      const context = { now: now(), locale, publicUrl };
      await setMembership(queries, caller.customerId, false, {
        ...context,
        programmeId: input.IdLoyaltyProgram,
        source: "account",
      });
      return readLoyaltyCustomer(queries, caller.customerId, input.IdLoyaltyProgram, context);
    },

    async [calls.listEvents]({ queries, input, caller, locale }) {
      const context = { now: now(), locale, publicUrl };
      return { Events: await listEvents(queries, caller.customerId, input.IdLoyaltyProgram, context) };
    },

    async [calls.obtainEvent]({ queries, input, caller, locale }) {
      const context = { now: now(), locale, publicUrl };
      const { IdLoyaltyProgram, IdLoyaltyProgramEvent } = input;
      return obtainEvent(queries, caller.customerId, IdLoyaltyProgram, IdLoyaltyProgramEvent, context);
    },

    async [calls.listRewards]({ queries, input, caller, locale }) {
      const context = { now: now(), locale, publicUrl };
      return { Rewards: await listRewards(queries, caller.customerId, input.IdLoyaltyProgram, context) };
    },

    async [calls.listCustomerRewards]({ queries, input, caller, locale }) {
      const context = { now: now(), locale, publicUrl };
      const { IdLoyaltyProgram, LoyaltyRewardState } = input;
      return {
        CustomerRewards: await listVouchers(queries, caller.customerId, IdLoyaltyProgram, LoyaltyRewardState, context),
      };
    },

    async [calls.obtainReward]({ queries, input, caller, locale }) {
      const context = { now: now(), locale, publicUrl };
      return obtainReward(queries, caller.customerId, input.IdLoyaltyProgram, input.IdLoyaltyReward, context);
    },

    async [calls.readWallets]({ locale }) {
      return describeWallets(wallets, publicUrl, locale);
    },

    // A pass goes on showing the customer's points after the session ends, so the session is read again before one is issued.
    async [calls.saveToGoogle]({ caller }) {
      const issuer = await wallets?.google();
      if (!issuer) throw new Refusal("not_configured");
      const passContext = { publicUrl, now: now() };
      return {
        SaveUrl: await withLockedSession(database, caller, (tx) =>
          googleSaveUrl(tx, issuer, caller.customerId, passContext),
        ),
      };
    },

    async [calls.saveToApple]({ caller }) {
      const signer = await wallets?.apple();
      if (!signer) throw new Refusal("not_configured");
      const passContext = { publicUrl, now: now() };
      return passResponse(
        await withLockedSession(database, caller, (tx) => issueApplePass(tx, signer, caller.customerId, passContext)),
      );
    },

    async [calls.listTiers]({ queries, input, locale }) {
      const programme = await findProgramme(queries, input.IdLoyaltyProgram);
      return { Tiers: programme.tiers.map((tier) => describeTier(tier, locale)) };
    },
  });
}
