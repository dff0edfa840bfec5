import { type SQL, sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { Programme } from "#loyalty/programme/programme.server.ts";
import { encodeCursor } from "#platform/api/cursor.server.ts";
import { defineRead, isoMoment, type ReadNames } from "#platform/api/reads.server.ts";
import type { entries, Label } from "./ledger.tables.server.ts";

/** Of the purchases whose points are pending, the newest so many are listed. */
const maxPending = 100;

interface HistoryRow {
  id: number;
  at: string;
  kind: (typeof entries.$inferSelect)["kind"];
  points: number;
  balance: number;
  label: Label;
  expiresAt: string | null;
  remaining: number;
}

interface PendingRow {
  soldAt: string;
  arrivesAt: string;
  points: number;
  label: Label;
}

/** Pending purchases are on the first page only. */
interface HistoryRows {
  entries: HistoryRow[];
  pending: PendingRow[] | null;
}

/** The first page begins before an id that is above all. */
export const newest = Number.MAX_SAFE_INTEGER;

/** Where a page of the history begins: before an id, going back, or after one, going forward. */
interface HistoryPage {
  before: number;
  after: number;
  limit: number;
}

/** Entries on one side of an id, the nearest first, with what remains of their points. */
const entriesWhere = (condition: SQL, order: SQL, { customerId, now, value }: ReadNames<HistoryPage>) => sql`(
    select coalesce(json_agg(page order by page.id desc), '[]') from (
      select entry.id, entry.at, entry.kind, entry.points, entry.balance, entry.label, entry.expires_at as "expiresAt",
        -- Points that were spent or have expired no longer count. Asked by all three columns of an index that has the rest:
        -- the lots of one customer are on as many pages as they are.
        coalesce((
          select remaining from loyalty_lot lot
          where lot.customer_id = entry.customer_id and lot.expires_at = entry.expires_at and lot.entry_id = entry.id
            and lot.remaining > 0 and lot.expires_at > ${now}), 0) as remaining
      from loyalty_entry entry
      where entry.customer_id = ${customerId} and ${condition}
      order by entry.id ${order}
      limit ${value("limit")}::integer + 1) page)`;

/**
 * A page of the ledger, newest first, by keyset pagination: `before` is the last id shown, `after` the first. A customer's
 * entries get ascending ids under the account's lock, so new entries never shift a page, and a deep page costs as little as
 * the first.
 */
export const historyRead = defineRead<HistoryPage, HistoryRows>("loyalty_history", (names) => {
  const { customerId, now, value } = names;
  const before = sql`${value("before")}::bigint`;
  return sql`json_build_object(
    'entries', ${entriesWhere(sql`entry.id < ${before}`, sql`desc`, names)},
    'pending', case when ${before} = ${sql.raw(String(newest))} then (
      select coalesce(json_agg(coming order by coming."soldAt" desc), '[]') from (
        select sold_at as "soldAt", arrives_at as "arrivesAt", remaining as points, label from loyalty_pending
        where customer_id = ${customerId} and arrived_at is null and remaining > 0 and arrives_at > ${now}
        order by sold_at desc limit ${sql.raw(String(maxPending))}
      ) coming) end)`;
});

/** A page that is reached from older entries. A statement of its own: the half that does not run costs a fifth, too. */
export const newerHistoryRead = defineRead<HistoryPage, HistoryRows>("loyalty_history_newer", (names) => {
  const after = sql`entry.id > ${names.value("after")}::bigint`;
  return sql`json_build_object('entries', ${entriesWhere(after, sql`asc`, names)}, 'pending', null)`;
});

/** The response: one entry more than the page holds was read, to know whether there is another page in its direction. */
export function describeHistory(
  { entries: rows, pending }: HistoryRows,
  { limit, before, after }: { limit: number; before: number | undefined; after: number | undefined },
  programme: Programme,
  locale: Locale,
) {
  const hasMore = rows.length > limit;
  const page = after === undefined ? rows.slice(0, limit) : rows.slice(-limit);
  const [first, last] = [page[0], page.at(-1)];
  return {
    ...(pending && {
      Pending: pending.map((row) => ({
        Date: isoMoment(row.soldAt),
        Label: describeEntry({ kind: "purchase", label: row.label }, programme, locale),
        Points: row.points,
        ArrivesAt: isoMoment(row.arrivesAt),
      })),
    }),
    Entries: page.map((row) => ({
      IdLoyaltyHistory: row.id,
      Date: isoMoment(row.at),
      Kind: row.kind,
      Label: describeEntry(row, programme, locale),
      Points: row.points,
      Balance: row.balance,
      Remaining: row.remaining,
      ExpiresAt: row.remaining > 0 && row.expiresAt ? isoMoment(row.expiresAt) : null,
    })),
    // A reader who came from older entries can go back there, one who came from newer ones to those.
    NextCursor: last && (hasMore || after !== undefined) ? encodeCursor(last.id) : null,
    ...(first && (after === undefined ? before !== undefined : hasMore) && { PreviousCursor: encodeCursor(first.id) }),
  };
}

/** What an entry is called, to its customer and to the back office. */
export const describeEntry = (row: Pick<HistoryRow, "kind" | "label">, programme: Programme, locale: Locale): string =>
  labelOf(row, programme, locale) ?? textsOf[locale].t(`loyalty.history.${row.kind}`);

/** Of an event or a reward the last name it had in the programme; of a sale or a return the shop and the amount. */
function labelOf(
  { label, kind }: Pick<HistoryRow, "kind" | "label">,
  programme: Programme,
  locale: Locale,
): string | undefined {
  if ("sale" in label) {
    const { t, money } = textsOf[locale];
    const values = { shop: label.sale.shop, amount: money(amountOf(label.sale.cents)) };
    if (kind === "return") return t("loyalty.history.returnAt", values);
    const campaign = label.sale.campaign?.[locale];
    return [t("loyalty.history.purchaseAt", values), ...(campaign ? [campaign] : [])].join(" · ");
  }
  if ("event" in label) return programme.known.events.find(({ id }) => id === label.event)?.name[locale];
  if ("reward" in label) return programme.known.rewards.find(({ id }) => id === label.reward)?.name[locale];
  if ("texts" in label) return label.texts[locale];
  return "text" in label ? label.text : undefined;
}
