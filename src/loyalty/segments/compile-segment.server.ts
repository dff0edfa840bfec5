import { type SQL, sql } from "drizzle-orm";
import { defaultProgrammeId, programmeAt } from "#loyalty/programme/programme.server.ts";
import { type Condition, conditionsOf, type Fact, isCondition, type Segment, thisMonth } from "./segment.ts";

const most = 2_147_483_647;
/** A century, longer than anybody is a member. PostgreSQL has no time before 4713 BC, and a sale would fail on it. */
const mostDaysAgo = 36_600;

/**
 * Members of a segment, as the tables and the condition of a statement over `loyalty_account a` and `customer c`: what was
 * chosen is a parameter, and no part of it is ever text of the statement. Sales are read once, however many conditions are
 * about them, and grouped by customer, so that PostgreSQL joins them as a whole where all members are asked, and reads them by
 * their index where one is.
 */
export function membersWhere(segment: Segment, now: Date | SQL): SQL {
  const moment = now instanceof Date ? sql`${now.toISOString()}::timestamptz` : now;
  const aboutSales = conditionsOf(segment).filter(({ fact }) => fact in saleValues);
  return sql`loyalty_account a join customer c on c.id = a.customer_id ${joinSales(aboutSales, moment)}
    where a.state = 'active' and ${compileSegment(segment, moment, aboutSales)}`;
}

/** `aboutSales`: the conditions whose values `joinSales` finds, in its order. */
function compileSegment(segment: Segment, now: SQL, aboutSales: Condition[]): SQL {
  if (isCondition(segment)) return compileCondition(segment, now, saleColumn(aboutSales.indexOf(segment)));
  if ("not" in segment) return sql`not (${compileSegment(segment.not, now, aboutSales)})`;
  const [parts, word] = "all" in segment ? [segment.all, sql` and `] : [segment.any, sql` or `];
  return sql`(${sql.join(
    parts.map((part) => compileSegment(part, now, aboutSales)),
    word,
  )})`;
}

function compileCondition(condition: Condition, now: SQL, ofSales: SQL): SQL {
  const { fact, days, in: chosen = [] } = condition;
  const { min = 0, max = most } = condition;
  const between = sql`between ${min}::bigint and ${max}::bigint`;
  const numbers = sql`${sql.param(chosen.map(Number))}::integer[]`;
  const ago = (asked: number) => sql`${now} - make_interval(days => ${Math.min(asked, mostDaysAgo)}::integer)`;
  const daysAgo = (moment: SQL) => sql`${moment} between ${ago(max)} and ${ago(min)}`;
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
    case "spent":
      return min > 0 ? sql`coalesce(${ofSales} ${between}, false)` : sql`coalesce(${ofSales}, 0) <= ${max}::bigint`;
    case "last_purchase":
    case "first_purchase":
      return sql`coalesce(${daysAgo(ofSales)}, false)`;
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

/** What is computed of a customer's sales that fit a condition. */
const saleValues: Partial<Record<Fact, (condition: Condition) => SQL>> = {
  purchases: () => sql`count(*)`,
  spent: (condition) => sql`sum(${paidOf(condition)})`,
  last_purchase: () => sql`max(g.sold_at)`,
  first_purchase: () => sql`min(g.sold_at)`,
};
const saleColumn = (index: number) => sql.raw(`bought.value_${index}`);

/**
 * A value for each condition about sales, by customer; none of customers without a sale. Amendments count for nothing, nor do
 * sales that were voided: shop_sale_voided says the same, but PostgreSQL would call it for each sale.
 */
function joinSales(conditions: Condition[], now: SQL): SQL {
  if (conditions.length === 0) return sql``;
  const values = conditions.map((condition, index) => {
    const value = saleValues[condition.fact]?.(condition);
    return sql`${value} filter (where ${saleFits(condition, now)}) as ${sql.raw(`value_${index}`)}`;
  });
  const longest = Math.max(...conditions.map(({ days }) => days ?? Number.POSITIVE_INFINITY));
  return sql`left join (
    select g.customer_id, ${sql.join(values, sql`, `)} from shop_sale g
    where g.customer_id is not null and g.amends is null and not exists (
        select from shop_return v
        where v.sale_shop_id = g.shop_id and v.sale_number = g.number and v.kind = 'void' and v.state = 'applied')
      and ${Number.isFinite(longest) ? soldWithin(longest, now) : sql`true`}
    group by g.customer_id) bought on bought.customer_id = a.customer_id`;
}

const soldWithin = (days: number, now: SQL) => sql`g.sold_at > ${now} - make_interval(days => ${days}::integer)`;

/** Whether a sale is of the shop, with the code, of the price type and in the window that a condition asks for. */
function saleFits(condition: Condition, now: SQL): SQL {
  const { days, shopId, code, priceType } = condition;
  const parts = [
    sql`true`,
    days !== undefined && soldWithin(days, now),
    shopId !== undefined && sql`g.shop_id = ${shopId}::integer`,
    (code !== undefined || priceType !== undefined) &&
      sql`exists (select from jsonb_array_elements(g.lines) line where ${lineFits(condition)})`,
  ];
  return sql`(${sql.join(
    parts.filter((part) => part !== false),
    sql` and `,
  )})`;
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

/** What was paid for such lines of a sale, less what was given back. */
function paidOf(condition: Condition): SQL {
  const all = condition.code === undefined && condition.priceType === undefined;
  const lines = sql`jsonb_array_elements(g.lines) line where ${all ? sql`true` : lineFits(condition)}`;
  return sql`(select coalesce(sum((line ->> 'paidCents')::bigint), 0) from ${lines}) - coalesce((
    select sum((refund ->> 'cents')::bigint) from shop_return r cross join jsonb_array_elements(r.refunds) refund
    where r.sale_shop_id = g.shop_id and r.sale_number = g.number and r.state = 'applied'
      and ${all ? sql`true` : sql`refund ->> 'line' in (select line ->> 'line' from ${lines})`}), 0)`;
}
