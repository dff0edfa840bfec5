import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";

const foldJob = "loyalty:figures";

/** Every minute: reading sums what has not been folded yet, so it must stay little. */
export const figureSchedule = [{ name: foldJob, pattern: "* * * * *" }];

export const figureJobs: Jobs = { [foldJob]: (_, database) => foldFigures(database) };

/** Adds what triggers have counted to the figures by day (db/functions/figure_fold.sql). */
export async function foldFigures(database: Database): Promise<void> {
  await database.execute(sql`select figure_fold()`);
}
