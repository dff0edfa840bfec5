import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import { locales } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { welcomes } from "#loyalty/ledger/account.tables.server.ts";
import { cancelCampaignVouchers } from "#loyalty/ledger/campaign-vouchers.server.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { clawBack } from "#loyalty/ledger/ledger.server.ts";
import { entries } from "#loyalty/ledger/ledger.tables.server.ts";
import { events } from "#loyalty/programme/programme.tables.server.ts";
import { referrals } from "#loyalty/referral/referral.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { countGift } from "./gift-report.server.ts";

/**
 * Credits the welcome gift once per person, whatever their account: the keyed hash of the address's mailbox
 * (db/functions/loyalty_person.sql) records who has had it. A programme without a gift records the person too, and which
 * account was their first: events bring points once per person (src/loyalty/events/events.server.ts).
 */
export async function creditWelcomePoints(
  queries: Queries,
  customerId: number,
  programme: { programmeId: number; versionId: number; welcomePoints: number },
  context: ClubContext,
): Promise<void> {
  const first = await queries
    .insert(welcomes)
    .select(
      queries
        .select({
          person: sql<Buffer>`loyalty_person(${customers.email})`.as("person"),
          givenAt: sql<Date>`${context.now.toISOString()}::timestamptz`.as("given_at"),
        })
        .from(customers)
        .where(and(eq(customers.id, customerId), sql`not loyalty_had_welcome(${customers.email})`)),
    )
    // Of two accounts of one mailbox that join at once, one inserts.
    .onConflictDoNothing()
    .returning({ givenAt: welcomes.givenAt });
  if (first.length === 0) return;
  if (programme.welcomePoints === 0) {
    await queries.insert(welcomes).values({ person: firstAccount(sql`${customerId}::bigint`), givenAt: context.now });
    return;
  }
  const [event] = await queries
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.programmeId, programme.versionId), eq(events.proof, "welcome")));
  const label = event ? { event: event.id } : {};
  const points = programme.welcomePoints;
  await earn(queries, programme.programmeId, { customerId, points, kind: "welcome", cause: "welcome", label }, context);
  if (context.address !== undefined)
    await countGift(queries, customerId, { now: context.now, publicUrl: context.publicUrl, address: context.address });
}

/**
 * An account whose address no one had confirmed has another one now, of a mailbox that has had the gift with another account:
 * gift and bonuses are taken back. Else a mailbox would have them with every address that can be invented. None of them is
 * spent, which takes a confirmed address.
 */
export async function takeSecondGift(
  queries: Queries,
  customerId: number,
  unconfirmed: string,
  now: Date,
): Promise<void> {
  const { rowCount } = await queries.execute(sql`
    select from customer where id = ${customerId} and loyalty_had_welcome(email)
      and loyalty_person(email) <> loyalty_person(${unconfirmed})`);
  if (!rowCount) return;
  // Who has had the gift is no new friend either. Nothing was credited: that takes a confirmed address, too.
  await queries
    .update(referrals)
    .set({ state: "refused" })
    .where(and(eq(referrals.customerId, customerId), eq(referrals.state, "waiting")));
  await queries.delete(welcomes).where(eq(welcomes.person, firstAccount(sql`${customerId}::bigint`)));
  await cancelCampaignVouchers(queries, customerId, now);
  const given = await queries
    .select({ cause: entries.cause, points: entries.points })
    .from(entries)
    .where(and(eq(entries.customerId, customerId), inArray(entries.kind, ["welcome", "event"])))
    .orderBy(entries.id);
  const texts = Object.fromEntries(locales.map((locale) => [locale, textsOf[locale].t("loyalty.history.mergedGift")]));
  for (const { cause, points } of given) {
    const taken = { purchase: cause, points, cause: `gift-back:${cause}`, label: { texts }, now, exchange: null };
    await clawBack(queries, { customerId, ...taken });
  }
}

/** What says that an account was the first of its person, where no welcome gift in its ledger does. */
export const firstAccount = (customerId: SQL): SQL<Buffer> => sql`loyalty_hash('account:' || ${customerId})`;
