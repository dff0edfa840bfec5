import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { normalisePhone, readablePhone } from "#identity/customer/phone.server.ts";
import { claimCode, voucherCode } from "#loyalty/card/code-alphabet.ts";
import { programmeAt } from "#loyalty/programme/programme.server.ts";
import { type CsvColumn, csvHeads, csvMoment } from "#office/csv-words.server.ts";
import { csvResponse } from "#platform/api/csv.server.ts";
import { decodeCursor, encodeCursor } from "#platform/api/cursor.server.ts";
import type { Database } from "#platform/database/database.server.ts";

const pageRows = 50;
const csvPageRows = 500;

/** After whom a page begins: the name as it is sorted, and the id. */
const afterCustomer = z.tuple([z.string().refine((name) => !name.includes("\0")), z.int()]);
type After = z.infer<typeof afterCustomer>;

interface FoundCustomer extends Record<string, unknown> {
  id: string;
  /** Only like what was typed. */
  similar: boolean;
  key: string;
  firstname: string;
  lastname: string;
  email: string;
  phone: string | null;
  created_at: string;
  blocked: boolean;
  state: "active" | "left" | null;
  card: string | null;
  points: number | null;
  tier: Record<Locale, string> | null;
}

/** How a search is understood: everybody, a person by a number or an address, or the beginning of a name. */
type Search = { by: "all" } | { by: "exact"; match: SQL } | { by: "name"; name: string };

/** What has a digit or an @, or is a code without digits, names a person exactly; the rest is a name. */
function understand(text: string, locale: Locale): Search {
  if (text === "") return { by: "all" };
  const plain = text.replace(/[\s.-]/g, "").toUpperCase();
  const isCode = voucherCode.test(plain) || claimCode.test(plain);
  if (!/[\d@]/.test(text) && !isCode) return { by: "name", name: text };
  const ways: SQL[] = [];
  if (/^29\d{11}$/.test(plain)) ways.push(sql`select customer_id from loyalty_card where number = ${plain}`);
  if (isCode)
    ways.push(
      sql`select customer_survivor(customer_id) from loyalty_voucher_code where code = ${plain}`,
      sql`select customer_id from shop_sale where claim_code = ${plain}`,
    );
  const email = text.includes("@") ? normaliseEmail(text) : undefined;
  if (email) ways.push(sql`select customer_id from customer_email where email = ${email}`);
  const phone = /^[+\d][\d\s().-]+$/.test(text) ? normalisePhone(text, locale) : undefined;
  if (phone)
    ways.push(sql`(select id from customer where mobile_phone = ${phone} and not guest order by id limit ${pageRows})`);
  // As people say a number: its last digits. Four of them are in an index.
  const ends = (number: SQL) => sql`right(${number}, 4) = ${plain.slice(-4)} and ${number} like ${`%${plain}`}`;
  if (/^\d{4,8}$/.test(plain))
    ways.push(
      sql`(select customer_id from loyalty_account where ${ends(sql`card_number`)} order by 1 limit ${pageRows})`,
      sql`(select id from customer where ${ends(sql`mobile_phone`)} and not guest order by id limit ${pageRows})`,
    );
  // By shop, so that the receipt's own key finds it.
  ways.push(
    sql`select s.customer_id from shop join shop_sale s on s.shop_id = shop.id and s.number = ${text}`,
    sql`select s.customer_id from shop join shop_return r on r.shop_id = shop.id and r.number = ${text}
      join shop_sale s on s.shop_id = r.sale_shop_id and s.number = r.sale_number`,
  );
  return { by: "exact", match: sql.join(ways, sql` union `) };
}

/** Without accents and capitals, as the indexes have them (db/functions/name_folded.sql). */
const firstLast = sql`name_folded(c.firstname || ' ' || c.lastname)`;
const lastFirst = sql`name_folded(c.lastname || ' ' || c.firstname)`;

/**
 * Who is found, in the order of the list, after a person: an index is read from that place on, so that every page costs
 * the same (db/migrations/0001_baseline.sql). Anyone who matches in both orders is listed by the first.
 */
function keysOf(search: Search, after: After | undefined, limit: number | null): SQL {
  const most = sql`limit ${limit}::integer`;
  if (search.by === "all")
    return sql`select c.id, '' as key, -c.id as place from customer c
      where not c.guest ${after ? sql`and c.id < ${after[1]}` : sql``} order by c.id desc ${most}`;
  if (search.by === "exact")
    return sql`select found.customer_id as id, '' as key, found.customer_id as place
      from (${search.match}) found (customer_id)
      where found.customer_id > ${after?.[1] ?? 0} order by 1 ${most}`;
  const beginning = sql`name_folded(${search.name}) collate "C"`;
  const matches = (name: SQL) => sql`${name} >= ${beginning} and ${name} < (${beginning} || chr(1114111)) collate "C"`;
  const half = (name: SQL, more: SQL) => sql`(
    select c.id, ${name} collate "C" as key, c.id as place from customer c
    where ${matches(name)} ${more} and not c.guest
      ${after ? sql`and (${name}, c.id) > (${after[0]}::text collate "C", ${after[1]}::bigint)` : sql``}
    order by ${name} collate "C", c.id ${most})`;
  return sql`select * from (
    ${half(firstLast, sql``)} union all ${half(lastFirst, sql`and not (${matches(firstLast)})`)}
  ) both_orders order by key, id ${most}`;
}

/**
 * Customers who are like the text follow where a search has found no one, or a page of them when it is meant to be wide
 * (db/functions/customers_alike.sql, db/functions/name_parts.sql, db/functions/name_spellings.sql). In the same statement: planning
 * it takes longer than most searches.
 */
function withSimilar(keys: SQL, { text, wide }: { text: string; wide: boolean }): SQL {
  return sql`
    with found as materialized (${keys}), alike as materialized (
      select a.id, a.place from customers_alike(${text}::text, not ${wide}::boolean or not exists (select from found),
        array(select id from found)) a
      where not exists (select from found) or ${wide}::boolean and (select count(*) from found) <= ${pageRows})
    select id, key, place, false as similar from found
    union all select id, '', place, true from alike`;
}

async function readPage(
  database: Database,
  search: Search,
  asked: { after: After | undefined; limit: number; now: Date; similar?: { text: string; wide: boolean } | undefined },
) {
  const found = keysOf(search, asked.after, asked.limit);
  const keys = asked.similar
    ? withSimilar(found, asked.similar)
    : sql`select *, false as similar from (${found}) found`;
  const moment = sql`${asked.now.toISOString()}::timestamptz`;
  const { rows } = await database.execute<FoundCustomer>(sql`
    select found.id, found.similar, found.key, c.firstname, c.lastname, c.email, c.mobile_phone as phone, c.created_at,
      c.blocked_at is not null as blocked, a.state, a.card_number as card, points.available as points,
      ranks.name as tier
    from (${keys}) found
    join customer c on c.id = found.id and not c.guest
    left join loyalty_account a on a.customer_id = c.id
    left join lateral (
      select (a.balance - coalesce(sum(l.remaining), 0))::integer as available from loyalty_lot l
      where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= ${moment}
    ) points on a.customer_id is not null
    left join lateral (
      select t.name from ${programmeAt(sql`a.programme_id`, moment)} p
      cross join lateral loyalty_tier_for(
        p.id, loyalty_status_points(a.customer_id, p.id, p.tier_months, club_day(${moment}))) t
      where a.state = 'active'
    ) ranks on true
    order by found.similar, found.key collate "C", found.place`);
  return rows;
}

/** A page of the customers that a search finds. */
export async function findCustomers(
  database: Database,
  asked: { Search?: string | undefined; Wide?: boolean | undefined; Cursor?: string | undefined },
  { locale, now }: { locale: Locale; now: Date },
) {
  const { Search: text = "", Wide = false, Cursor } = asked;
  const search = understand(text, locale);
  const after = decodeCursor(Cursor, afterCustomer);
  const similar = after || text === "" ? undefined : { text, wide: Wide };
  const rows = await readPage(database, search, { after, limit: pageRows + 1, now, similar });
  const found = rows.filter((row) => !row.similar);
  const page = found.slice(0, pageRows);
  const last = page.at(-1);
  return {
    Customers: [...page, ...rows.filter((row) => row.similar)].map((row) => ({
      IdCustomer: Number(row.id),
      Firstname: row.firstname,
      Lastname: row.lastname,
      Email: row.email,
      MobilePhone: row.phone && readablePhone(row.phone),
      CardNumber: row.card,
      State: stateOf(row),
      Tier: row.tier?.[locale] ?? null,
      Points: row.points,
      Blocked: row.blocked,
      Similar: row.similar,
      CreatedAt: new Date(row.created_at).toISOString(),
    })),
    NextCursor: last && found.length > pageRows ? encodeCursor([last.key, Number(last.id)]) : null,
  };
}

const stateOf = ({ state }: Pick<FoundCustomer, "state">) =>
  state === "active" ? ("member" as const) : state === "left" ? ("left" as const) : ("none" as const);

const stateTexts = {
  member: "office.customers.member",
  left: "office.customers.left",
  none: "office.customers.outside",
} as const;
const stateIn = (row: FoundCustomer, locale: Locale) => textsOf[locale].t(stateTexts[stateOf(row)]);

const csvColumns: CsvColumn[] = [
  ...(["IdCustomer", "Firstname", "Lastname", "Email", "MobilePhone", "CardNumber"] as const),
  ...(["State", "Tier", "Points", "Blocked", "CreatedAt"] as const),
];

/** About how many customers a search finds, by the planner's statistics: counting them would read them all. */
export async function estimateCustomers(database: Database, text: string, locale: Locale): Promise<number> {
  const { rows } = await database.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    sql`explain (format json) ${keysOf(understand(text, locale), undefined, null)}`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

/** The same list as a file, read page by page, each in a query of its own. */
export function customersAsCsv(
  database: Database,
  text: string,
  { wide, estimatedRows, locale, now }: { wide: boolean; estimatedRows: number; locale: Locale; now: Date },
): Response {
  const search = understand(text, locale);
  const lines = (rows: FoundCustomer[]) =>
    rows.map((row) => [
      ...[Number(row.id), row.firstname, row.lastname, row.email, row.phone, row.card],
      ...[stateIn(row, locale), row.tier?.[locale] ?? null, row.points, row.blocked ? 1 : 0],
      csvMoment(row.created_at),
    ]);
  async function* pages() {
    for (let after: After | undefined; ; ) {
      const similar = after || text === "" ? undefined : { text, wide };
      const rows = await readPage(database, search, { after, limit: csvPageRows, now, similar });
      yield lines(rows);
      const last = rows.findLast((row) => !row.similar);
      if (!last || rows.length < csvPageRows) return;
      after = [last.key, Number(last.id)];
    }
  }
  return csvResponse({
    fileName: "customers.csv",
    locale,
    columns: csvHeads(csvColumns, locale),
    estimatedRows,
    pages: pages(),
  });
}
