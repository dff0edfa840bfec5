import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";

const foldJob = "loyalty:metrics";

/** Every minute: reading sums what has not been folded yet, so it must stay little. */
export const metricSchedule = [{ name: foldJob, pattern: "* * * * *" }];

export const metricJobs: Jobs = { [foldJob]: (_, database) => foldMetrics(database) };

/**
 * Adds what triggers have counted to the metrics by day (db/functions/metric_fold.sql). The triggers:
 * - db/functions/metric_account.sql counts members, db/functions/metric_active.sql those who bought in the last months.
 * - db/functions/metric_entry.sql, db/functions/metric_pending.sql and db/functions/metric_lot.sql count points, issued,
 *   pending and outstanding (the liability), db/functions/metric_debt.sql debt that was waived.
 * - db/functions/metric_sale.sql and db/functions/metric_return.sql count sales and returns, with the amount of
 *   db/functions/metric_cents.sql.
 * - db/functions/metric_voucher.sql, db/functions/metric_voucher_use.sql and db/functions/metric_voucher_cancel.sql count
 *   vouchers.
 * Which metric and shop something counts for: db/functions/metric_of_entry.sql, db/functions/metric_undone.sql,
 * db/functions/metric_of_sale.sql,
 * db/functions/metric_shop.sql. All of it counted again, from the rows: db/functions/metric_rebuild.sql.
 */
export async function foldMetrics(database: Database): Promise<void> {
  await database.execute(sql`select metric_fold()`);
}
