import type pg from "pg";
import { centsOf } from "#brand/amounts.ts";
import type { OpenPackage } from "#move/package/manifest.server.ts";
import type { Lost } from "#move/stage.server.ts";

/** What is counted in the old system, in the package and here. Amounts are in cents. */
export const measureNames = [
  "Members",
  "AccountsWithoutMembership",
  "PointsAvailable",
  "PointsPending",
  "VouchersOpen",
  "VoucherAmountOpen",
  "Newsletter",
  "NewsletterSms",
  "Cards",
] as const;
export type MeasureName = (typeof measureNames)[number];

export type Sums = Record<MeasureName, number> & { months: Map<string, number>; statuses: Map<string, number> };

export const monthOf = "to_char(club_day(expires_at), 'YYYY-MM')";
export const available = "coalesce(available_at, n.taken_at) <= n.taken_at";

/** What the staged rows add up to: before the rules what the package says, after them what is to be moved. */
export async function sumStage(client: pg.PoolClient): Promise<Sums> {
  const one = async (query: string) => (await client.query<Record<MeasureName, string>>(query)).rows[0];
  const list = async (query: string) =>
    new Map(
      (await client.query<{ name: string; total: string }>(query)).rows.map(({ name, total }) => [name, Number(total)]),
    );
  const row = {
    ...(await one(`select count(*) filter (where joined_at is not null and left_at is null) as "Members",
      count(*) filter (where joined_at is null) as "AccountsWithoutMembership",
      count(*) filter (where newsletter and linked is not true) as "Newsletter",
      count(*) filter (where newsletter_sms and linked is not true) as "NewsletterSms"
      from stage_members where fate is distinct from 'gone'`)),
    ...(await one(`select coalesce(sum(points) filter (where ${available}), 0) as "PointsAvailable",
      coalesce(sum(points) filter (where not ${available}), 0) as "PointsPending" from stage_lots cross join stage_now n`)),
    ...(await one(
      `select count(*) as "VouchersOpen", coalesce(sum(amount), 0) as "VoucherAmountOpen" from stage_vouchers`,
    )),
    ...(await one(`select count(*) as "Cards" from stage_cards`)),
  };
  const measures = Object.fromEntries(measureNames.map((name) => [name, Number(row[name] ?? 0)]));
  return {
    ...(measures as Record<MeasureName, number>),
    months: await list(`select ${monthOf} as name, sum(points) as total from stage_lots cross join stage_now n
      where ${available} group by 1`),
    statuses: await list(`select t.name, count(*) as total from stage_members s join stage_tiers t on t.rank = s.rank
      where s.joined_at is not null and s.left_at is null and s.fate is distinct from 'gone' group by t.rank, t.name`),
  };
}

/** What the manifest says of the old system. */
export function oldTotals({ manifest: { Totals } }: OpenPackage): Partial<Record<MeasureName, number>> {
  return { ...Totals, VoucherAmountOpen: centsOf(Totals.VoucherAmountOpen) };
}

/** Adds what rejected rows were worth. */
export function withLost(sums: Sums, lost: Lost): Sums {
  const months = new Map(sums.months);
  for (const [month, points] of lost.pointsByMonth) months.set(month, (months.get(month) ?? 0) + points);
  return {
    ...sums,
    months,
    Members: sums.Members + lost.members,
    PointsAvailable: sums.PointsAvailable + lost.points,
    PointsPending: sums.PointsPending + lost.pending,
    VouchersOpen: sums.VouchersOpen + lost.vouchers,
    VoucherAmountOpen: sums.VoucherAmountOpen + lost.voucherCents,
    Newsletter: sums.Newsletter + lost.newsletter,
    NewsletterSms: sums.NewsletterSms + lost.newsletterSms,
    Cards: sums.Cards + lost.cards,
  };
}
