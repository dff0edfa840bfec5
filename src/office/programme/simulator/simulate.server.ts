import { setImmediate } from "node:timers/promises";
import { and, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { findDraft, lockDraft } from "#loyalty/programme/versions/draft.server.ts";
import { drafts } from "#loyalty/programme/versions/draft.tables.server.ts";
import { rulesOf } from "#loyalty/programme/versions/versions.server.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import { type Database, unavailableRefusal } from "#platform/database/database.server.ts";
import { type Jobs, queueJob } from "#platform/jobs/jobs.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { readHistories } from "./receipts.server.ts";
import { replay } from "./replay.server.ts";
import { simulations } from "./simulation.tables.server.ts";
import { createSummary } from "./simulation-result.server.ts";

const simulateJob = "office:simulate";
/** Receipts of so many months are computed again. */
export const simulatedMonths = 12;
/** Members read at a time: each batch is a short query, and sales go on in between. */
const batchSize = 200;

/** Starts a simulation of the draft as it was saved; one of the same draft that still runs ends. */
export async function startSimulation(database: Database, revision: number, { caller, now, requestId }: ActionContext) {
  return database.transaction(async (tx) => {
    const draft = await lockDraft(tx, revision);
    // Without tiers or with a price of zero there is nothing to compute.
    if (draft.rules.tiers.length === 0 || draft.rules.rewards.some(({ points }) => points < 1))
      throw new Refusal("invalid", { errors: [{ field: "Revision", code: "invalid" }] });
    await tx
      .update(simulations)
      .set({ state: "cancelled", finishedAt: now })
      .where(and(eq(simulations.draftId, draft.id), eq(simulations.state, "running")));
    const [started] = await tx
      .insert(simulations)
      .values({ draftId: draft.id, revision, state: "running", startedBy: caller.staffId, startedAt: now })
      .returning({ id: simulations.id });
    const simulation = started?.id ?? 0;
    await queueJob(tx, simulateJob, { simulation });
    const after = { simulation, revision };
    await writeAudit(tx, entryOf(caller, { action: "simulation_started", after, requestId, at: now }));
    return { IdSimulation: simulation };
  });
}

export async function cancelSimulation(database: Database, id: number, { caller, now, requestId }: ActionContext) {
  await database.transaction(async (tx) => {
    const cancelled = await tx
      .update(simulations)
      .set({ state: "cancelled", finishedAt: now })
      .where(running(id))
      .returning({ id: simulations.id });
    if (cancelled.length === 0) throw new Refusal("not_found");
    await writeAudit(
      tx,
      entryOf(caller, { action: "simulation_cancelled", after: { simulation: id }, requestId, at: now }),
    );
  });
}

/** The last simulation of the draft, and how far it is. */
export async function readSimulation(database: Database) {
  const draft = await findDraft(database);
  const [last] = draft
    ? await database
        .select()
        .from(simulations)
        .where(eq(simulations.draftId, draft.id))
        .orderBy(desc(simulations.id))
        .limit(1)
    : [];
  if (!draft || !last) return { Simulation: null };
  return {
    Simulation: {
      IdSimulation: last.id,
      Revision: last.revision,
      Outdated: last.revision !== draft.revision,
      State: last.state,
      Done: last.customersDone,
      Total: last.customersTotal,
      StartedAt: last.startedAt.toISOString(),
      Result: last.result,
    },
  };
}

const Payload = z.object({ simulation: z.int() });

export function simulatorJobs({ now }: { now: () => Date }): Jobs {
  return {
    async [simulateJob](payload, database) {
      const { simulation } = Payload.parse(payload);
      try {
        await simulate(database, simulation, now());
      } catch (error) {
        // A database that is away comes back, and the job is tried again. Anything else would fail each time.
        if (!unavailableRefusal(error)) await end(database, simulation, "failed", now());
        throw error;
      }
    },
  };
}

const running = (id: number) => and(eq(simulations.id, id), eq(simulations.state, "running"));

async function end(database: Database, id: number, state: "cancelled" | "failed", now: Date): Promise<void> {
  await database.update(simulations).set({ state, finishedAt: now }).where(running(id));
}

/** One after the other; requests of the same process go first. */
export async function* inTurns<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) {
    yield item;
    await setImmediate();
  }
}

/**
 * Plays the histories of all members of the last twelve months under today's rules and under the draft's. It only reads,
 * a batch at a time, and stops when a person has cancelled it or saved the draft before it began. Killed half-way it begins
 * again.
 */
async function simulate(database: Database, id: number, now: Date): Promise<void> {
  const [asked] = await database
    .select({
      rules: drafts.rules,
      state: simulations.state,
      isSame: sql<boolean>`${drafts.revision} = ${simulations.revision}`,
    })
    .from(simulations)
    .innerJoin(drafts, eq(drafts.id, simulations.draftId))
    .where(eq(simulations.id, id));
  if (asked?.state !== "running") return;
  if (!asked.isSame) return end(database, id, "cancelled", now);
  const today = rulesOf(await queryProgramme(database, defaultProgrammeId, now));
  const { rows } = await database.execute<{ from: string; until: string; start: string; total: number }>(sql`
    select (club_day(${now.toISOString()}::timestamptz) - make_interval(months => ${simulatedMonths}))::date::text as from,
      club_day(${now.toISOString()}::timestamptz)::text as until,
      club_day_start((club_day(${now.toISOString()}::timestamptz) - make_interval(months => ${simulatedMonths}))::date)::text
        as start,
      (select count(*)::integer from loyalty_account where state <> 'erased') as total`);
  const [window] = rows;
  if (!window) return;
  const { from, until } = window;
  const summary = createSummary(today, asked.rules, { from, until });
  let done = 0;
  for (let after = 0; ; ) {
    const customers = await readHistories(database, { after, limit: batchSize, from: new Date(window.start) });
    for await (const { id: customerId, history, paidCents } of inTurns(customers))
      summary.add(
        customerId,
        paidCents,
        replay(history, today, { from, until }),
        replay(history, asked.rules, { from, until }),
      );
    done += customers.length;
    const stillRuns = await database
      .update(simulations)
      .set({ customersDone: done, customersTotal: Math.max(window.total, done) })
      .where(running(id))
      .returning({ id: simulations.id });
    if (stillRuns.length === 0) return;
    const last = customers.at(-1);
    if (!last || customers.length < batchSize) break;
    after = last.id;
  }
  const result = summary.result();
  await database.update(simulations).set({ state: "done", finishedAt: now, result }).where(running(id));
}
