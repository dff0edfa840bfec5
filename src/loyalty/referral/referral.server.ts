import { and, eq, or, sql } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { accounts } from "#loyalty/ledger/account.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { referrals } from "./referral.tables.server.ts";

// The points of a recommendation are credited and taken back by referral-job.server.ts.

/** A member's code is 64 bits as the database draws them. */
const referralCodePattern = /^[0-9a-f]{16}$/;

/**
 * The member whose link has this code; the link of an account that was merged is the survivor's. None for a code that is
 * unknown or whose member has left, and none on the member's own device. What is wrong with a code is told to nobody.
 */
export async function findReferrer(
  queries: Queries,
  code: string | undefined,
  isDeviceOf: (account: { id: number; passwordHash: string | null }) => Promise<boolean>,
): Promise<number | undefined> {
  if (code === undefined || !referralCodePattern.test(code)) return undefined;
  const [member] = await queries
    .select({ id: customers.id, passwordHash: customers.passwordHash })
    .from(customers)
    .innerJoin(accounts, and(eq(accounts.customerId, customers.id), eq(accounts.state, "active")))
    .where(
      eq(customers.id, sql`customer_survivor((select customer_id from loyalty_account where referral_code = ${code}))`),
    );
  return member && !(await isDeviceOf(member)) ? member.id : undefined;
}

/**
 * Notes by whose link a customer joins, before the welcome gift is given: a person who has had it was a member before.
 * `person` is unique, so a person is recommended once.
 */
export async function recordReferral(
  queries: Queries,
  joined: { customerId: number; memberId: number; now: Date },
): Promise<void> {
  const { customerId, memberId, now } = joined;
  await queries.execute(sql`
    insert into loyalty_referral (customer_id, member_id, person, joined_at)
    select c.id, ${memberId}::bigint, loyalty_person(c.email), ${now.toISOString()}::timestamptz from customer c
    where c.id = ${customerId} and c.id <> ${memberId} and not loyalty_had_welcome(c.email)
    on conflict do nothing`);
}

/**
 * Of a customer who is erased, nothing is credited any more, neither for them nor to them, and the person cannot be
 * recommended as someone new. Points that were credited stay, and may still be taken back.
 */
export async function eraseReferrals(queries: Queries, customerId: number, now: Date): Promise<void> {
  await queries
    .update(referrals)
    .set({ state: "refused" })
    .where(
      and(eq(referrals.state, "waiting"), or(eq(referrals.customerId, customerId), eq(referrals.memberId, customerId))),
    );
  await queries.execute(sql`
    insert into loyalty_referral (customer_id, member_id, person, joined_at, state)
    select c.id, c.id, loyalty_person(c.email), ${now.toISOString()}::timestamptz, 'refused' from customer c
    join loyalty_account a on a.customer_id = c.id where c.id = ${customerId}
    on conflict do nothing`);
  await queries.execute(sql`
    update loyalty_account set referral_code = null
    where customer_id = ${customerId} or customer_id in (select customer_id from customer_merge where into_id = ${customerId})`);
}
