import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { barcodeSvg } from "#loyalty/card/barcode.server.ts";
import { euros, type Tier } from "#loyalty/programme/programme.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme-id.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { accounts } from "./account.tables.server.ts";

interface Rank {
  tier: Tier;
  next: Tier | null;
  /** The last day the tier is held if nothing more is earned; the lowest tier is held for good. */
  until: string | null;
}

/**
 * The customer's state, card, points and tier in one round trip, at a cost that does not grow with the history: the
 * balance is stored, and the tier reads sums per day, not entries (db/functions/loyalty_earned.sql).
 * Points that have expired do not count, even before the nightly job has written their expiry.
 */
export async function readLoyaltyAccount(queries: Queries, customerId: number, programmeId: number, now: Date) {
  const moment = sql`${now.toISOString()}::timestamptz`;
  const [row] = await queries
    .select({
      state: sql<"active" | "asleep" | "erased" | null>`a.state`,
      memberSince: sql<Date | null>`a.member_since`.mapWith(accounts.memberSince),
      cardNumber: sql<string | null>`a.card_number`,
      // The gift is given once per person, even if the account that had it was erased (db/functions/loyalty_person.sql).
      welcomePoints: sql<number>`case
        when a.customer_id is not null then 0
        when exists (select from customer c join loyalty_welcome w on w.person = loyalty_person(c.email)
          where c.id = ${customerId}::bigint) then 0
        else p.welcome_points end`,
      available: sql<number>`available`,
      earned: sql<number>`earned`,
      expiring: sql<{ points: number; date: string } | null>`expiring`,
      rank: sql<Rank | null>`rank`,
      valueCents: sql<number>`coalesce((
        select available / points * amount_cents from loyalty_reward
        where programme_id = p.id order by points limit 1), 0)`,
    })
    .from(
      sql`loyalty_programme p
      left join loyalty_account a on a.programme_id = p.id and a.customer_id = ${customerId}::bigint
      cross join lateral (select ${moment} as moment, club_day(${moment}) as today) clock
      cross join lateral (
        select coalesce(a.balance - coalesce((
          select sum(remaining) from loyalty_lot
          where customer_id = a.customer_id and remaining > 0 and expires_at <= moment), 0), 0)::integer as available
      ) points
      left join lateral (
        select jsonb_build_object('points', sum(remaining), 'date', club_day(expires_at)) as expiring
        from loyalty_lot
        where customer_id = a.customer_id and remaining > 0 and expires_at = (
          select expires_at from loyalty_lot
          where customer_id = a.customer_id and remaining > 0 and expires_at > moment
          order by expires_at limit 1)
        group by expires_at
      ) next_expiry on true
      -- OFFSET 0 keeps the planner from inlining the function at every use of its result.
      cross join lateral (select loyalty_earned(a.customer_id, p.tier_months, today) as earned offset 0) year
      left join lateral (
        select jsonb_build_object(
          'tier', to_jsonb(tier) || jsonb_build_object('pointsRequired', tier.points_required),
          'next', (
            select to_jsonb(up) || jsonb_build_object('pointsRequired', up.points_required)
            from loyalty_tier up where up.programme_id = p.id and up.points_required > earned
            order by up.points_required limit 1),
          'until', (
            -- The first day whose points, once out of the window, leave too few for the tier.
            select (day + make_interval(months => p.tier_months))::date
            from loyalty_earned_day
            where customer_id = a.customer_id and through > (
              select through from loyalty_earned_day
              where customer_id = a.customer_id and day <= today order by day desc limit 1) - tier.points_required
            order by through limit 1)) as rank
        from loyalty_tier tier
        where tier.programme_id = p.id and tier.points_required <= earned
        order by tier.points_required desc limit 1
      ) ranks on true
      where p.id = ${programmeId}::integer`,
    )
    .prepare("loyalty_standing")
    .execute();
  if (!row) throw new Refusal("not_found");
  return row;
}

/** The response `LoyaltyCustomer`. Who has left the club sees their points, but no card. */
export async function readLoyaltyCustomer(
  queries: Queries,
  customerId: number,
  programmeId: number,
  { now, locale }: { now: Date; locale: Locale },
) {
  const account = await readLoyaltyAccount(queries, customerId, programmeId, now);
  const { rank, cardNumber, expiring } = account;
  const member = account.state === "active";
  return {
    IdCustomer: customerId,
    IdLoyaltyProgram: defaultProgrammeId,
    LoyaltyCustomerState: member,
    MemberSince: member ? (account.memberSince?.toISOString() ?? null) : null,
    WelcomePoints: account.welcomePoints,
    Card:
      member && cardNumber
        ? { Number: cardNumber, BarcodeFormat: "EAN13" as const, BarcodeSvg: barcodeSvg("ean13", cardNumber) }
        : null,
    Points: {
      Available: account.available,
      EarnedLast12Months: account.earned,
      Value: euros(account.valueCents),
      Expiring: expiring && { Points: expiring.points, Date: expiring.date },
    },
    Tier:
      member && rank
        ? {
            IdLoyaltyTier: rank.tier.id,
            Rank: rank.tier.rank,
            Name: rank.tier.name[locale],
            Benefits: rank.tier.benefits[locale],
            Until: rank.until,
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
  };
}
