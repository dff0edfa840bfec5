import { sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { invariantChecks } from "./invariant-checks.tables.server.ts";
import { countViolations, invariants } from "./invariants.server.ts";

const checkJob = "loyalty:invariants";
/** The invariants read whole tables: they may take this part of the time, so a large database is checked less often. */
const shareOfTime = 0.05;
const limitMinutes = 30;

export const invariantSchedule = [{ name: checkJob, pattern: "*/15 * * * *" }];

export const invariantJobs: Jobs = { [checkJob]: (_, database) => checkInvariants(database, new Date()) };

/** Checks every invariant, in one process, and stores the result: a scrape of the metrics must not read whole tables. */
async function checkInvariants(database: Database, now: Date): Promise<void> {
  const last = await lastChecks(database);
  const tookSeconds = last.reduce((sum, { seconds }) => sum + seconds, 0);
  const oldest = Math.min(...last.map(({ checkedAt }) => checkedAt.getTime()));
  if (last.length === invariants.length && now.getTime() - oldest < (tookSeconds * 1_000) / shareOfTime) return;
  for (const invariant of invariants) {
    const startedAt = performance.now();
    const violations = await database.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = '${limitMinutes}min'`));
      return countViolations(tx, invariant);
    });
    const values = { violations, checkedAt: now, seconds: (performance.now() - startedAt) / 1_000 };
    await database
      .insert(invariantChecks)
      .values({ number: invariant.number, ...values })
      .onConflictDoUpdate({ target: invariantChecks.number, set: values });
  }
}

/** What the last check of each invariant found. */
export const lastChecks = (queries: Queries) => queries.select().from(invariantChecks);
