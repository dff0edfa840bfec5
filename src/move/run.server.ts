import { and, desc, eq, sql } from "drizzle-orm";
import type pg from "pg";
import { installedBrand } from "#brand/brand.server.ts";
import { addHashSamples } from "#identity/password/old-hashes/samples.server.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { applyBatch, applyUnnamedReceipts } from "./apply/apply.server.ts";
import { createBatchTables } from "./apply/batch.server.ts";
import { moveRejections, moveRuns } from "./move.tables.server.ts";
import { storedFailure } from "./package/failure.server.ts";
import { type OpenPackage, openPackage, PackageRefused, wasExportedHere } from "./package/manifest.server.ts";
import type { Rejection } from "./package/read-file.server.ts";
import { type Checked, checkedOf } from "./reconcile/checked.server.ts";
import { type Reconciliation, reconcile } from "./reconcile/reconcile.server.ts";
import { type Sums, sumStage, withLost } from "./reconcile/sums.server.ts";
import {
  countGone,
  indexStage,
  leaveOutGone,
  resolveMembers,
  resolveNames,
  type Staged,
  stage,
} from "./stage.server.ts";
import { applyRules } from "./stage-rules.server.ts";
import { failureOf } from "./stopped.server.ts";
import { wrapPasswords } from "./wrap-passwords.server.ts";

export type Step = "check" | "rehearse" | "commit";

export interface MoveProgress {
  what: string;
  done: number;
  of: number;
}

export interface MoveOptions {
  database: Database;
  folder: string;
  step: Step;
  release: string;
  now: () => Date;
  passwords: PasswordHashes;
  /** As many rejected rows and values as the operator has looked at. */
  acceptRejected?: number;
  /** The row of a run that was queued in the back office, with the hash of the package that a person chose. */
  queued?: { id: number; hash: string };
  /** Members of one transaction; tests take fewer. */
  batchLines?: number;
  progress?(progress: MoveProgress): void;
}

export interface MoveOutcome {
  run: number;
  rejected: number;
  sums: { package: Sums; staged: Sums };
  /** Of a check alone. */
  checked?: Checked;
  result: Reconciliation | undefined;
}

const defaultBatchLines = 5_000;
const maxRejectionsInMemory = 1_000;
/** Of one file; a package with more is damaged as a whole. */
const maxRejections = 20_000;
const lockName = "cercle move";
/** Of a move that runs, from before its state says so until after it no longer does: without it, it has been killed. */
export const moveIsRunning = sql`exists (select from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and objid = (hashtext(${lockName})::bigint & 4294967295)::oid)`;
/** The tables that a move fills: the comparison needs their statistics. */
const written = [
  ...["customer", "customer_email", "consent", "loyalty_account", "loyalty_card", "loyalty_entry", "loyalty_lot"],
  ...[
    "loyalty_earned_day",
    "loyalty_import_day",
    "loyalty_import_history",
    "loyalty_status_floor",
    "move_member",
    "shop_sale",
  ],
];

/**
 * Checks, rehearses or commits a package. The files are read again each time, into temporary tables of one connection. A
 * rehearsal is the whole move in a transaction that is rolled back. A commit is a transaction per batch of members: what
 * was stopped is finished by starting again, because members who have moved are skipped.
 */
export async function runMove(options: MoveOptions): Promise<MoveOutcome> {
  const { database, step, now } = options;
  const pack = await openPackage(options.folder, installedBrand().Currency);
  // Another archive may have been uploaded under the same name since: a second person approved the one they chose.
  if (options.queued && options.queued.hash !== pack.hash) throw new PackageRefused("replaced");
  // What this club has exported is here already: its members would be linked, and have everything twice.
  if (options.step !== "check" && (await wasExportedHere(database, pack))) throw new PackageRefused("own_package");
  const client = await database.$client.connect();
  let run = options.queued?.id;
  try {
    // Temporary buffers must be set before the first temporary table.
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
       set temp_buffers = '64MB'; set work_mem = '32MB'; set maintenance_work_mem = '128MB'; set jit = off`,
    );
    const { rows } = await client.query<{ free: boolean }>("select pg_try_advisory_lock(hashtext($1)) as free", [
      lockName,
    ]);
    if (!rows[0]?.free) throw new PackageRefused("another_runs");
    if (step === "commit") await refuseWithoutRehearsal(database, pack);
    // Only one runs at a time: one that still says so has been killed.
    await database
      .update(moveRuns)
      .set({ state: "failed", finishedAt: now(), failure: storedFailure({ id: "stopped", values: {} }) })
      .where(eq(moveRuns.state, "running"));
    run = await begin(database, pack, options);
    const outcome = await runSteps(client, pack, run, options);
    await database
      .update(moveRuns)
      .set({ state: "done", finishedAt: now(), result: outcome.result ?? outcome.checked ?? null, progress: {} })
      .where(eq(moveRuns.id, run));
    return outcome;
  } catch (error) {
    const failure = storedFailure(failureOf(error) ?? { id: "fault", values: {} });
    if (run !== undefined)
      await database
        .update(moveRuns)
        .set({ state: "failed", finishedAt: now(), failure })
        .where(eq(moveRuns.id, run))
        // The database may be what has failed.
        .catch(() => {});
    throw error;
  } finally {
    await client.query("rollback; select pg_advisory_unlock_all()").catch(() => {});
    // The connection is closed, and the staged data with it.
    client.release(true);
  }
}

async function begin(database: Database, pack: OpenPackage, { step, release, now, queued }: MoveOptions) {
  const { Source: source, TakenAt } = pack.manifest;
  const known = { state: "running" as const, source, packageHash: pack.hash, takenAt: new Date(TakenAt), release };
  const [begun] =
    queued === undefined
      ? await database
          .insert(moveRuns)
          .values({ ...known, step, startedAt: now(), progress: {} })
          .returning({ id: moveRuns.id })
      : await database.update(moveRuns).set(known).where(eq(moveRuns.id, queued.id)).returning({ id: moveRuns.id });
  return begun?.id ?? 0;
}

async function refuseWithoutRehearsal(database: Database, pack: OpenPackage): Promise<void> {
  const [last] = await database
    .select({ state: moveRuns.state, result: moveRuns.result })
    .from(moveRuns)
    .where(and(eq(moveRuns.packageHash, pack.hash), eq(moveRuns.step, "rehearse")))
    .orderBy(desc(moveRuns.id))
    .limit(1);
  if (!last) throw new PackageRefused("not_rehearsed");
  if (last.state !== "done" || !(last.result as Reconciliation | null)?.Equal)
    throw new PackageRefused("rehearsal_failed");
}

async function runSteps(
  client: pg.PoolClient,
  pack: OpenPackage,
  run: number,
  options: MoveOptions,
): Promise<MoveOutcome> {
  const { database, step, now, release } = options;
  const report = createProgress(database, run, options.progress);
  const moment = now();
  await client.query(
    `create temp table stage_now as select $1::integer as run_id, $2::text as source, $3::timestamptz as taken_at,
       $4::timestamptz as moment, $5::integer as programme_id, $6::text as language, false as has_days, $7::boolean as for_good,
       $4::timestamptz as booked_at`,
    [
      run,
      pack.manifest.Source,
      pack.manifest.TakenAt,
      moment,
      defaultProgrammeId,
      installedBrand().DefaultLanguage,
      step === "commit",
    ],
  );
  const programme = await queryProgramme(database, defaultProgrammeId, moment);
  await client.query(
    `create temp table stage_tiers as
     select * from unnest($1::integer[], $2::integer[], $3::text[]) t (id, rank, name) cross join lateral (
       select array(select lower(jsonb_array_elements_text(t.name::jsonb))) as names) n`,
    [
      programme.tiers.map(({ id }) => id),
      programme.tiers.map(({ rank }) => rank),
      programme.tiers.map(({ name }) =>
        JSON.stringify([name[installedBrand().DefaultLanguage], ...Object.values(name)]),
      ),
    ],
  );
  await client.query("update stage_tiers set name = name::jsonb ->> 0; analyze stage_now, stage_tiers");

  const rejections = createRejections(database, run);
  const staged: Staged = await stage({
    client,
    pack,
    context: { takenAt: pack.manifest.TakenAt, today: pack.manifest.TakenAt.slice(0, 10) },
    reject: rejections.add,
    progress: (what, done, of) => report(`${what}.csv`, done, of),
  });
  await rejections.end();
  report("index", 0, 1);
  await indexStage(client);
  await client.query("update stage_now set has_days = exists (select from stage_earned_days)");
  report("rules", 0, 1);
  await resolveNames(client);
  // Before anybody is known here: what is not moved because of that is explained, and no difference.
  const told = withLost(await sumStage(client), staged.lost);
  await resolveMembers(client, pack.manifest.Source);
  await applyRules(client, run, pack.manifest.Source);
  const sums = { package: told, staged: await sumStage(client) };
  const rejected = await database.$count(moveRejections, eq(moveRejections.runId, run));
  if (step === "check")
    return { run, rejected, sums, result: undefined, checked: await checkedOf(client, pack, run, sums) };

  if (step === "commit" && rejected > (options.acceptRejected ?? 0))
    throw new PackageRefused("rejected", { count: rejected });
  await client.query(createBatchTables);
  if (step === "commit") {
    await wrapPasswords(client, database, pack, options.passwords, report);
    await database.transaction((tx) => addHashSamples(tx, staged.samples.values()));
  }
  const lines = await client.query<{ line: number | null }>(
    "select max(line) as line from stage_members where fate in ('new', 'linked', 'known')",
  );
  const last = lines.rows[0]?.line ?? 0;
  const inTransaction = async (work: () => Promise<void>) => {
    await client.query("begin");
    try {
      await work();
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => {});
      throw error;
    }
  };
  const batchLines = options.batchLines ?? defaultBatchLines;
  const batches = async (each: (work: () => Promise<void>) => Promise<void>) => {
    for (let from = 1; from <= last; from += batchLines) {
      await each(() => applyBatch(client, from, from + batchLines - 1));
      report("members", Math.min(from + batchLines - 1, last), last);
    }
    await each(() => applyUnnamedReceipts(client));
  };
  const goneBefore = await countGone(client);
  const compare = async () => {
    if (await leaveOutGone(client, goneBefore)) sums.staged = await sumStage(client);
    await client.query(`analyze ${written.join(", ")}`);
    return reconcile(client, pack, sums, {
      ...{ release, at: now(), run },
      progress: (what) => report(`compare ${what}`, 0, 1),
    });
  };
  // A commit is compared in a transaction of its own; a rehearsal in its only one, which ends with all that it wrote.
  if (step === "commit") await batches(inTransaction);
  await client.query("begin");
  if (step === "rehearse") await batches((work) => work());
  const result = await compare();
  await client.query(step === "commit" ? "commit" : "rollback");
  return { run, rejected: result.Rejected, sums, result };
}

/** Writes rejections of the reader to the database while the files are read. */
function createRejections(database: Database, run: number) {
  let waiting: Rejection[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const counts = new Map<string, number>();
  const write = () => {
    const rows = waiting.map((one) => ({ ...one, runId: run }));
    waiting = [];
    if (rows.length === 0) return;
    writing = writing.then(() => database.insert(moveRejections).values(rows));
    // Awaited in the end; when something else has stopped the run before, it must not end the process.
    writing.catch(() => {});
  };
  return {
    add(rejection: Rejection) {
      const nth = (counts.get(rejection.file) ?? 0) + 1;
      counts.set(rejection.file, nth);
      if (nth > maxRejections) throw new PackageRefused("damaged", { count: maxRejections, file: rejection.file });
      waiting.push(rejection);
      if (waiting.length >= maxRejectionsInMemory) write();
    },
    async end() {
      write();
      await writing;
    },
  };
}

/** Tells of the progress, and writes it down every two seconds for those who look from elsewhere. */
function createProgress(database: Database, run: number, tell: MoveOptions["progress"]) {
  let writtenAt = 0;
  return (what: string, done: number, of: number) => {
    tell?.({ what, done, of });
    if (Date.now() - writtenAt < 2_000) return;
    writtenAt = Date.now();
    // Progress that is not written down is no reason to stop.
    database
      .update(moveRuns)
      .set({ progress: { What: what, Done: done, Of: of } })
      .where(and(eq(moveRuns.id, run), eq(moveRuns.state, "running")))
      .catch(() => {});
  };
}
