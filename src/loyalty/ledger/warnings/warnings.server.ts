import { type SQL, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { type EmailContext, queueEmail } from "#loyalty/emails/emails.server.ts";
import {
  expiryEmail,
  keptPointsEmail,
  statusEndsEmail,
  vouchersEndEmail,
} from "#loyalty/emails/warning-emails.server.ts";
import { programmeAt } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { EmailContent } from "#platform/mail/mail.server.ts";
import type { Subject } from "./warning.tables.server.ts";
import { warnings } from "./warning.tables.server.ts";

/** How many days ahead an email is sent. The nearest comes first: a customer who gets that one needs none of the others. */
export const stages = [7, 30];
/** How many days before the first of their points expire former members are told, once and of all their points. */
const formerMemberDays = 30;
/** An email also tells of the days after, so that a person who shops every day gets one email a week. */
const aheadDays = 7;
const batchSize = 5_000;

interface Window {
  now: Date;
  /** Something ends within so many days, and was in no email of this stage. */
  days: number;
  /** Customers up to this one are done. */
  after: number;
}

interface Warning {
  customerId: number;
  locale: Locale;
  /** The last moment of what the email tells of, and its day. */
  until: string;
  day: string;
  points?: number;
}

interface Points extends Warning {
  points: number;
  /** The points that the balance lacks for the cheapest reward. */
  missing: number;
}
interface KeptPoints extends Warning {
  points: number;
  firstDay: string;
}
interface Vouchers extends Warning {
  vouchers: { code: string; cents: number; day: string }[];
}
interface Status extends Warning {
  name: Record<Locale, string>;
  missing: number;
  months: number;
  /** After so many the points of a purchase count. */
  pendingDays: number;
}

/** What was told before, at this stage. */
const told = (subject: Subject, days: number, customerId: SQL) => sql`coalesce((
  select until from loyalty_warning
  where customer_id = ${customerId} and subject = ${subject} and days = ${days}::integer), '-infinity')`;

/** The end of the club's day, so many days from today (db/functions/club_day_end.sql). */
const endOfDay = (now: Date, days: number) =>
  sql`club_day_end(club_day(${now.toISOString()}::timestamptz) + ${days}::integer)`;

const soon = ({ now, days }: Window, column: SQL) =>
  sql`${column} > ${now.toISOString()}::timestamptz and ${column} <= ${endOfDay(now, days + aheadDays)}`;
const within = ({ now, days }: Window, column: SQL) => sql`min(${column}) <= ${endOfDay(now, days)}`;

/** Members' points. By the index loyalty_lot_due. */
const points = (window: Window) => sql`
  select lot.customer_id::float8 as "customerId", c.language as locale, sum(lot.remaining)::integer as points,
    max(lot.expires_at)::text as until, club_day(max(lot.expires_at))::text as day,
    greatest(0, (select min(r.points) from ${programmeAt(sql`a.programme_id`, window.now)} p
      join loyalty_reward r on r.programme_id = p.id) - a.balance + loyalty_debt_of(a.customer_id)) as missing
  from loyalty_lot lot
  join loyalty_account a on a.customer_id = lot.customer_id and a.state = 'active'
  join customer c on c.id = lot.customer_id
  where lot.remaining > 0 and ${soon(window, sql`lot.expires_at`)} and lot.customer_id > ${window.after}
    and lot.expires_at > ${told("points", window.days, sql`lot.customer_id`)}
  group by lot.customer_id, c.language, a.customer_id
  having ${within(window, sql`lot.expires_at`)}
  order by lot.customer_id limit ${batchSize}`;

/**
 * All points of former members. One who left in the last week has just read it on the page. By the index loyalty_lot_due.
 */
const keptPoints = ({ now, days, after }: Window) => sql`
  select a.customer_id::float8 as "customerId", c.language as locale, kept.points,
    kept.until::text as until, club_day(kept.until)::text as day, club_day(kept.first)::text as "firstDay"
  from (
    select distinct lot.customer_id from loyalty_lot lot
    where lot.remaining > 0 and lot.expires_at > ${now.toISOString()}::timestamptz
      and lot.expires_at <= ${endOfDay(now, days)} and lot.customer_id > ${after}
      and lot.expires_at > ${told("kept_points", days, sql`lot.customer_id`)}
  ) due
  join loyalty_account a on a.customer_id = due.customer_id and a.state = 'left'
    and a.left_at < ${now.toISOString()}::timestamptz - interval '7 days'
  join customer c on c.id = a.customer_id
  cross join lateral (
    select sum(remaining)::integer as points, min(expires_at) as first, max(expires_at) as until from loyalty_lot
    where customer_id = a.customer_id and remaining > 0 and expires_at > ${now.toISOString()}::timestamptz
  ) kept
  order by a.customer_id limit ${batchSize}`;

/**
 * Vouchers stay valid for who has left. One obtained in the last week has just been mailed. By the index
 * loyalty_voucher_end.
 */
const vouchers = (window: Window) => sql`
  select v.customer_id::float8 as "customerId", c.language as locale,
    json_agg(json_build_object('code', v.code, 'cents', v.amount_cents, 'day', club_day(v.expires_at))
      order by v.expires_at, v.id) as vouchers,
    max(v.expires_at)::text as until, club_day(max(v.expires_at))::text as day
  from loyalty_voucher v
  join customer c on c.id = v.customer_id
  where v.used_at is null and ${soon(window, sql`v.expires_at`)} and v.customer_id > ${window.after}
    and not exists (select from loyalty_voucher_use u where u.code = v.code)
    and not exists (select from loyalty_voucher_cancel x where x.code = v.code)
    and v.obtained_at < ${window.now.toISOString()}::timestamptz - interval '7 days'
    and v.expires_at > ${told("voucher", window.days, sql`v.customer_id`)}
  group by v.customer_id, c.language
  having ${within(window, sql`v.expires_at`)}
  order by v.customer_id limit ${batchSize}`;

/**
 * A status ends when the points of a day a year ago stop counting, so only customers who earned points on those days are
 * looked at, by the index loyalty_earned_day_day; also by the months of earlier versions, which promised an end
 * (db/functions/loyalty_kept_status.sql).
 */
const statuses = ({ now, days, after }: Window) => sql`
  select earner.customer_id::float8 as "customerId", c.language as locale, tier.name, held.missing,
    p.tier_months as months, p.pending_days as "pendingDays",
    club_day_end(held.until)::text as until, held.until::text as day
  from (select distinct coalesce(version_of, id) as programme_id from loyalty_programme) club
  cross join lateral ${programmeAt(sql`club.programme_id`, now)} p
  cross join lateral (select club_day(${now.toISOString()}::timestamptz) as today) clock
  cross join lateral (
    select distinct earned.customer_id
    from (
      select distinct tier_months from loyalty_programme
      where coalesce(version_of, id) = club.programme_id and withdrawn_at is null and starts_at <= p.starts_at
    ) version
    cross join lateral (
      select customer_id from loyalty_earned_day
      where day between (today - make_interval(months => version.tier_months))::date - 1
        and (today + ${days}::integer - make_interval(months => version.tier_months))::date + 1
        and customer_id > ${after}
    ) earned
  ) earner
  join loyalty_account a on a.customer_id = earner.customer_id and a.programme_id = club.programme_id and a.state = 'active'
  join customer c on c.id = earner.customer_id
  cross join lateral loyalty_status(earner.customer_id, p.id, p.tier_months, today) held
  join loyalty_tier tier on tier.programme_id = p.id and tier.id = held.tier_id
  where held.until between today and today + ${days}::integer
    and club_day_end(held.until) > ${told("status", days, sql`earner.customer_id`)}
  order by earner.customer_id limit ${batchSize}`;

/** What ends soon and was not told, by customer. */
export const endingSoon = { points, keptPoints, vouchers, statuses };

/**
 * Emails about what ends soon: points, vouchers, a status. They are part of the membership, like a voucher's code, and need
 * no opt-in. Each is queued in the transaction that marks it as told, so it is written once, however often the job is
 * killed or runs at the same time.
 */
export async function warnAll(database: Database, publicUrl: string, now: Date): Promise<void> {
  const context = ({ locale }: Warning) => ({ locale, publicUrl });
  const run = async <Row extends Warning>(
    { subject, days }: { subject: Subject; days: number },
    select: (window: Window) => SQL,
    write: (context: EmailContext, firstname: string, row: Row) => EmailContent,
  ) => {
    for (let after = 0; ; ) {
      const { rows } = await database.execute(select({ now, days, after }));
      const due = rows as unknown as Row[];
      for (const row of due)
        await warn(database, { subject, days, row, write: (firstname) => write(context(row), firstname, row) });
      if (due.length < batchSize) return;
      after = due.at(-1)?.customerId ?? after;
    }
  };
  for (const days of stages) {
    await run<Points>({ subject: "points", days }, points, expiryEmail);
    await run<Vouchers>({ subject: "voucher", days }, vouchers, vouchersEndEmail);
    await run<Status>({ subject: "status", days }, statuses, statusEndsEmail);
  }
  await run<KeptPoints>({ subject: "kept_points", days: formerMemberDays }, keptPoints, keptPointsEmail);
}

async function warn(
  database: Database,
  told: { subject: Subject; days: number; row: Warning; write: (firstname: string) => EmailContent },
): Promise<void> {
  const { subject, days, row } = told;
  const { customerId, until, day, locale } = row;
  await database.transaction(async (tx) => {
    if (!(await lockCustomer(tx, customerId))) return;
    // Marked first, so that of two processes that run the job at once only one queues the email.
    const marked = await tx
      .insert(warnings)
      .values(stages.filter((stage) => stage >= days).map((stage) => ({ customerId, subject, days: stage, until })))
      .onConflictDoUpdate({
        target: [warnings.customerId, warnings.subject, warnings.days],
        set: { until: sql`excluded.until` },
        setWhere: sql`${warnings.until} < excluded.until`,
      })
      .returning({ days: warnings.days });
    if (!marked.some((mark) => mark.days === days)) return;
    await queueEmail(tx, customerId, `lapse:${subject}:${days}:${customerId}:${day}`, locale, told.write);
    // The webhooks' event points.expiring (db/functions/webhook_points_expiring.sql).
    if (row.points !== undefined)
      await tx.execute(
        sql`select webhook_points_expiring(${customerId}::bigint, ${row.points}::integer, ${until}::timestamptz)`,
      );
  });
}
