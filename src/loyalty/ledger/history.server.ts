import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { entries, type Label } from "./ledger.tables.server.ts";

/**
 * A page of the ledger, newest first, by keyset pagination: the cursor is the last id shown. A customer's entries get
 * ascending ids under the account's lock, so new entries never shift a page, and a deep page costs as little as the first.
 */
export async function readHistory(
  queries: Queries,
  customerId: number,
  { limit, cursor }: { limit: number; cursor: string | undefined },
  { now, locale }: { now: Date; locale: Locale },
) {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor(cursor);
  const rows = await queries
    .select({
      id: entries.id,
      at: entries.at,
      kind: entries.kind,
      points: entries.points,
      balance: entries.balance,
      label: entries.label,
      expiresAt: entries.expiresAt,
      // Points that were spent or have expired no longer count.
      remaining: sql<number>`coalesce((
        select remaining from loyalty_lot
        where customer_id = ${entries.customerId} and entry_id = ${entries.id}
          and expires_at > ${now.toISOString()}::timestamptz), 0)`,
      // The current name of the event or reward in the programme, in the caller's language.
      name: sql<string | null>`coalesce(
        (select name ->> ${locale}::text from loyalty_event
         where programme_id = account.programme_id and id = (${entries.label} ->> 'event')::integer),
        (select name ->> ${locale}::text from loyalty_reward
         where programme_id = account.programme_id and id = (${entries.label} ->> 'reward')::integer))`,
    })
    .from(entries)
    .innerJoin(sql`loyalty_account account`, sql`account.customer_id = ${entries.customerId}`)
    .where(and(eq(entries.customerId, customerId), lt(entries.id, before)))
    .orderBy(desc(entries.id))
    .limit(limit + 1)
    .prepare("loyalty_history")
    .execute();
  const page = rows.slice(0, limit);
  return {
    Entries: page.map((row) => ({
      IdLoyaltyHistory: row.id,
      Date: row.at.toISOString(),
      Kind: row.kind,
      Label: row.name ?? textOf(row.label, locale) ?? textsOf[locale].t(`loyalty.history.${row.kind}`),
      Points: row.points,
      Balance: row.balance,
      Remaining: row.remaining,
      ExpiresAt: row.remaining > 0 ? (row.expiresAt?.toISOString() ?? null) : null,
    })),
    NextCursor: rows.length > limit ? encodeCursor(page.at(-1)?.id ?? 0) : null,
  };
}

function textOf(label: Label, locale: Locale): string | undefined {
  if ("texts" in label) return label.texts[locale];
  return "text" in label ? label.text : undefined;
}

const encodeCursor = (id: number) => Buffer.from(String(id)).toString("base64url");

function decodeCursor(cursor: string): number {
  const id = Buffer.from(cursor, "base64url").toString();
  if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id)))
    throw new Refusal("invalid", { errors: [{ field: "Cursor", code: "invalid" }] });
  return Number(id);
}
