import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";

const foldJob = "loyalty:metrics";

/** Every minute: reading sums what has not been folded yet, so it must stay little. */
export const metricSchedule = [{ name: foldJob, pattern: "* * * * *" }];

export const metricJobs: Jobs = { [foldJob]: (_, database) => foldMetrics(database) };

/** Adds what triggers have counted to the metrics by day (db/functions/metric_fold.sql). */
export async function foldMetrics(database: Database): Promise<void> {
  await database.execute(sql`select metric_fold()`);
}
