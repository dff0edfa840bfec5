import { keyQuery } from "./key-query.server.ts";

/** How a customer can be looked up. */
export type LookUp = "card" | "voucher" | "email" | "phone";

/** The parameters that stand for the value that was looked up and for the moment. */
interface Given {
  value: string;
  now: string;
}

/** Whom a value names. */
const named: Record<LookUp, (given: Given) => string> = {
  card: ({ value }) => `select customer_id from loyalty_card where number = ${value}`,
  voucher: ({ value }) => `select customer_id from loyalty_voucher_code where code = ${value}`,
  email: ({ value }) => `select customer_id from customer_email where email = ${value}`,
  phone: ({ value }) => `select c.id as customer_id from customer c
    join loyalty_account a on a.customer_id = c.id and a.state = 'active'
    where c.mobile_phone = ${value} and not c.guest limit 4`,
};

/** Vouchers that can still be used, and the one that was shown. */
const vouchers = (shown: string, now: string) => `(
  select json_agg(json_build_object('code', v.code, 'valueCents', v.amount_cents, 'expiresAt', v.expires_at,
    'usedAt', coalesce(u.used_at, v.used_at), 'erased', false, 'hold', json_build_object('until', h.until))
    order by v.expires_at, v.id)
  from loyalty_voucher v
  left join loyalty_voucher_use u on u.code = v.code
  left join loyalty_voucher_hold h on h.code = v.code
  where v.customer_id = a.customer_id and (v.used_at is null and u.code is null and v.expires_at > ${now} or ${shown}))`;
const vouchersOf: Record<LookUp, (given: Given) => string> = {
  card: ({ now }) => vouchers("false", now),
  voucher: ({ value, now }) => vouchers(`v.code = ${value}`, now),
  email: () => "null",
  phone: () => "null",
};

/** The members whom a value names, with what a till may know of them. More than three of one phone are nobody. */
export const membersQuery = (by: LookUp, given: Given) => `
  with named as (${named[by](given)})
  select a.customer_id, json_build_object(
    'id', a.customer_id, 'firstname', c.firstname, 'lastname', c.lastname, 'blocked', c.blocked_at is not null,
    'available', a.balance - coalesce((
      select sum(remaining) from loyalty_lot l
      where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= ${given.now}), 0),
    'debt', loyalty_debt_of(a.customer_id),
    'birthdayToday', coalesce(today = (c.birthday + make_interval(years =>
      (extract(year from today) - extract(year from c.birthday))::integer))::date, false),
    'tier', (
      select json_build_object('id', t.id, 'name', t.name, 'multiplierHundredths', t.multiplier_hundredths)
      from loyalty_tier t where t.programme_id = p.id and t.points_required <= year.earned
      order by t.points_required desc limit 1),
    'vouchers', ${vouchersOf[by](given)}) as member
  from named
  join loyalty_account a on a.customer_id = named.customer_id and a.state = 'active'
  join customer c on c.id = a.customer_id
  cross join lateral loyalty_programme_at(a.programme_id, ${given.now}) p
  cross join lateral (select club_day(${given.now}) as today) clock
  -- OFFSET 0 keeps the planner from asking again for each tier.
  cross join lateral (select loyalty_earned(a.customer_id, p.tier_months, today) as earned offset 0) year
  where ${by === "phone" ? "(select count(*) from named) <= 3" : "true"}`;

/**
 * Key check, counts, look-up and log as one statement: written as an SQL function it took twice as long. A key that has
 * used up its counts looks nobody up, so that the time taken tells nothing. The log may lose its last moment in a crash:
 * the look-up does not wait for the disk.
 * After the parameters of the key: $6 value, $7 entry mode, $8 misses and $9 look-ups by contact allowed in a minute.
 */
function identifyQuery(by: LookUp): string {
  const byContact = by === "email" || by === "phone";
  const missed = "case when key.may_call and not exists (select from found) then 1 else 0 end";
  const found = `found as materialized (${membersQuery(by, { value: "$6", now: "$3" })}
    and exists (
      select from key where may_call and calls < $5 and misses < $8::integer
        and (not ${byContact} or by_contact < $9::integer))
    order by a.customer_id
  ),`;
  const key = keyQuery({
    parts: found,
    misses: missed,
    byContact: byContact ? "1" : "0",
    tooMany: `counted.misses - ${missed} >= $8 or ${byContact} and counted.by_contact > $9`,
  });
  return `with ${key}, logged as (
    insert into shop_look_up (customer_id, at, key_prefix, shop_id, found_by, entry_mode)
    select found.customer_id, $3, checked.prefix, checked.shop_id, '${by}', $7::text
    from found, checked where checked.outcome = 'done'
  )
  select outcome, shop_id, set_config('synchronous_commit', 'off', true),
    (select json_agg(member) from found) as members
  from checked`;
}

/** By how the customer is named. */
export const identifyQueries: Record<LookUp, string> = {
  card: identifyQuery("card"),
  voucher: identifyQuery("voucher"),
  email: identifyQuery("email"),
  phone: identifyQuery("phone"),
};
