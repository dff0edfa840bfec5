import { sql } from "drizzle-orm";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";

/**
 * Members whom one person or one key may find by address, phone or name in a day before head office is told: customers usually
 * show a card. The alarm CercleLookUps has the same number (deploy/prometheus-rules.yml).
 */
export const maxContactLookUpsPerDay = 200;

/** A basket that grows is quoted again and again: for so long it is one look-up. */
const lookUpMs = 15 * 60_000;

/** A quote by card or subject tells points and status of that person, so it is logged as a look-up. */
export async function logQuote(
  queries: Queries,
  caller: KeyCaller,
  { customerId, by, now }: { customerId: number; by: "card" | "sub"; now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - lookUpMs).toISOString();
  await queries.execute(sql`
    insert into shop_look_up (customer_id, at, key_prefix, shop_id, found_by, staff_id)
    select ${customerId}::bigint, ${now.toISOString()}::timestamptz, ${caller.prefix}, ${caller.shopId}::integer, ${by}::text,
      ${caller.staff?.id ?? null}::integer
    where not exists (
      select from shop_look_up l where l.customer_id = ${customerId} and l.key_prefix = ${caller.prefix}
        and l.at > ${since}::timestamptz)`);
}
