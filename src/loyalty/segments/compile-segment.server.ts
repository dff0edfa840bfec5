import { type SQL, sql } from "drizzle-orm";
import { defaultProgrammeId, programmeAt } from "#loyalty/programme/programme.server.ts";
import { type Condition, isCondition, type Segment, thisMonth } from "./segment.ts";

const most = 2_147_483_647;

/**
 * A segment as one condition of a statement over `loyalty_account a` and `customer c`: what was chosen is a parameter, and
 * no part of it is ever text of the statement. What is counted stands in a grouped subquery by customer, which PostgreSQL
 * joins as a whole where all members are asked, and reads by its index where one is.
 */
export function compileSegment(segment: Segment, now: Date | SQL): SQL {
  if (now instanceof Date) return compileSegment(segment, sql`${now.toISOString()}::timestamptz`);
  if (isCondition(segment)) return compileCondition(segment, now);
  if ("not" in segment) return sql`not (${compileSegment(segment.not, now)})`;
  const [parts, word] = "all" in segment ? [segment.all, sql` and `] : [segment.any, sql` or `];
  return sql`(${sql.join(
    parts.map((part) => compileSegment(part, now)),
    word,
  )})`;
}

/** Members of a segment: the tables that a compiled segment is about, and who counts at all. */
export const membersWhere = (segment: Segment, now: Date | SQL): SQL =>
  sql`loyalty_account a join customer c on c.id = a.customer_id where a.state = 'active' and ${compileSegment(segment, now)}`;

function compileCondition(condition: Condition, now: SQL): SQL {
  const { fact, days, in: chosen = [] } = condition;
  const { min = 0, max = most } = condition;
  const between = sql`between ${min}::bigint and ${max}::bigint`;
  const numbers = sql`${sql.param(chosen.map(Number))}::integer[]`;
  const daysAgo = (moment: SQL) =>
    sql`${moment} between ${now} - make_interval(days => ${Math.min(max, 36_600)}::integer) and ${now} - make_interval(days => ${min}::integer)`;
  /** Customers by what a query, grouped by customer, finds; with nothing found where 0 fits too. */
  const grouped = (rows: SQL, value: SQL) => {
    const fits = sql`exists (select from (select g.customer_id from ${rows} group by g.customer_id having ${value} ${between}) found
      where found.customer_id = a.customer_id)`;
    if (min > 0) return fits;
    return sql`not exists (select from (select g.customer_id from ${rows} group by g.customer_id having ${value} > ${max}::bigint) found
      where found.customer_id = a.customer_id)`;
  };
  switch (fact) {
    case "status":
      return sql`(select t.id from ${programmeAt(defaultProgrammeId, now)} p
        cross join lateral loyalty_tier_for(p.id, loyalty_status_points(a.customer_id, p.id, p.tier_months, club_day(${now}))) t)
        = any (${numbers})`;
    case "balance":
      return sql`a.balance ${between}`;
    case "expiring": {
      const end = sql`${now} + make_interval(days => ${days ?? 0}::integer)`;
      return grouped(
        sql`loyalty_lot g where g.remaining > 0 and g.expires_at > ${now} and g.expires_at <= ${end}`,
        sql`sum(g.remaining)`,
      );
    }
    case "purchases":
      return grouped(salesOf(condition, now), sql`count(*)`);
    case "spent":
      return grouped(salesOf(condition, now), sql`sum(${paidOf(condition)})`);
    case "last_purchase":
    case "first_purchase": {
      const moment = fact === "last_purchase" ? sql`max(g.sold_at)` : sql`min(g.sold_at)`;
      return sql`exists (select from (
          select g.customer_id from ${salesOf(condition, now)} group by g.customer_id having ${daysAgo(moment)}) found
        where found.customer_id = a.customer_id)`;
    }
    case "joined":
      return daysAgo(sql`a.member_since`);
    case "birthday_month": {
      const months = sql.param(chosen.filter((one) => one !== thisMonth).map(Number));
      const isNow = sql`extract(month from c.birthday) = extract(month from club_day(${now}))`;
      return sql`(coalesce(extract(month from c.birthday) = any (${months}::integer[]), false)
        ${chosen.includes(thisMonth) ? sql`or coalesce(${isNow}, false)` : sql``})`;
    }
    case "language":
      return sql`c.language = any (${sql.param(chosen)}::text[])`;
    case "joined_in":
      return sql`exists (select from shop_registration r where r.customer_id = a.customer_id and r.shop_id = any (${numbers}))`;
    case "consent":
      return sql`(${chosen.includes("email") ? sql`c.newsletter` : sql`true`} and ${chosen.includes("sms") ? sql`c.newsletter_sms` : sql`true`})`;
    case "vouchers": {
      const open = sql`g.expires_at > ${now}`;
      const ended = sql`g.expires_at <= ${now}`;
      const which = chosen.includes("open") ? (chosen.includes("unused") ? sql`true` : open) : ended;
      return grouped(
        sql`loyalty_voucher g where g.used_at is null and ${which}
          and not exists (select from loyalty_voucher_use u where u.code = g.code)
          and not exists (select from loyalty_voucher_cancel x where x.code = g.code and x.cancelled_at is not null)`,
        sql`count(*)`,
      );
    }
    case "imported":
      return sql`exists (select from move_member m where m.customer_id = a.customer_id)`;
  }
}

/** Lines of a sale that a condition asks for, as one condition on `line`. */
function lineFits({ code, priceType }: Condition): SQL {
  const ofType = priceType && sql`coalesce(line ->> 'priceType', 'full') = ${priceType}::text`;
  const withCode = code && sql`line -> 'codes' ? ${code}::text`;
  return sql.join(
    [ofType, withCode].filter((part) => part !== undefined),
    sql` and `,
  );
}

/** Purchases that count: not voided, no amendments; of a shop, with a code or of a price type, and in a window where it is asked. */
function salesOf(condition: Condition, now: SQL): SQL {
  const { days, shopId, code, priceType } = condition;
  const parts = [
    sql`g.customer_id is not null and g.amends is null and not shop_sale_voided(g.shop_id, g.number)`,
    days !== undefined && sql`g.sold_at > ${now} - make_interval(days => ${days}::integer)`,
    shopId !== undefined && sql`g.shop_id = ${shopId}::integer`,
    (code !== undefined || priceType !== undefined) &&
      sql`exists (select from jsonb_array_elements(g.lines) line where ${lineFits(condition)})`,
  ];
  return sql`shop_sale g where ${sql.join(
    parts.filter((part) => part !== false),
    sql` and `,
  )}`;
}

/** What was paid for such lines of a sale, less what was given back. */
function paidOf(condition: Condition): SQL {
  const fits = condition.code === undefined && condition.priceType === undefined ? sql`true` : lineFits(condition);
  return sql`(select coalesce(sum((line ->> 'paidCents')::bigint - coalesce((
      select sum((refund ->> 'cents')::bigint) from shop_return r cross join jsonb_array_elements(r.refunds) refund
      where r.sale_shop_id = g.shop_id and r.sale_number = g.number and r.state = 'applied'
        and refund ->> 'line' = line ->> 'line'), 0)), 0)
    from jsonb_array_elements(g.lines) line where ${fits})`;
}
