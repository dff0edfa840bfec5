import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { z } from "zod";
import * as monthEnd from "#loyalty/ledger/month-end/month-end.server.ts";
import { entryOf } from "#office/audit.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { findJob, type Jobs, queueJob } from "#platform/jobs/jobs.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";

const draftJob = "office:month-draft";
const closeJob = "office:month-close";
/** A call waits so long for its job: the book of a small club is computed by then. */
const waitSeconds = 5;
const pollMs = 100;

/** A month has one job at a time. */
const keyOf = (month: string) => `month-end:${month}`;

const Draft = z.object({ month: z.string() });
const Closing = Draft.extend({ draftedAt: z.iso.datetime(), staffId: z.int(), requestId: z.string() });

export function monthEndCallJobs({ now }: { now: () => Date }): Jobs {
  return {
    async [draftJob](payload, database) {
      await monthEnd.draftMonth(database, Draft.parse(payload).month, now());
    },
    async [closeJob](payload, database) {
      const { month, draftedAt, staffId, requestId } = Closing.parse(payload);
      const at = now();
      const closing = { month, draftedAt: new Date(draftedAt), staffId, now: at };
      try {
        await monthEnd.closeMonth(database, closing, async (tx, { points }) => {
          const after = { month: month.slice(0, 7), points: points.closing };
          await writeAudit(tx, entryOf({ staffId, shopId: null }, { action: "month_closed", after, requestId, at }));
        });
      } catch (error) {
        // Closed before the process was killed, or not to be closed by this draft: another attempt would change nothing.
        const isDecided = error instanceof Refusal && ["month_changed", "month_not_next"].includes(error.code);
        if (!isDecided) throw error;
      }
    },
  };
}

type Prepare = (tx: Queries) => Promise<void>;

/** Whether the draft is there; otherwise its job goes on. */
export const draftByJob = (database: Database, month: string, prepare: Prepare) =>
  runJob(database, month, { name: draftJob, payload: { month } }, prepare);

/** Whether the month is closed; otherwise its job goes on. */
export async function closeByJob(database: Database, closing: z.infer<typeof Closing>, prepare: Prepare) {
  const { month, staffId } = closing;
  const isDone = await runJob(database, month, { name: closeJob, payload: closing }, prepare);
  if (isDone && (await monthEnd.findMonth(database, month))?.closedBy !== staffId) throw new Refusal("month_changed");
  return isDone;
}

/** Queues a job after `prepare`, which may refuse, and waits a moment for its end. One that failed is replaced. */
async function runJob(
  database: Database,
  month: string,
  { name, payload }: { name: string; payload: object },
  prepare: Prepare,
): Promise<boolean> {
  const key = keyOf(month);
  await database.transaction(async (tx) => {
    // Of two calls at once the second finds the job of the first.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    const job = await findJob(tx, key);
    if (job && !job.failed) throw new Refusal("month_busy");
    await prepare(tx);
    await queueJob(tx, name, payload, { key });
  });
  for (const until = Date.now() + waitSeconds * 1_000; Date.now() < until; await sleep(pollMs))
    if (!(await findJob(database, key))) return true;
  return false;
}

type MonthJob = "drafting" | "closing" | "failed" | "changed";

/**
 * What is being done with a month, or came of it where the month does not show it. The job that the clock starts drafts the
 * month to be closed next, and those without a draft.
 */
export async function readMonthJob(queries: Queries, month: string, next: string | null): Promise<MonthJob | null> {
  const job = await findJob(queries, keyOf(month));
  if (job?.failed) return "failed";
  if (job) return job.name === closeJob ? "closing" : "drafting";
  const stored = await monthEnd.findMonth(queries, month);
  if (!stored?.closedAt && (month === next || !stored)) {
    const nightly = await findJob(queries, monthEnd.nightlyDraftJob);
    // It computes one month after the other: one that it has done is shown.
    if (nightly && !nightly.failed && !(stored && stored.draftedAt >= new Date(nightly.since))) return "drafting";
    if (nightly?.failed && !stored) return "failed";
  }
  // Only a closing locks a month: this one has ended without closing it.
  return stored?.lockedAt && !stored.closedAt ? "changed" : null;
}
