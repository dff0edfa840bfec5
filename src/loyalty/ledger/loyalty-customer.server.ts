import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { barcodeSvg } from "#loyalty/card/barcode.server.ts";
import { friendPath } from "#loyalty/paths.ts";
import { type PricedReward, valueOfPoints } from "#loyalty/programme/point-value.ts";
import {
  defaultProgrammeId,
  describeReferral,
  moneyOf,
  programmeAt,
  type Tier,
} from "#loyalty/programme/programme.server.ts";
import type { ReferralRules } from "#loyalty/programme/rules.ts";
import { defineRead, isoMoment, readById } from "#platform/api/reads.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { describePending, type Pending } from "./ledger.server.ts";

interface Rank {
  tier: Tier;
  next: Tier | null;
  /** The last day the tier is held if nothing more is earned; the lowest tier is held for good. */
  until: string | null;
  /** The points that keep it beyond that day. */
  missing: number | null;
}

/** By its columns: `to_jsonb` of a row looks up what each of them is. */
const tierJson = (row: string) =>
  sql.raw(`json_build_object('id', ${row}.id, 'rank', ${row}.rank, 'pointsRequired', ${row}.points_required,
    'multiplierHundredths', ${row}.multiplier_hundredths, 'name', ${row}.name, 'benefits', ${row}.benefits)`);

interface RunningCampaign {
  name: Record<Locale, string>;
  text: Record<Locale, string>;
  endsAt: string;
  shop: string | null;
  minimumCents: number | null;
  /** Days of the week and hours of the club's clock; null: at all times. */
  weekdays: number[] | null;
  fromHour: number | null;
  toHour: number | null;
}

/** Null: no such programme. Nothing of a customer who never joined is there but the welcome gift. */
export type LoyaltyAccount = {
  state: "active" | "left" | "erased" | null;
  memberSince: string | null;
  cardNumber: string | null;
  /** Of the link for friends. */
  referralCode: string | null;
  referral: ReferralRules;
  welcomePoints: number;
  available: number;
  debt: number;
  pending: Pending;
  earned: number;
  tierMonths: number;
  expiring: { points: number; date: string } | null;
  rank: Rank | null;
  rewards: PricedReward[];
  /** In force, for this member, those of certain days or hours at all times (db/functions/loyalty_campaigns.sql). */
  campaigns: RunningCampaign[] | null;
} | null;

/**
 * The customer's state, card, points and tier, at a cost that does not grow with the history: the balance is stored, and
 * the tier reads sums per day, not entries (db/functions/loyalty_status_for.sql). Points that have expired do not count, and
 * pending points that have arrived do, even before the nightly job has written them down.
 */
export const loyaltyAccountRead = defineRead<{ programmeId: number }, LoyaltyAccount>(
  "loyalty_account",
  ({ customerId, now, value }) => sql`(
    select json_build_object(
      'state', a.state,
      'memberSince', a.member_since,
      'cardNumber', a.card_number,
      'referralCode', a.referral_code,
      'referral', p.referral,
      -- The gift is given once per person, even if the account that had it was erased (db/functions/loyalty_had_welcome.sql).
      'welcomePoints', case
        when a.customer_id is not null then 0
        when (select loyalty_had_welcome(c.email) from customer c where c.id = ${customerId}) then 0
        else p.welcome_points end,
      'available', available,
      'debt', loyalty_debt_of(a.customer_id),
      'pending', pending,
      'earned', earned,
      'tierMonths', p.tier_months,
      'expiring', expiring,
      'rank', case when tier.id is not null then json_build_object(
        'until', status.until,
        'missing', status.missing,
        'tier', ${tierJson("tier")},
        'next', (
          select ${tierJson("up")}
          from loyalty_tier up where up.programme_id = p.id and up.points_required > greatest(earned, tier.points_required)
          order by up.points_required limit 1)) end,
      'campaigns', case when a.state = 'active'
        then loyalty_campaigns(a.customer_id, tier.id, null, moment) end,
      'rewards', (
        select coalesce(json_agg(json_build_object('points', points, 'amountCents', amount_cents)), '[]')
        from loyalty_reward where programme_id = p.id))
    from ${programmeAt(sql`${value("programmeId")}`, now)} p
    left join loyalty_account a
      on a.programme_id = ${value("programmeId")}::integer and a.customer_id = ${customerId}
    cross join lateral (select ${now} as moment, club_day(${now}) as today) clock
    -- OFFSET 0 keeps the planner from computing what is selected again at every use of it.
    cross join lateral (select loyalty_pending_of(a.customer_id, moment) as pending offset 0) soon
    cross join lateral (
      select coalesce(a.balance - coalesce((
        select sum(remaining) from loyalty_lot
        where customer_id = a.customer_id and remaining > 0 and expires_at <= moment), 0), 0)::integer
        + (pending ->> 'due')::integer as available
      offset 0
    ) points
    left join lateral (
      select json_build_object('points', sum(remaining), 'date', club_day(expires_at)) as expiring
      from loyalty_lot
      where customer_id = a.customer_id and remaining > 0 and expires_at = (
        select expires_at from loyalty_lot
        where customer_id = a.customer_id and remaining > 0 and expires_at > moment
        order by expires_at limit 1)
      group by expires_at
    ) next_expiry on true
    cross join lateral (select loyalty_earned(a.customer_id, p.tier_months, today) as earned offset 0) year
    left join loyalty_status_for(a.customer_id, p.id, p.tier_months, today, earned) status on true
    left join loyalty_tier tier on tier.programme_id = p.id and tier.id = status.tier_id)`,
);

/** The same by the customer's id, in a transaction or a job. */
export async function readLoyaltyAccount(queries: Queries, customerId: number, programmeId: number, now: Date) {
  return knownProgramme(await readById(queries, loyaltyAccountRead, { customerId, now, values: { programmeId } }));
}

function knownProgramme(account: LoyaltyAccount) {
  if (!account) throw new Refusal("not_found");
  return account;
}

/** What the customer's points can be turned into now. */
export const voucherValue = (account: NonNullable<LoyaltyAccount>) =>
  moneyOf(valueOfPoints(account).vouchersCents(account.available));

/** The response `LoyaltyCustomer`, after a change. */
export async function readLoyaltyCustomer(
  queries: Queries,
  customerId: number,
  programmeId: number,
  { now, ...context }: { now: Date; locale: Locale; publicUrl: string },
) {
  return describeLoyaltyCustomer(await readLoyaltyAccount(queries, customerId, programmeId, now), customerId, context);
}

/** The member's link for friends, with what it brings; null where recommending brings nothing. */
function describeLink(account: NonNullable<LoyaltyAccount>, publicUrl: string) {
  const brings = describeReferral(account);
  const { referralCode } = account;
  return brings && referralCode ? { ...brings, Url: `${publicUrl}${friendPath}/${referralCode}` } : null;
}

/** The response `LoyaltyCustomer`. Who has left the club sees their points, but no card. */
export function describeLoyaltyCustomer(
  found: LoyaltyAccount,
  customerId: number,
  { locale, publicUrl }: { locale: Locale; publicUrl: string },
) {
  const account = knownProgramme(found);
  const { rank, cardNumber, expiring } = account;
  const member = account.state === "active";
  return {
    IdCustomer: customerId,
    IdLoyaltyProgram: defaultProgrammeId,
    LoyaltyCustomerState: member,
    MemberSince: member && account.memberSince ? isoMoment(account.memberSince) : null,
    WelcomePoints: account.welcomePoints,
    Card:
      member && cardNumber
        ? { Number: cardNumber, BarcodeFormat: "EAN13" as const, BarcodeSvg: barcodeSvg("ean13", cardNumber) }
        : null,
    Referral: member ? describeLink(account, publicUrl) : null,
    Points: {
      Available: account.available,
      ...describePending(account.pending),
      EarnedLast12Months: account.earned,
      Value: voucherValue(account),
      Expiring: expiring && { Points: expiring.points, Date: expiring.date },
      Debt: account.debt,
    },
    TierMonths: account.tierMonths,
    Tier:
      member && rank
        ? {
            IdLoyaltyTier: rank.tier.id,
            Rank: rank.tier.rank,
            Name: rank.tier.name[locale],
            Multiplier: rank.tier.multiplierHundredths / 100,
            Benefits: rank.tier.benefits[locale],
            Until: rank.until,
            PointsToKeep: rank.missing,
          }
        : null,
    NextTier:
      member && rank?.next
        ? {
            IdLoyaltyTier: rank.next.id,
            Name: rank.next.name[locale],
            PointsRequired: rank.next.pointsRequired,
            PointsMissing: rank.next.pointsRequired - account.earned,
          }
        : null,
    Campaigns: (account.campaigns ?? []).map(
      ({ name, text, endsAt, shop, minimumCents, weekdays, fromHour, toHour }) => ({
        Name: name[locale],
        Text: text[locale],
        EndsAt: isoMoment(endsAt),
        ShopName: shop,
        MinimumAmount: minimumCents === null ? null : moneyOf(minimumCents),
        ...(weekdays && { Weekdays: weekdays }),
        ...(fromHour !== null && toHour !== null && { FromHour: fromHour, ToHour: toHour }),
      }),
    ),
  };
}
