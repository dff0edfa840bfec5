import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { testEvent } from "./event-types.ts";
import type { webhookEvents } from "./webhooks.tables.server.ts";

/** How long events can be read. */
export const eventDays = 30;
const pageSize = 100;

type EventRow = {
  id: string;
  type: string;
  at: string;
  sequence: string | null;
  payload: (typeof webhookEvents.$inferSelect)["payload"];
};

/**
 * Triggers write the events, in the transaction of their cause, by db/functions/webhook_write.sql: of the account
 * db/functions/webhook_account.sql; of a consent db/functions/webhook_consent.sql; of points db/functions/webhook_entry.sql and db/functions/webhook_pending.sql; of the
 * status db/functions/webhook_status.sql, which compares with db/functions/webhook_tier.sql; of sales and returns
 * db/functions/webhook_sale.sql and db/functions/webhook_return.sql; of vouchers db/functions/webhook_voucher.sql,
 * db/functions/webhook_voucher_used.sql and db/functions/webhook_voucher_cancelled.sql; of the programme
 * db/functions/webhook_programme.sql. Amounts and times are written by db/functions/webhook_amount.sql and
 * db/functions/webhook_time.sql.
 *
 * Events after one that was read before: those of the shop, or all for a web shop. Only what is older than every running
 * transaction is given, in the order of transactions: an event that is committed late is given later, never skipped. An id
 * that is gone begins at the oldest.
 */
export async function readEvents(queries: Queries, shopId: number, after: number | undefined) {
  const { rows: shops } = await queries.execute<{ kind: string }>(sql`select kind from shop where id = ${shopId}`);
  const ofShop = shops[0]?.kind === "web" ? sql`true` : sql`e.shop_id = ${shopId}`;
  const { rows } = await queries.execute<EventRow>(sql`
    select e.id, e.type, webhook_time(e.at) as at, e.sequence, e.payload from webhook_event e
    where ${ofShop} and e.type <> ${testEvent}
      and e.xid < pg_snapshot_xmin(pg_current_snapshot())
      and e.at > now() - make_interval(days => ${eventDays})
      and (e.xid, e.id) > (coalesce((select xid from webhook_event where id = ${after ?? 0}), '0'::xid8), ${after ?? 0}::bigint)
    order by e.xid, e.id
    limit ${pageSize}`);
  const last = rows.at(-1)?.id;
  return {
    Events: rows.map(({ id, type, at, sequence, payload }) => ({
      IdEvent: Number(id),
      Type: type,
      At: at,
      Sequence: sequence === null ? null : Number(sequence),
      Data: payload,
    })),
    NextAfter: last === undefined ? (after ?? null) : Number(last),
  };
}
