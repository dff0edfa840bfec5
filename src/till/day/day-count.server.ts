import { and, eq, sql } from "drizzle-orm";
import { amountOf, centsOf } from "#brand/amounts.ts";
import { clubDay } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { auditSale } from "#shop/sales/at-till.server.ts";
import { dayCounts } from "#till/till.tables.server.ts";
import { readDay } from "./day.server.ts";

/**
 * What a person has counted at the end of the till's day against its receipts. Counted again, the last count stays; the audit
 * log has all of them.
 */
export async function countDay(
  database: Database,
  caller: StaffCaller,
  { Count, Amount }: { Count: string; Amount: string },
  { now, locale }: { now: Date; locale: Locale },
) {
  const { Sales, Returns, Net } = await readDay(database, caller, { all: false, now, locale });
  const key = { shopId: caller.shopId, keyPrefix: caller.prefix, day: clubDay(now) };
  const counted = { receipts: Number(Count), cents: centsOf(Amount) };
  const expected = { expectedReceipts: Sales + Returns, expectedCents: centsOf(Net) };
  await database.transaction(async (tx) => {
    const { receipts, cents, countedAt } = dayCounts;
    const [before] = await tx
      .select({ receipts, cents, countedAt })
      .from(dayCounts)
      .where(and(eq(dayCounts.shopId, key.shopId), eq(dayCounts.day, key.day), eq(dayCounts.keyPrefix, key.keyPrefix)));
    const row = { ...counted, ...expected, countedAt: now, staffId: caller.staff.id };
    await tx
      .insert(dayCounts)
      .values({ ...key, ...row })
      .onConflictDoUpdate({ target: [dayCounts.shopId, dayCounts.day, dayCounts.keyPrefix], set: row });
    const after = { day: key.day, ...counted, ...expected };
    await auditSale(tx, caller, now, { action: "day_counted", ...(before && { before }), after });
  });
  return {
    Expected: { Count: expected.expectedReceipts, Amount: amountOf(expected.expectedCents) },
    Difference: {
      Count: counted.receipts - expected.expectedReceipts,
      Amount: amountOf(counted.cents - expected.expectedCents),
    },
  };
}

/** The counts of a shop's day, by till. */
export async function readDayCounts(database: Database, shopId: number, day: string) {
  const { rows } = await database.execute<{
    till: string;
    by: string;
    at: string;
    receipts: number;
    cents: number;
    expected_receipts: number;
    expected_cents: number;
  }>(sql`
    select k.name as till, p.firstname || ' ' || p.lastname as by, to_json(c.counted_at) #>> '{}' as at, c.receipts,
      c.cents, c.expected_receipts, c.expected_cents
    from till_day_count c join shop_key k on k.prefix = c.key_prefix join staff p on p.id = c.staff_id
    where c.shop_id = ${shopId} and c.day = ${day}::date order by k.name, k.prefix`);
  return rows.map((row) => ({
    TillName: row.till,
    By: row.by,
    At: new Date(row.at).toISOString(),
    Counted: { Count: row.receipts, Amount: amountOf(row.cents) },
    Expected: { Count: row.expected_receipts, Amount: amountOf(row.expected_cents) },
  }));
}
