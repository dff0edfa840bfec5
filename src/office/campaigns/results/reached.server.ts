import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import {
  type CampaignMetric,
  campaignMembers,
  campaignResults,
  campaigns,
  type MeasuredGroup,
} from "#loyalty/ledger/campaign.tables.server.ts";
import { giveCampaignVouchers } from "#loyalty/ledger/campaign-vouchers.server.ts";
import { membersWhere } from "#loyalty/segments/compile-segment.server.ts";
import { segmentVersions } from "#loyalty/segments/segment.tables.server.ts";
import type { Segment } from "#loyalty/segments/segment.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { type Jobs, queueJob } from "#platform/jobs/jobs.server.ts";

const startsJob = "office:campaign-starts";
const measureJob = "office:campaign-measured";
const Payload = z.object({ campaign: z.int() });
type Campaign = typeof campaigns.$inferSelect;

/** When a campaign begins to count: it may be approved later than its first day. */
export const startOf = ({ startsAt, approvedAt }: Pick<Campaign, "startsAt" | "approvedAt">): Date =>
  approvedAt && approvedAt > startsAt ? approvedAt : startsAt;

/** Who it could reach is written down when it begins, and what it brought when its window ends. */
export async function queueMeasurement(tx: Queries, campaign: Campaign): Promise<void> {
  const payload = { campaign: campaign.id };
  await queueJob(tx, startsJob, payload, { runAt: startOf(campaign) });
  await queueJob(tx, measureJob, payload, { runAt: campaign.measuredUntil ?? campaign.endsAt });
}

export function campaignJobs(context: { now: () => Date; publicUrl: string }): Jobs {
  const { now } = context;
  return {
    async [startsJob](payload, database) {
      const reached = await writeReached(database, Payload.parse(payload).campaign);
      if (reached?.voucherCents) await giveCampaignVouchers(database, reached, context);
    },
    [measureJob]: (payload, database) => measure(database, Payload.parse(payload).campaign, now()),
  };
}

/**
 * Whom a campaign could reach when it began, in both groups by the same conditions: what members do because of it must not
 * decide who is compared. One that was ended before it began reaches no one. Who was written down stays, however often it
 * runs: with a limit others would come to it.
 */
async function writeReached(database: Database, id: number): Promise<Campaign | undefined> {
  return database.transaction(async (tx) => {
    // A second run waits here.
    const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for("no key update");
    if (!campaign?.approvedAt || (campaign.endedAt && campaign.endedAt <= startOf(campaign))) return undefined;
    const [written] = await tx.select().from(campaignMembers).where(eq(campaignMembers.campaignId, id)).limit(1);
    if (!written) await chooseMembers(tx, campaign);
    return campaign;
  });
}

/**
 * Vouchers that are limited in number are for members by chance, as those in the control group are. One is worth money without a
 * purchase, so accounts of one mailbox get one together, an address that was confirmed first.
 */
async function chooseMembers(tx: Queries, campaign: Campaign): Promise<void> {
  const { id, salt, controlPercent, voucherCents, voucherLimit } = campaign;
  const isVoucher = voucherCents !== null;
  const ofMailbox = isVoucher ? sql`distinct on (mailbox_of(c.email))` : sql``;
  const inOrder = isVoucher ? sql`order by mailbox_of(c.email), c.email_verified_at is null, a.customer_id` : sql``;
  const order = sql`sha256((${`${salt}:order:`} || customer_id::text)::bytea)`;
  await tx.execute(sql`
    insert into campaign_member (customer_id, campaign_id, control)
    select customer_id, ${id}, control from (
      select customer_id, control,
        ${voucherLimit === null ? sql`0` : sql`row_number() over (partition by control order by ${order})`} as place
      from (
        select ${ofMailbox} a.customer_id, campaign_controls(${salt}, ${controlPercent}, a.customer_id) as control
        from ${await reachedBy(tx, campaign, startOf(campaign))} ${inOrder}) reached) placed
    where control or place <= ${voucherLimit ?? 0}::integer`);
}

/** Members whom a campaign reaches if it begins then: the tables and conditions of a statement over `loyalty_account a`. */
export async function reachedBy(tx: Queries, campaign: Campaign, start: Date): Promise<SQL> {
  const { segmentId, segmentVersion } = campaign;
  const [segment] =
    segmentId === null || segmentVersion === null
      ? []
      : await tx
          .select({ definition: segmentVersions.definition })
          .from(segmentVersions)
          .where(and(eq(segmentVersions.segmentId, segmentId), eq(segmentVersions.version, segmentVersion)));
  return sql`${membersWhere(conditionsOf(campaign, segment?.definition ?? null), start)}
    and a.member_since <= ${start.toISOString()} and c.blocked_at is null
    and not campaign_held_out(a.customer_id, ${start.toISOString()})
    and ${idleSince(campaign, start)} and ${birthdayWithin(campaign, start)}`;
}

function conditionsOf({ tierId }: Campaign, segment: Segment | null): Segment {
  const everybody: Segment = { fact: "balance", min: 0 };
  const ofTier: Segment = tierId === null ? everybody : { fact: "status", in: [String(tierId)] };
  return { all: [segment ?? everybody, ofTier] };
}

function idleSince({ idleMonths }: Campaign, start: Date): SQL {
  if (idleMonths === null) return sql`true`;
  return sql`coalesce((
    select max(s.sold_at) from shop_sale s
    where s.customer_id = a.customer_id and s.sold_at < ${start.toISOString()}), a.member_since)
    <= ${start.toISOString()}::timestamptz - make_interval(months => ${idleMonths})`;
}

/** A day around the birthday, which was there before the campaign, is one of the campaign's. */
function birthdayWithin({ birthdayDays, createdAt, endsAt }: Campaign, start: Date): SQL {
  if (birthdayDays === null) return sql`true`;
  const [from, to] = [
    sql`club_day(${start.toISOString()}::timestamptz) - ${birthdayDays}::integer`,
    sql`club_day(${endsAt.toISOString()}::timestamptz - interval '1 second') + ${birthdayDays}::integer`,
  ];
  return sql`coalesce(c.birthday_changed_at < ${createdAt.toISOString()}, true) and exists (
    select from generate_series(extract(year from ${from})::integer, extract(year from ${to})::integer) year
    where (c.birthday + make_interval(years => year - extract(year from c.birthday)::integer))::date between ${from} and ${to})`;
}

/** What each group has done in the window, once: later returns do not change a result that people have read. */
async function measure(database: Database, id: number, now: Date): Promise<void> {
  const [campaign] = await database.select().from(campaigns).where(eq(campaigns.id, id));
  if (!campaign) return;
  const result = await sumGroups(database, {
    members: sql`select customer_id, control from campaign_member where campaign_id = ${id}`,
    ...{ from: startOf(campaign), until: campaign.measuredUntil ?? campaign.endsAt, metric: campaign.metric },
    isOfCampaign: sql`campaign_id = ${id}`,
  });
  await database.insert(campaignResults).values({ campaignId: id, result, measuredAt: now }).onConflictDoNothing();
}

interface Measured {
  /** A query of customer_id and control. */
  members: SQL;
  from: Date;
  until: Date;
  metric: CampaignMetric;
  /** Which campaigns' points and vouchers are its cost. */
  isOfCampaign: SQL;
}

/** Purchases, revenue after returns and the cost of campaigns, summed over the members of each group. */
export async function sumGroups(
  database: Database,
  { members, from, until, metric, isOfCampaign }: Measured,
): Promise<MeasuredGroup[]> {
  const value = { purchases: sql`purchases`, revenue: sql`cents`, returning: sql`least(purchases, 1)` }[metric];
  const [start, end] = [sql`${from.toISOString()}::timestamptz`, sql`${until.toISOString()}::timestamptz`];
  const { rows } = await database.execute<MeasuredGroup & Record<string, unknown>>(sql`
    select control, count(*)::integer as members, avg(value)::float8 as mean, coalesce(var_samp(value), 0)::float8 as variance,
      sum(cents)::float8 as "revenueCents", sum(points)::float8 as points,
      case when control then 0 else (select coalesce(sum(u.cents), 0) from campaign_voucher_use u
        where ${isOfCampaign} and u.day >= club_day(${start}) and u.day < club_day(${end}))::float8 end as "voucherCents"
    from (
      select control, cents, points, ${value} as value from (
        select m.control, coalesce(done.purchases, 0) as purchases, coalesce(done.cents, 0) as cents,
          coalesce(done.points, 0) as points
        from (${members}) m left join (
          select s.customer_id, count(*) filter (where s.amends is null) as purchases,
            sum((select coalesce(sum((line ->> 'paidCents')::bigint), 0) from jsonb_array_elements(s.lines) line)
              - back.cents) as cents,
            sum(case when ${isOfCampaign} then s.campaign_points - back.points else 0 end) as points
          from shop_sale s cross join lateral (
            select coalesce(sum((select sum((refund ->> 'cents')::bigint) from jsonb_array_elements(r.refunds) refund)), 0) as cents,
              coalesce(sum(r.campaign_points), 0) as points
            from shop_return r
            where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied') back
          where s.sold_at >= ${start} and s.sold_at < ${end} and s.customer_id is not null
            and s.former_source is null and not shop_sale_voided(s.shop_id, s.number)
          group by s.customer_id) done on done.customer_id = m.customer_id) member) valued
    group by control order by control`);
  return rows;
}
