import { type SQL, sql } from "drizzle-orm";
import { buildStatement, type Statement } from "#platform/database/statements.server.ts";
import { type KeyValues, keyQuery, now } from "./key-query.server.ts";

/** How a customer can be looked up. */
export type LookUp = "card" | "voucher" | "code" | "email" | "phone" | "sub";

/** The values of a look-up by key; a look-up without a key needs `value` and `now` alone. */
export interface IdentifyValues extends KeyValues {
  value: string;
  entryMode: string | null;
  /** Unknown codes, and look-ups by address or phone, that a key may make in a minute. */
  maxFailedAttempts: number;
  maxByContact: number;
}

const given = (name: keyof IdentifyValues) => sql.placeholder(name);
/** What the customer was looked up by. */
const value = given("value");
const maxFailedAttempts = sql`${given("maxFailedAttempts")}::integer`;
const maxByContact = sql`${given("maxByContact")}::integer`;

/** Whom a value names. */
const named: Record<LookUp, SQL> = {
  card: sql`select customer_id, true as is_shown, replaced_at from loyalty_card where number = ${value}`,
  voucher: sql`select customer_id, true as is_shown from loyalty_voucher_code where code = ${value}`,
  // Cards and vouchers of a club that has moved here have shapes of their own: a card comes first.
  code: sql`select customer_id, true as is_shown, replaced_at, 'card' as found_by from loyalty_card where number = ${value}
    union all
    select customer_id, true, null, 'voucher' from loyalty_voucher_code where code = upper(${value})
      and not exists (select from loyalty_card where number = ${value})`,
  email: sql`select customer_id, true as is_shown from customer_email where email = ${value}`,
  // Where an account was merged, its subject means the other's (db/functions/customer_of_subject.sql).
  sub: sql`select customer_of_subject(${value}::uuid) as customer_id, true as is_shown`,
  // No one proves a phone. Confirmed members come first, and those who are not never hide them: of more than three in all
  // only the confirmed ones are shown, of more than three confirmed ones no one.
  phone: sql`select customer_id, count(*) over () <= 3
      or confirmed and count(*) filter (where confirmed) over () <= 3 as is_shown
    from (
      select c.id as customer_id, c.email_verified_at is not null as confirmed from customer c
      join loyalty_account a on a.customer_id = c.id and a.state = 'active'
      where c.mobile_phone = ${value} and not c.guest
      order by c.email_verified_at is null, c.id limit 4) of_phone`,
};

/** A card that was replaced is refused as the card of a blocked customer is. */
const isBlocked = (by: LookUp) =>
  by === "card" || by === "code"
    ? sql`(c.blocked_at is not null or named.replaced_at is not null)`
    : sql`c.blocked_at is not null`;

const foundBy = (by: LookUp) => (by === "code" ? sql`named.found_by` : sql`${sql.raw(`'${by}'`)}::text`);

/** Vouchers that can still be used, and the one that was shown. */
const vouchers = (shown: SQL) => sql`(
  select json_agg(json_build_object('code', v.code, 'valueCents', v.amount_cents, 'expiresAt', v.expires_at,
    'usedAt', coalesce(u.used_at, v.used_at), 'cancelled', x.code is not null, 'erased', false, 'hold', json_build_object('until', h.until))
    order by v.expires_at, v.id)
  from loyalty_voucher v
  left join loyalty_voucher_use u on u.code = v.code
  left join loyalty_voucher_cancel x on x.code = v.code
  left join loyalty_voucher_hold h on h.code = v.code
  where v.customer_id = a.customer_id and (v.used_at is null and u.code is null and x.code is null
    and v.expires_at > ${now} or ${shown}))`;
const vouchersOf: Record<LookUp, SQL> = {
  card: vouchers(sql`false`),
  voucher: vouchers(sql`v.code = ${value}`),
  code: vouchers(sql`v.code = upper(${value})`),
  email: sql`null`,
  phone: sql`null`,
  sub: vouchers(sql`false`),
};

/** The members whom a value names, with what a till may know of them. */
export const membersQuery = (by: LookUp) => sql`
  with named as (${named[by]})
  select a.customer_id, json_build_object(
    'id', a.customer_id, 'publicId', c.subject, 'firstname', c.firstname, 'lastname', c.lastname, 'blocked', ${isBlocked(by)},
    'confirmed', c.email_verified_at is not null, 'memberSince', a.member_since, 'cardNumber', a.card_number,
    'available', a.balance - coalesce((
      select sum(remaining) from loyalty_lot l
      where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= ${now}), 0)
      + (pending ->> 'due')::integer,
    'debt', loyalty_debt_of(a.customer_id),
    'pending', pending,
    'birthdayToday', coalesce(today = (c.birthday + make_interval(years =>
      (extract(year from today) - extract(year from c.birthday))::integer))::date, false),
    'tier', (
      select json_build_object('id', t.id, 'name', t.name, 'multiplierHundredths', t.multiplier_hundredths)
      from loyalty_tier_for(p.id, status.points) t),
    'foundBy', ${foundBy(by)}, 'vouchers', ${vouchersOf[by]}) as member, ${foundBy(by)} as found_by
  from named
  join loyalty_account a on a.customer_id = named.customer_id and a.state = 'active'
  join customer c on c.id = a.customer_id
  cross join lateral loyalty_programme_at(a.programme_id, ${now}) p
  cross join lateral (select club_day(${now}) as today) clock
  cross join lateral (select loyalty_pending_of(a.customer_id, ${now}) as pending offset 0) soon
  -- OFFSET 0 keeps the planner from asking again for each tier.
  cross join lateral (select loyalty_status_points(a.customer_id, p.id, p.tier_months, today) as points offset 0) status
  where named.is_shown`;

/**
 * Key check, counts, look-up and log as one statement: written as an SQL function it took twice as long. A key that has
 * used up its counts looks no one up, so that the time taken tells nothing. The log may lose its last moment in a crash:
 * the look-up does not wait for the disk.
 */
function identifyStatement(by: LookUp): Statement<IdentifyValues> {
  const byContact = by === "email" || by === "phone" ? sql`true` : sql`false`;
  const failed = sql`case when key.may_call and not exists (select from found) then 1 else 0 end`;
  const found = sql`found as materialized (${membersQuery(by)}
    and exists (
      select from key where may_call and calls < max_calls and failed_attempts < ${maxFailedAttempts}
        and (not ${byContact} or by_contact < ${maxByContact}))
    order by c.email_verified_at is null, a.customer_id
  ),`;
  const key = keyQuery({
    parts: found,
    failedAttempts: failed,
    byContact: sql`(${byContact})::integer`,
    tooMany: sql`counted.failed_attempts - ${failed} >= ${maxFailedAttempts} or ${byContact} and counted.by_contact > ${maxByContact}`,
  });
  return buildStatement(sql`with ${key}, logged as (
    insert into shop_look_up (customer_id, at, key_prefix, shop_id, found_by, entry_mode)
    select found.customer_id, ${now}, checked.prefix, checked.shop_id, found.found_by, ${given("entryMode")}::text
    from found, checked where checked.outcome = 'done'
  )
  select outcome, shop_id, api, set_config('synchronous_commit', 'off', true),
    (select json_agg(member) from found) as members
  from checked`);
}

/** By how the customer is named. */
export const identifyStatements: Record<LookUp, Statement<IdentifyValues>> = {
  card: identifyStatement("card"),
  voucher: identifyStatement("voucher"),
  code: identifyStatement("code"),
  email: identifyStatement("email"),
  phone: identifyStatement("phone"),
  sub: identifyStatement("sub"),
};
