import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { addDays, type Period } from "./period.server.ts";

/** A stored metric of one part (a shop, or 0): in the period, in the one before, and everything up to the ends of both. */
export interface StoredMetric {
  metric: string;
  part: number;
  count: number;
  amount: number;
  previousCount: number;
  previousAmount: number;
  countAtEnd: number;
  amountAtEnd: number;
  countAtPreviousEnd: number;
  amountAtPreviousEnd: number;
}

export interface StoredMetrics {
  metrics: StoredMetric[];
  /** Points issued, by day, of both periods. Days without any are absent. */
  days: { day: string; shopId: number; points: number }[];
  /** Points not spent and not lapsed, as they are now, by the month in which they lapse and the tier they were earned in. */
  outstanding: { month: string; tierId: number; points: number }[];
  /** Points of purchases that have not arrived yet, as they are now. */
  pending: number;
  shops: { id: number; name: string }[];
  /** Those that began in the period. */
  campaigns: { day: string; name: Record<Locale, string>; shopId: number | null }[];
}

/** The mean of a day takes in as many days before it. */
export const meanDays = 6;

/**
 * Everything in one statement, so that all of it is of one moment. The rows are those of days, metrics and shops: their
 * number does not grow with that of customers. What lapses today has not lapsed yet.
 */
export async function readStoredMetrics(
  queries: Queries,
  period: Period,
  before: Period,
  today: string,
): Promise<StoredMetrics> {
  const [from, to, previousFrom, previousTo] = [period.from, period.to, before.from, before.to];
  const inPeriod = sql`day >= ${from}::date and day <= ${to}::date`;
  const inPrevious = sql`day >= ${previousFrom}::date and day <= ${previousTo}::date`;
  const sum = (column: "count" | "amount", where: ReturnType<typeof sql>) =>
    sql`coalesce(sum(${sql.identifier(column)}) filter (where ${where}), 0)::bigint`;
  const both = (where: ReturnType<typeof sql>, names: [string, string]) =>
    sql`${sum("count", where)} as ${sql.identifier(names[0])}, ${sum("amount", where)} as ${sql.identifier(names[1])}`;
  const { rows } = await queries.execute<{ read: StoredMetrics }>(sql`
    select json_build_object(
      'metrics', (select coalesce(json_agg(k), '[]') from (
        select metric, part, ${both(inPeriod, ["count", "amount"])},
          ${both(inPrevious, ["previousCount", "previousAmount"])},
          ${both(sql`true`, ["countAtEnd", "amountAtEnd"])},
          ${both(sql`day <= ${previousTo}::date`, ["countAtPreviousEnd", "amountAtPreviousEnd"])}
        from metric_all
        where metric not in ('outstanding', 'pending') and day <= ${to}::date and (metric <> 'voucher_open' or day < ${today}::date)
        group by metric, part) k),
      'days', (select coalesce(json_agg(d), '[]') from (
        select day, part as "shopId", sum(amount)::bigint as points from metric_all
        where metric like 'issued\\_%' and day >= ${addDays(previousFrom, -meanDays)}::date and day <= ${to}::date
        group by day, part) d),
      'outstanding', (select coalesce(json_agg(o), '[]') from (
        select to_char(day, 'YYYY-MM') as month, part as "tierId", sum(amount)::bigint as points from metric_all
        where metric = 'outstanding' group by day, part having sum(amount) > 0 order by day, part) o),
      'pending', (select coalesce(sum(amount), 0)::bigint from metric_all where metric = 'pending'),
      'campaigns', (select coalesce(json_agg(c order by c.day), '[]') from (
        select club_day(began) as day, name, shop_id as "shopId"
        from campaign cross join lateral (select greatest(starts_at, approved_at) as began) b
        where approved_at is not null and club_day(began) between ${from}::date and ${to}::date
          and coalesce(ended_at, ends_at) > began) c),
      'shops', (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name, id), '[]') from shop)
    ) as read`);
  const read = rows[0]?.read;
  if (!read) throw new Error("The metrics returned no row.");
  return read;
}
