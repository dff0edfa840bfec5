import { eq, sql } from "drizzle-orm";
import { clubTimeZone } from "#i18n/club-day.ts";
import { type CampaignPrice, campaignLimits, campaigns } from "#loyalty/ledger/campaign.tables.server.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { defaultProgrammeId, type FindProgramme } from "#loyalty/programme/programme.server.ts";
import { reachedBy, startOf } from "#office/campaigns/results/reached.server.ts";
import { errorCode, type Queries } from "#platform/database/database.server.ts";
import { campaignPointsOf, linesLeft, type PricedLine, withBestCampaign } from "#shop/sales/purchase/basket.server.ts";
import { type PerMember, spreadOf, totalOf } from "./estimate.ts";

type Campaign = typeof campaigns.$inferSelect;

/** Whole weeks, so that a Saturday is compared with a Saturday. */
const agoMilliseconds = 364 * 24 * 3_600_000;
/** So many members are enough to know the mean of all. */
const sampleSize = 4_000;
/** Of the members sampled, or of vouchers, to say anything. */
const leastKnown = 30;

/**
 * What a campaign would cost: by what members like those it reaches did in the same weeks a year before, with the functions
 * that earn. That they buy more because of it is not in it. None where asking takes too long.
 */
export async function readPrice(
  queries: Queries,
  findProgramme: FindProgramme,
  id: number,
  now: Date,
): Promise<CampaignPrice | null> {
  const [found] = await queries
    .select({ campaign: campaigns, limitPoints: campaignLimits.limitPoints })
    .from(campaigns)
    .leftJoin(campaignLimits, eq(campaignLimits.campaignId, campaigns.id))
    .where(eq(campaigns.id, id));
  if (!found) return null;
  const { campaign, limitPoints } = found;
  const { cents } = valueOfPoints(await findProgramme(defaultProgrammeId, now));
  try {
    const members = await countReached(queries, campaign);
    return { members, ...(await costOf(queries, campaign, { members, limitPoints, cents, now })) };
  } catch (error) {
    // The statement took too long: the campaign has no price, and its page says so.
    if (errorCode(error) === "57014") return null;
    throw error;
  }
}

/** The price as the club's pages get it. */
export const describePrice = (price: CampaignPrice | null) =>
  price && {
    Members: price.members,
    Cost: price.cost && { Cents: price.cost.cents, LowCents: price.cost.lowCents, HighCents: price.cost.highCents },
    MostCents: price.mostCents,
  };

/** Members who would get it: those it could reach, less the control group. */
async function countReached(queries: Queries, campaign: Campaign): Promise<number> {
  const { rows } = await queries.execute<{ members: number }>(sql`
    select count(*)::integer as members from ${await reachedBy(queries, campaign, startOf(campaign))}
      and not campaign_controls(${campaign.salt}, ${campaign.controlPercent}, a.customer_id)`);
  return Math.min(rows[0]?.members ?? 0, campaign.voucherLimit ?? Number.POSITIVE_INFINITY);
}

interface Known {
  members: number;
  limitPoints: number | null;
  cents: (points: number) => number;
  now: Date;
}

async function costOf(queries: Queries, campaign: Campaign, { members, limitPoints, cents, now }: Known) {
  const { voucherCents } = campaign;
  const each =
    voucherCents === null ? spreadOf(await pointsAYearAgo(queries, campaign)) : await vouchersUsed(queries, now);
  const total = each.count < leastKnown ? null : totalOf(each, members);
  if (voucherCents !== null) {
    const most = { mostCents: members * voucherCents };
    const of = (vouchers: number) => Math.min(Math.round(vouchers * voucherCents), most.mostCents);
    return { ...most, cost: total && { cents: of(total.value), lowCents: of(total.low), highCents: of(total.high) } };
  }
  const of = (points: number) => cents(Math.min(points, limitPoints ?? points));
  return {
    mostCents: limitPoints === null ? null : cents(limitPoints),
    cost: total && { cents: of(total.value), lowCents: of(total.low), highCents: of(total.high) },
  };
}

interface Sale {
  lines: PricedLine[];
  returned: Record<string, number> | null;
  pointsPerEuro: number;
  multiplierHundredths: number;
}

/** The points that it would have added for each of a sample of members, in the same weeks a year before. */
async function pointsAYearAgo(queries: Queries, campaign: Campaign): Promise<number[]> {
  const ago = (moment: Date) => new Date(moment.getTime() - agoMilliseconds);
  const [from, until] = [ago(startOf(campaign)), ago(campaign.endsAt)];
  const { shopId, weekdays, fromHour, toHour, birthdayDays, memberLimitPoints } = campaign;
  const soldOn = sql`club_day(s.sold_at)`;
  const { rows } = await queries.execute<{ sales: Sale[] }>(sql`
    select coalesce(json_agg(json_build_object('lines', s.lines, 'pointsPerEuro', s.points_per_euro,
      'multiplierHundredths', s.multiplier_hundredths, 'returned', (
        select json_object_agg(line, cents) from (
          select refund ->> 'line' as line, sum((refund ->> 'cents')::bigint) as cents
          from shop_return r cross join jsonb_array_elements(r.refunds) refund
          where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied' group by 1) back)))
      filter (where s.number is not null), '[]') as sales
    from (
      select a.customer_id, c.birthday from ${await reachedBy(queries, { ...campaign, endsAt: until }, from)}
      order by hashint8extended(a.customer_id, ${campaign.id}) limit ${sampleSize}) sampled
    left join shop_sale s on s.customer_id = sampled.customer_id
      and s.sold_at >= ${from.toISOString()} and s.sold_at < ${until.toISOString()}
      and s.points_per_euro is not null and s.former_source is null and not shop_sale_voided(s.shop_id, s.number)
      and ${shopId === null ? sql`true` : sql`s.shop_id = ${shopId}`}
      and ${weekdays === null ? sql`true` : sql`extract(isodow from ${soldOn}) = any (${sql.param(weekdays)}::integer[])`}
      and ${fromHour === null ? sql`true` : sql`extract(hour from s.sold_at at time zone ${clubTimeZone()}) between ${fromHour} and ${toHour}::integer - 1`}
      and ${
        birthdayDays === null
          ? sql`true`
          : sql`exists (select from generate_series(-1, 1) step where abs(${soldOn} - (sampled.birthday + make_interval(
              years => step + (extract(year from ${soldOn}) - extract(year from sampled.birthday))::integer))::date) <= ${birthdayDays})`
      }
    group by sampled.customer_id`);
  return rows.map(({ sales }) => {
    const points = sales.reduce((sum, sale) => sum + pointsOn(sale, campaign), 0);
    return Math.min(points, memberLimitPoints ?? points);
  });
}

function pointsOn({ lines, returned, ...rule }: Sale, campaign: Campaign): number {
  const left = linesLeft(lines, new Map(Object.entries(returned ?? {})));
  return campaignPointsOf(left, withBestCampaign(left, rule, [campaign]));
}

/** Of the vouchers that have ended in the last year: which part of them was used. */
async function vouchersUsed(queries: Queries, now: Date): Promise<PerMember> {
  const { rows } = await queries.execute<{ ended: number; used: number }>(sql`
    select count(*)::integer as ended, count(u.code)::integer as used
    from loyalty_voucher v left join loyalty_voucher_use u on u.code = v.code
    where v.used_at is null and v.expires_at <= ${now.toISOString()}::timestamptz
      and v.expires_at > ${now.toISOString()}::timestamptz - interval '1 year'`);
  const { ended, used } = rows[0] ?? { ended: 0, used: 0 };
  const mean = ended ? used / ended : 0;
  return { count: ended, mean, variance: mean * (1 - mean) };
}
