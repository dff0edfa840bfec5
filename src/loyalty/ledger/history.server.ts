import { type SQL, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import { euros, type Programme } from "#loyalty/programme/programme.server.ts";
import { encodeCursor } from "#platform/api/cursor.server.ts";
import { defineRead, isoMoment } from "#platform/api/reads.server.ts";
import type { entries, Label } from "./ledger.tables.server.ts";

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

/** Where a page of the history begins: before an id, going back, or after one, going forward; `after` 0 means back. */
interface HistoryPage {
  before: number;
  after: number;
  limit: number;
}

/**
 * A page of the ledger, newest first, by keyset pagination: `before` is the last id shown, `after` the first. A customer's
 * entries get ascending ids under the account's lock, so new entries never shift a page, and a deep page costs as little as
 * the first: of the two halves only one runs.
 */
export const historyRead = defineRead<HistoryPage, HistoryRow[]>("loyalty_history", ({ customerId, now, value }) => {
  const half = (condition: SQL, order: SQL) => sql`(
      select entry.id, entry.at, entry.kind, entry.points, entry.balance, entry.label, entry.expires_at as "expiresAt",
        -- Points that were spent or have expired no longer count.
        coalesce((
          select remaining from loyalty_lot lot
          where lot.customer_id = entry.customer_id and lot.entry_id = entry.id and lot.expires_at > ${now}), 0) as remaining
      from loyalty_entry entry
      where entry.customer_id = ${customerId} and ${condition}
      order by entry.id ${order}
      limit ${value("limit")}::integer + 1)`;
  const after = sql`${value("after")}::bigint`;
  return sql`(
    select coalesce(json_agg(page order by page.id desc), '[]') from (
      ${half(sql`${after} = 0 and entry.id < ${value("before")}::bigint`, sql`desc`)}
      union all ${half(sql`${after} > 0 and entry.id > ${after}`, sql`asc`)}
    ) page)`;
});

/** The response: one entry more than the page holds was read, to know whether there is another page in its direction. */
export function describeHistory(
  rows: HistoryRow[],
  { limit, before, after }: { limit: number; before: number | undefined; after: number | undefined },
  programme: Programme,
  locale: Locale,
) {
  const hasMore = rows.length > limit;
  const page = after === undefined ? rows.slice(0, limit) : rows.slice(-limit);
  const [first, last] = [page[0], page.at(-1)];
  return {
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
    // Whoever came from older entries can go back there, whoever came from newer ones to those.
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
    const values = { shop: label.sale.shop, amount: money(euros(label.sale.cents).Amount) };
    if (kind === "return") return t("loyalty.history.returnAt", values);
    const campaign = label.sale.campaign?.[locale];
    return [t("loyalty.history.purchaseAt", values), ...(campaign ? [campaign] : [])].join(" · ");
  }
  if ("event" in label) return programme.known.events.find(({ id }) => id === label.event)?.name[locale];
  if ("reward" in label) return programme.known.rewards.find(({ id }) => id === label.reward)?.name[locale];
  if ("texts" in label) return label.texts[locale];
  return "text" in label ? label.text : undefined;
}
