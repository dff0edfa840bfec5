import { and, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { holdOuts } from "#loyalty/ledger/campaign.tables.server.ts";
import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { entryOf } from "#office/audit.server.ts";
import { holdOutLabels } from "#office/campaigns/results/result-chart.server.tsx";
import { judgeGroups } from "#office/campaigns/results/results.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { holdOutJob } from "./measure-hold-out.server.ts";

type HoldOut = typeof holdOuts.$inferSelect;
interface Call {
  now: Date;
  requestId: string;
}

/** The hold-out that runs, and what those before it have shown. */
export async function readHoldOut(
  { database, findProgramme }: { database: Database; findProgramme: FindProgramme },
  { now, locale }: { now: Date; locale: Locale },
) {
  const rows = await database.select().from(holdOuts).where(isNotNull(holdOuts.result)).orderBy(desc(holdOuts.id));
  const running = await findRunning(database, now);
  const datesOf = ({ percent, startsAt, endsAt }: HoldOut) => ({
    ...{ Percent: percent, From: startsAt.toISOString(), Until: endsAt.toISOString() },
  });
  const results = [];
  for (const row of rows) {
    const window = { from: row.startsAt, until: row.endsAt, metric: "revenue" as const, locale };
    const judged = await judgeGroups(findProgramme, row.result ?? [], window, holdOutLabels);
    results.push({ ...datesOf(row), ...judged });
  }
  return { Running: running ? datesOf(running) : null, Results: results };
}

async function findRunning(queries: Queries, now: Date): Promise<HoldOut | undefined> {
  const [found] = await queries
    .select()
    .from(holdOuts)
    .where(and(isNull(holdOuts.endedAt), gt(holdOuts.endsAt, now)));
  return found;
}

/**
 * For a year from now. It cannot change: who is in it would know no campaign for another year. Who is in it:
 * db/functions/campaign_held_out.sql.
 */
export async function startHoldOut(
  database: Database,
  caller: OfficeCaller,
  percent: number,
  { now, requestId }: Call,
) {
  await database.transaction(async (tx) => {
    // Of two people who start one at once, the second finds it running.
    await tx.execute(sql`lock table campaign_hold_out in share row exclusive mode`);
    if (await findRunning(tx, now)) throw new Refusal("already_decided");
    const [added] = await tx
      .insert(holdOuts)
      .values({
        ...{ percent, startsAt: now, createdBy: caller.staffId },
        endsAt: sql`${now.toISOString()}::timestamptz + interval '1 year'`,
      })
      .returning();
    if (!added) throw new Error("The hold-out was not written.");
    await queueJob(tx, holdOutJob, { holdOut: added.id }, { runAt: added.endsAt });
    await writeAudit(tx, entryOf(caller, { action: "hold_out_started", after: { percent }, requestId, at: now }));
  });
}

/** Ends it early: campaigns are for everybody again, and nothing is measured. */
export async function endHoldOut(database: Database, caller: OfficeCaller, { now, requestId }: Call) {
  await database.transaction(async (tx) => {
    const running = await findRunning(tx, now);
    if (!running) throw new Refusal("not_found");
    await tx.update(holdOuts).set({ endedAt: now }).where(eq(holdOuts.id, running.id));
    const before = { percent: running.percent };
    await writeAudit(tx, entryOf(caller, { action: "hold_out_ended", before, requestId, at: now }));
  });
}
