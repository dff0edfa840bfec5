import { and, asc, eq, gt, ne, notInArray, sql } from "drizzle-orm";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { generateCardNumber } from "#loyalty/card/card.server.ts";
import { accounts, cards, debts, welcomeNetworks } from "#loyalty/ledger/account.tables.server.ts";
import { importDays, importHistory, statusFloors } from "#loyalty/ledger/import.tables.server.ts";
import { forfeit } from "#loyalty/ledger/ledger.server.ts";
import { entries, pendingPurchases } from "#loyalty/ledger/ledger.tables.server.ts";
import { activities } from "#loyalty/ledger/metrics/metrics.tables.server.ts";
import { warnings } from "#loyalty/ledger/warnings/warning.tables.server.ts";
import { claimCard, join, mailWelcome } from "#loyalty/membership/membership.server.ts";
import { firstAccount, takeSecondGift } from "#loyalty/membership/welcome-gift.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { eraseReferrals, findReferrer } from "#loyalty/referral/referral.server.ts";
import { referrals } from "#loyalty/referral/referral.tables.server.ts";
import { voucherCancels, vouchers } from "#loyalty/rewards/voucher.tables.server.ts";
import { endPasses, revokePasses } from "#loyalty/wallet/revoke-passes.server.ts";
import { appleDevices, applePasses, googlePasses } from "#loyalty/wallet/wallet.tables.server.ts";
import { deleteStoredResponses } from "#platform/api/idempotency/idempotency.server.ts";
import type { Queries } from "#platform/database/database.server.ts";

/** Whether the customer earned or spent points; what the calendar or the retailer did is no use of the account. */
async function isUsedSince(queries: Queries, customerId: number, since: Date): Promise<boolean> {
  const [used] = await queries
    .select({ id: entries.id })
    .from(entries)
    .where(
      and(
        eq(entries.customerId, customerId),
        gt(entries.at, since),
        notInArray(entries.kind, ["expiry", "gift", "adjust", "cancel", "import", "import_voucher", "referral"]),
      ),
    )
    .limit(1);
  return used !== undefined;
}

/** Replaces the card number and revokes the passes, which a person who is not the owner may know. */
async function startClean(queries: Queries, customerId: number): Promise<void> {
  await revokePasses(queries, customerId);
  const number = generateCardNumber();
  const renewed = await queries
    .update(accounts)
    .set({ cardNumber: number })
    .where(and(eq(accounts.customerId, customerId), ne(accounts.state, "erased")))
    .returning({ customerId: accounts.customerId });
  if (renewed.length === 0) return;
  await queries.delete(cards).where(eq(cards.customerId, customerId));
  await claimCard(queries, customerId, number);
}

/**
 * The welcome gift is given once per person: a person who has had it has had it under the new address too. Of an account
 * that was made with an invented address it was given to the person of the new one.
 */
async function emailChanged(
  queries: Queries,
  customerId: number,
  unconfirmed: string | undefined,
  now: Date,
): Promise<void> {
  const { rowCount } = await queries.execute(sql`
    insert into loyalty_welcome (person, given_at)
    select loyalty_person(c.email), given.at from customer c cross join lateral (
      select e.at from loyalty_entry e where e.customer_id = c.id and e.kind = 'welcome'
      union all select first.given_at from loyalty_welcome first where first.person = ${firstAccount(sql`c.id`)}
      limit 1) given
    where c.id = ${customerId} and not loyalty_had_welcome(c.email)
    on conflict do nothing`);
  // Of two accounts that come to one mailbox at once, one inserts.
  if (!rowCount && unconfirmed !== undefined) await takeSecondGift(queries, customerId, unconfirmed, now);
}

/**
 * The ledger and the vouchers stay, under an id that no longer belongs to a person; card number, points and debt are gone.
 */
async function erase(queries: Queries, customerId: number, now: Date): Promise<void> {
  await queries.select({ id: customers.id }).from(customers).where(eq(customers.id, customerId)).for("update");
  await forfeit(queries, customerId, now);
  await queries
    .update(accounts)
    .set({ state: "erased", cardNumber: null, erasedAt: sql`loyalty_booked_at(${now.toISOString()}::timestamptz)` })
    .where(eq(accounts.customerId, customerId));
  await eraseReferrals(queries, customerId, now);
  await queries.delete(cards).where(eq(cards.customerId, customerId));
  await queries.delete(importHistory).where(eq(importHistory.customerId, customerId));
  await queries.delete(statusFloors).where(eq(statusFloors.customerId, customerId));
  await queries
    .update(debts)
    .set({ waived: sql`${debts.waived} + ${debts.remaining}`, remaining: 0 })
    .where(and(eq(debts.customerId, customerId), gt(debts.remaining, 0)));
  await deleteStoredResponses(queries, customerId);
}

async function exportOf(queries: Queries, customerId: number): Promise<object> {
  const [found] = await queries
    .select({
      account: accounts,
      activity: activities,
      welcomeNetwork: welcomeNetworks,
      recommendedAt: referrals.joinedAt,
    })
    .from(accounts)
    .leftJoin(referrals, eq(referrals.customerId, accounts.customerId))
    .leftJoin(welcomeNetworks, eq(welcomeNetworks.customerId, accounts.customerId))
    .leftJoin(activities, eq(activities.customerId, accounts.customerId))
    .where(eq(accounts.customerId, customerId));
  const ledger = await queries
    .select()
    .from(entries)
    .where(eq(entries.customerId, customerId))
    .orderBy(asc(entries.id));
  const obtained = await queries
    .select()
    .from(vouchers)
    .where(eq(vouchers.customerId, customerId))
    .orderBy(asc(vouchers.id));
  const numbers = await queries.select().from(cards).where(eq(cards.customerId, customerId));
  const [googlePass] = await queries.select().from(googlePasses).where(eq(googlePasses.customerId, customerId));
  const [applePass] = await queries.select().from(applePasses).where(eq(applePasses.customerId, customerId));
  const phones = await queries.select().from(appleDevices).where(eq(appleDevices.customerId, customerId));
  const passes = { google: googlePass ?? null, apple: applePass ?? null, phones };
  const owed = await queries.select().from(debts).where(eq(debts.customerId, customerId)).orderBy(asc(debts.id));
  const pending = await queries.select().from(pendingPurchases).where(eq(pendingPurchases.customerId, customerId));
  const cancelled = await queries.select().from(voucherCancels).where(eq(voucherCancels.customerId, customerId));
  const warned = await queries.select().from(warnings).where(eq(warnings.customerId, customerId));
  const days = await queries.select().from(importDays).where(eq(importDays.customerId, customerId));
  const history = await queries.select().from(importHistory).where(eq(importHistory.customerId, customerId));
  const floors = await queries.select().from(statusFloors).where(eq(statusFloors.customerId, customerId));
  return {
    ...{ account: found?.account ?? null, entries: ledger, vouchers: obtained, debts: owed, warnings: warned },
    ...{ pending, vouchersCancelled: cancelled, cards: numbers },
    ...{ importedDays: days, importedHistory: history, promisedStatus: floors[0] ?? null },
    // Whose link it was is the other person's; who joined by the customer's own link is told to no one.
    recommended: found?.recommendedAt ? { joinedAt: found.recommendedAt } : null,
    ...{ activity: found?.activity ?? null, passes, welcomeNetwork: found?.welcomeNetwork ?? null },
  };
}

/** The club's part of the hooks that identity calls; `customerHooks` of app adds that of the other modules. */
export function clubHooks(options: {
  publicUrl: string;
  now: () => Date;
  /** Whether joining is counted by network. */
  countGifts?: boolean;
}): ClubHooks {
  const { publicUrl, now } = options;
  return {
    findReferrer,
    async join(queries, customerId, { locale, address, referredBy }) {
      const context = { now: now(), locale, publicUrl, referredBy, ...(options.countGifts && { address }) };
      await join(queries, customerId, defaultProgrammeId, context);
    },
    mailWelcome: (queries, customerId, locale) => mailWelcome(queries, customerId, { locale, publicUrl }),
    isMember: sql<boolean>`exists (select from loyalty_account
      where loyalty_account.customer_id = customer.id and loyalty_account.state = 'active')`,
    isUsedSince,
    exportOf,
    startClean,
    hasPass: sql<boolean>`(exists (select from apple_pass where apple_pass.customer_id = customer.id)
      or exists (select from google_pass where google_pass.customer_id = customer.id))`,
    endPasses,
    emailChanged: (queries, customerId, unconfirmed) => emailChanged(queries, customerId, unconfirmed, now()),
    erase: (queries, customerId) => erase(queries, customerId, now()),
  };
}
