import type { Locale } from "#i18n/locale.ts";
import { normaliseEmail } from "#identity/customer/email.server.ts";
import { shortName } from "#identity/customer/names.server.ts";
import { normalisePhone } from "#identity/customer/phone.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { amountOf } from "#shop/sales/amounts.server.ts";
import { describeTier, type Member, type ShopVoucher, voucherStateOf } from "#shop/sales/facts.server.ts";
import type { CustomerTokens } from "./customer-token.server.ts";
import { keyQuery } from "./key-query.server.ts";
import { type CheckedKey, type KeyLimits, readKey, refuseKey } from "./keys.server.ts";

/** How a customer is named: exactly one of these. */
export interface Named {
  CardNumber?: string | undefined;
  VoucherCode?: string | undefined;
  Email?: string | undefined;
  MobilePhone?: string | undefined;
}

type LookUp = "card" | "voucher" | "email" | "phone";

interface Identified extends CheckedKey {
  members: Found[] | null;
}

type Found = Pick<Member, "id" | "firstname" | "lastname" | "available" | "debt" | "tier"> & {
  vouchers: ListedVoucher[] | null;
};
type ListedVoucher = Parameters<typeof voucherStateOf>[0] & Pick<ShopVoucher, "code" | "valueCents">;

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
    'id', a.customer_id, 'firstname', c.firstname, 'lastname', c.lastname,
    'available', a.balance - coalesce((
      select sum(remaining) from loyalty_lot l
      where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= ${given.now}), 0),
    'debt', loyalty_debt_of(a.customer_id),
    'tier', (
      select json_build_object('id', t.id, 'name', t.name, 'multiplierHundredths', t.multiplier_hundredths)
      from loyalty_tier t where t.programme_id = p.id and t.points_required <= year.earned
      order by t.points_required desc limit 1),
    'vouchers', ${vouchersOf[by](given)}) as member
  from named
  join loyalty_account a on a.customer_id = named.customer_id and a.state = 'active'
  join customer c on c.id = a.customer_id
  join loyalty_programme p on p.id = a.programme_id
  -- OFFSET 0 keeps the planner from asking again for each tier.
  cross join lateral (select loyalty_earned(a.customer_id, p.tier_months, club_day(${given.now})) as earned offset 0) year
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
const queries: Record<LookUp, string> = {
  card: identifyQuery("card"),
  voucher: identifyQuery("voucher"),
  email: identifyQuery("email"),
  phone: identifyQuery("phone"),
};

/**
 * Finds members for a till, in one round trip. Vouchers are listed only for a card or a voucher, which the customer holds
 * in hand.
 */
export async function identify(
  parts: { database: Database; limits: KeyLimits; tokens: CustomerTokens },
  request: Request,
  asked: Named & { EntryMode?: string | undefined },
  { now, locale }: { now: Date; locale: Locale },
) {
  const { prefix, secretHash } = readKey(request);
  const { limits } = parts;
  const [by, value] = lookUpOf(asked, locale);
  const { rows } = await parts.database.$client.query<Identified>({
    name: `identify_${by}`,
    text: queries[by],
    values: [
      ...[prefix, secretHash, now.toISOString(), ["identify"], limits.calls],
      ...[value, asked.EntryMode ?? null, limits.misses, limits.byContact],
    ],
  });
  const { shop_id: shopId, members } = refuseKey(rows[0], now);
  if (!members) throw new Refusal("not_found");
  return {
    Customers: await Promise.all(
      members.map(async (member) => ({
        CustomerToken: await parts.tokens.seal(member.id, shopId, now),
        Name: shortName(member.firstname, member.lastname),
        Tier: describeTier(member.tier, locale),
        Points: member.available,
        Debt: member.debt,
        Vouchers: member.vouchers?.map((voucher) => describeVoucher(voucher, now)) ?? [],
      })),
    ),
  };
}

function lookUpOf(asked: Named, locale: Locale): [by: LookUp, value: string] {
  const { CardNumber, VoucherCode, Email, MobilePhone } = asked;
  if (CardNumber !== undefined) return ["card", CardNumber];
  if (VoucherCode !== undefined) return ["voucher", VoucherCode.toUpperCase()];
  // What is no address and no number belongs to nobody.
  if (Email !== undefined) return ["email", normaliseEmail(Email) ?? ""];
  return ["phone", normalisePhone(MobilePhone ?? "", locale) ?? ""];
}

function describeVoucher(voucher: ListedVoucher, now: Date) {
  return {
    Code: voucher.code,
    Value: amountOf(voucher.valueCents),
    ExpiresAt: isoMoment(voucher.expiresAt),
    State: voucherStateOf(voucher, now),
  };
}
