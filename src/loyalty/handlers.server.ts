import { findByPassToken } from "#identity/address/shop-registration.server.ts";
import { createCustomerDeviceCookies, isDeviceOf } from "#identity/session/device/device-cookie.server.ts";
import { withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import { barcodeSvg } from "#loyalty/card/barcode.server.ts";
import { describeEvents, eventFactsRead, obtainEvent } from "#loyalty/events/events.server.ts";
import { describeHistory, historyRead, newerHistoryRead, newest } from "#loyalty/ledger/history.server.ts";
import {
  describeLoyaltyCustomer,
  loyaltyAccountRead,
  readLoyaltyCustomer,
} from "#loyalty/ledger/loyalty-customer.server.ts";
import { ensureBirthday } from "#loyalty/membership/birthday.server.ts";
import { isMember, setMembership } from "#loyalty/membership/membership.server.ts";
import { closeNotice, describeMoved, movedRead, openCase } from "#loyalty/moved/moved.server.ts";
import { publicSeconds } from "#loyalty/programme/contract.server.ts";
import {
  defaultProgrammeId,
  describeProgramme,
  describeTier,
  type FindProgramme,
  queryProgramme,
} from "#loyalty/programme/programme.server.ts";
import { findReferrer } from "#loyalty/referral/referral.server.ts";
import { describeRewards, describeVouchers, obtainReward, vouchersRead } from "#loyalty/rewards/rewards.server.ts";
import type { TillCodes } from "#loyalty/rewards/till-code.server.ts";
import { passResponse } from "#loyalty/wallet/apple/apple-service.server.ts";
import { issueApplePass } from "#loyalty/wallet/apple/apple-wallet.server.ts";
import { googleSaveUrl } from "#loyalty/wallet/google/google-wallet.server.ts";
import { readPassContent } from "#loyalty/wallet/pass-content.server.ts";
import { describeWallets, type Wallets } from "#loyalty/wallet/wallets.server.ts";
import { apiModule, reading } from "#platform/api/api-module.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import * as calls from "./calls.ts";
import { loyaltyContract } from "./contract.server.ts";

export function loyaltyModule(deps: {
  database: Database;
  publicUrl: string;
  findProgramme: FindProgramme;
  wallets?: Wallets;
  tillCodes: TillCodes;
  /** Whether joining is counted by network. */
  countGifts: boolean;
}) {
  const { database, publicUrl, findProgramme, wallets } = deps;

  /** Who was registered at a till: their QR code brings the pass, and nothing else. */
  async function ownerOfPass(token: string, now: Date): Promise<number> {
    const customerId = await findByPassToken(database, token, now);
    if (customerId === undefined) throw new Refusal("link_expired");
    return customerId;
  }

  return apiModule(loyaltyContract, {
    async [calls.readProgramme]({ input, locale, now, headers }) {
      const programme = await findProgramme(input.IdLoyaltyProgram, now);
      const secondsLeft = programme.until
        ? Math.floor((programme.until.getTime() - now.getTime()) / 1_000)
        : publicSeconds;
      // A cache must not show it longer than it is in force.
      if (secondsLeft < publicSeconds) headers.set("cache-control", `public, max-age=${secondsLeft}`);
      return describeProgramme(programme, locale);
    },

    [calls.readLoyalty]: reading(
      loyaltyAccountRead,
      ({ IdLoyaltyProgram }) => ({ programmeId: IdLoyaltyProgram }),
      async (account, { caller, locale }) => describeLoyaltyCustomer(account, caller.customerId, { locale, publicUrl }),
    ),

    [calls.readHistory]: reading(
      ({ After }) => (After === undefined ? historyRead : newerHistoryRead),
      ({ Limit, Cursor = newest, After = 0 }) => ({ limit: Limit, before: Cursor, after: After }),
      async (rows, { input: { Limit: limit, Cursor: before, After: after }, locale, now }) =>
        describeHistory(rows, { limit, before, after }, await findProgramme(defaultProgrammeId, now), locale),
    ),

    async [calls.subscribe]({ queries, input, caller, locale, now, address, request }) {
      // A guest has an order but no account, so there is nothing to hold points.
      if (caller.guest) throw new Refusal("forbidden");
      const context = { now, locale, publicUrl };
      if (!(await isMember(queries, caller.customerId)))
        await ensureBirthday(queries, caller.customerId, input.CustomerBirthday, context.now);
      await setMembership(queries, caller.customerId, true, {
        ...context,
        ...(deps.countGifts && { address }),
        referredBy: await findReferrer(
          queries,
          input.ReferralCode,
          isDeviceOf(createCustomerDeviceCookies(queries, false), { request, caller }),
        ),
        programmeId: input.IdLoyaltyProgram,
        source: "account",
      });
      return readLoyaltyCustomer(queries, caller.customerId, input.IdLoyaltyProgram, context);
    },

    async [calls.unsubscribe]({ queries, input, caller, locale, now }) {
      const context = { now, locale, publicUrl };
      await setMembership(queries, caller.customerId, false, {
        ...context,
        programmeId: input.IdLoyaltyProgram,
        source: "account",
      });
      return readLoyaltyCustomer(queries, caller.customerId, input.IdLoyaltyProgram, context);
    },

    [calls.listEvents]: reading(
      eventFactsRead,
      ({ IdLoyaltyProgram }) => ({ programmeId: IdLoyaltyProgram }),
      async (facts, { input, locale, now }) => ({
        Events: describeEvents(await findProgramme(input.IdLoyaltyProgram, now), facts, { locale, now }),
      }),
    ),

    async [calls.obtainEvent]({ queries, input, caller, locale, now }) {
      // Not out of memory: where it is not there, reading it takes a second connection while the transaction holds one.
      const programme = await queryProgramme(queries, input.IdLoyaltyProgram, now);
      const context = { now, locale, publicUrl };
      return obtainEvent(queries, caller.customerId, programme, input.IdLoyaltyProgramEvent, context);
    },

    [calls.listRewards]: reading(
      loyaltyAccountRead,
      ({ IdLoyaltyProgram }) => ({ programmeId: IdLoyaltyProgram }),
      async (account, { input, locale, now }) => ({
        Rewards: describeRewards(await findProgramme(input.IdLoyaltyProgram, now), account, locale),
      }),
    ),

    [calls.listCustomerRewards]: reading(
      vouchersRead,
      ({ LoyaltyRewardState, IdCustomerReward, Limit, Offset }) => ({
        filter: LoyaltyRewardState,
        id: IdCustomerReward ?? null,
        limit: Limit ?? null,
        offset: Offset,
      }),
      async ({ rows, total, nextEnd }, { input, locale, now }) => {
        // Refuses a programme that does not exist.
        await findProgramme(input.IdLoyaltyProgram, now);
        if (input.IdCustomerReward !== undefined && rows.length === 0) throw new Refusal("not_found");
        return {
          CustomerRewards: describeVouchers(rows, now, locale),
          ...(input.Limit !== undefined && { Total: total, NextExpiry: nextEnd && isoMoment(nextEnd) }),
        };
      },
    ),

    async [calls.obtainReward]({ queries, input, caller, locale, now }) {
      // First, no matter who asks: the query below refuses a customer who may not obtain anything before it looks for the reward.
      if (input.IdLoyaltyProgram !== defaultProgrammeId) throw new Refusal("not_found");
      const context = { now, locale, publicUrl };
      const asked = { rewardId: input.IdLoyaltyReward, seen: { points: input.Points, value: input.Value } };
      return obtainReward(queries, caller.customerId, input.IdLoyaltyProgram, asked, context);
    },

    [calls.readMoved]: reading(
      movedRead,
      ({ Limit, Offset }) => ({ limit: Limit, offset: Offset }),
      async (moved, { locale }) => describeMoved(moved, locale),
    ),

    async [calls.closeMoved]({ caller, now }) {
      await closeNotice(database, caller.customerId, now);
      return {};
    },

    async [calls.reportMissing]({ input, caller, now }) {
      await openCase(database, caller.customerId, input.Text, now);
      return {};
    },

    async [calls.createTillCode]({ caller, now }) {
      if (!(await isMember(database, caller.customerId))) throw new Refusal("not_a_member");
      const { code, expiresAt } = await deps.tillCodes.issue(caller.customerId, now);
      return { Code: code, ExpiresAt: expiresAt.toISOString() };
    },

    async [calls.readWallets]({ locale }) {
      return describeWallets(wallets, publicUrl, locale);
    },

    // A pass goes on showing the customer's points after the session ends, so the session is read again before one is issued.
    async [calls.saveToGoogle]({ caller, now }) {
      const issuer = await wallets?.google();
      if (!issuer) throw new Refusal("not_configured");
      const passContext = { publicUrl, now };
      return {
        SaveUrl: await withLockedSession(database, caller, (tx) =>
          googleSaveUrl(tx, issuer, caller.customerId, passContext),
        ),
      };
    },

    async [calls.saveToApple]({ caller, now }) {
      const signer = await wallets?.apple();
      if (!signer) throw new Refusal("not_configured");
      const passContext = { publicUrl, now };
      return passResponse(
        await withLockedSession(database, caller, (tx) => issueApplePass(tx, signer, caller.customerId, passContext)),
      );
    },

    async [calls.readPass]({ input, locale, now }) {
      const content = await readPassContent(database, await ownerOfPass(input.Token, now), now);
      if (content?.state !== "active") throw new Refusal("link_expired");
      const { name: Name, points: Points, rank: Rank, cardNumber: CardNumber } = content;
      const BarcodeSvg = barcodeSvg("ean13", CardNumber);
      return { Name, Points, Tier: { Rank, Name: content.tier[locale] }, CardNumber, BarcodeSvg };
    },

    async [calls.passToGoogle]({ input, now }) {
      const issuer = await wallets?.google();
      if (!issuer) throw new Refusal("not_configured");
      const customerId = await ownerOfPass(input.Token, now);
      return { SaveUrl: await googleSaveUrl(database, issuer, customerId, { publicUrl, now }) };
    },

    async [calls.passToApple]({ input, now }) {
      const signer = await wallets?.apple();
      if (!signer) throw new Refusal("not_configured");
      const customerId = await ownerOfPass(input.Token, now);
      return passResponse(await issueApplePass(database, signer, customerId, { publicUrl, now }));
    },

    async [calls.listTiers]({ input, locale, now }) {
      const programme = await findProgramme(input.IdLoyaltyProgram, now);
      return { Tiers: programme.tiers.map((tier) => describeTier(tier, locale)) };
    },
  });
}
