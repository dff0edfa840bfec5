import { appendFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { installedBrand } from "#brand/brand.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { shortName } from "#identity/customer/names.server.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { moveRejections, moveRuns } from "#move/move.tables.server.ts";
import { readFailure, sentence, storedFailure } from "#move/package/failure.server.ts";
import { openPackage, PackageRefused } from "#move/package/manifest.server.ts";
import { unpacked } from "#move/package/unpack.server.ts";
import type { Checked } from "#move/reconcile/checked.server.ts";
import type { Reconciliation } from "#move/reconcile/reconcile.server.ts";
import { moveIsRunning, runMove, type Step } from "#move/run.server.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { type Jobs, queueJob } from "#platform/jobs/jobs.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { staff } from "#staff/staff.tables.server.ts";

const moveJob = "office:move";
const shownRuns = 20;
const shownRejections = 100;

/** What is in the folder of packages: folders, and archives. */
async function listPackages(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const wanted = entries.filter((entry) => entry.isDirectory() || entry.name.endsWith(".tar.gz"));
  const found = await Promise.all(
    wanted.map(async ({ name }) => ({ Name: name, At: (await stat(join(folder, name))).mtime.toISOString() })),
  );
  return found.sort((one, other) => other.At.localeCompare(one.At));
}

/** A run that was killed could not write down that it has failed. */
const killed = sql`${moveRuns.state} = 'running' and not ${moveIsRunning}`;
const runColumns = {
  ...{ id: moveRuns.id, step: moveRuns.step, name: moveRuns.package, source: moveRuns.source },
  state: sql<RunState>`case when ${killed} then 'failed' else ${moveRuns.state} end`,
  ...{ hash: moveRuns.packageHash, takenAt: moveRuns.takenAt, startedAt: moveRuns.startedAt },
  ...{ finishedAt: moveRuns.finishedAt, progress: moveRuns.progress },
  ...{ startedBy: moveRuns.startedBy, firstname: staff.firstname, lastname: staff.lastname },
  failure: sql<
    string | null
  >`case when ${killed} then ${storedFailure({ id: "stopped", values: {} })} else ${moveRuns.failure} end`,
  equal: sql<boolean | null>`(${moveRuns.result} ->> 'Equal')::boolean`,
  rejected: sql<number>`(select count(*)::integer from move_rejected r where r.run_id = ${moveRuns.id})`,
};
type RunState = typeof moveRuns.$inferSelect.state;
const selectRuns = (database: Database) =>
  database.select(runColumns).from(moveRuns).leftJoin(staff, eq(staff.id, moveRuns.startedBy)).$dynamic();
type RunRow = Awaited<ReturnType<typeof selectRuns>>[number];

const Progress = z.object({ What: z.string(), Done: z.int(), Of: z.int() });

const describeRun = (run: RunRow, locale: Locale) => ({
  ...{ IdRun: run.id, Step: run.step, State: run.state, Package: run.name, Source: run.source },
  TakenAt: run.takenAt.toISOString(),
  StartedAt: run.startedAt.toISOString(),
  FinishedAt: run.finishedAt?.toISOString() ?? null,
  StartedBy: run.firstname === null || run.lastname === null ? null : shortName(run.firstname, run.lastname),
  ...{ Equal: run.equal, Rejected: run.rejected },
  Failure: run.failure && sentence(locale, readFailure(run.failure)),
  Progress: run.state === "running" ? (Progress.safeParse(run.progress).data ?? null) : null,
});

export async function listRuns(database: Database, folder: string, locale: Locale) {
  const runs = await selectRuns(database).orderBy(desc(moveRuns.id)).limit(shownRuns);
  return { Folder: folder, Packages: await listPackages(folder), Runs: runs.map((run) => describeRun(run, locale)) };
}

/** A run with what it counted or compared, and the first of what it rejected. */
export async function readRun(database: Database, id: number, locale: Locale) {
  const [run] = await selectRuns(database).where(eq(moveRuns.id, id));
  if (!run) throw new Refusal("not_found");
  const reasons = await database
    .select({ Reason: moveRejections.reason, Count: sql<number>`count(*)::integer` })
    .from(moveRejections)
    .where(eq(moveRejections.runId, id))
    .groupBy(moveRejections.reason)
    .orderBy(sql`count(*) desc`);
  const rejected = await database
    .select()
    .from(moveRejections)
    .where(eq(moveRejections.runId, id))
    // First the members: what is theirs is rejected with them.
    .orderBy(
      sql`${moveRejections.file} <> 'members.csv'`,
      asc(moveRejections.file),
      asc(moveRejections.line),
      asc(moveRejections.id),
    )
    .limit(shownRejections);
  return {
    Run: describeRun(run, locale),
    ...(run.step === "check"
      ? { Checked: await storedResult<Checked>(database, id), Result: null }
      : { Checked: null, Result: await resultOf(database, id) }),
    Reasons: reasons,
    Rejections: rejected.map(({ file, line, field, value, reason, wholeRow }) => ({
      ...{ File: file, Line: line, Column: field, Value: value, Reason: reason, WholeRow: wholeRow },
    })),
  };
}

async function storedResult<Result>(database: Database, id: number): Promise<Result | null> {
  const [run] = await database.select({ result: moveRuns.result }).from(moveRuns).where(eq(moveRuns.id, id));
  return (run?.result as Result | null | undefined) ?? null;
}

export const resultOf = (database: Database, id: number) => storedResult<Reconciliation>(database, id);

/**
 * Queues a run. A commit needs a second person: another than the one who rehearsed this package. That it was rehearsed, and
 * that so many rejected rows are accepted, the run itself checks again.
 */
export async function startRun(
  { database, folder }: { database: Database; folder: string },
  { name, step, acceptRejected }: { name: string; step: Step; acceptRejected: number },
  { caller, now, requestId }: ActionContext,
) {
  const pack = await unpacked(join(folder, name), (opened) => openPackage(opened, installedBrand().Currency)).catch(
    (error: unknown) => {
      if (error instanceof PackageRefused) return refuseField("Package", "invalid");
      throw error;
    },
  );
  return database.transaction(async (tx) => {
    await tx.execute(sql`lock table move_run in share row exclusive mode`);
    const [active] = await tx.select({ id: moveRuns.id }).from(moveRuns).where(eq(moveRuns.state, "queued")).limit(1);
    if (active) throw new Refusal("already_decided");
    if (step === "commit") {
      const [rehearsal] = await tx
        .select({ by: moveRuns.startedBy })
        .from(moveRuns)
        .where(and(eq(moveRuns.packageHash, pack.hash), eq(moveRuns.step, "rehearse")))
        .orderBy(desc(moveRuns.id))
        .limit(1);
      if (rehearsal?.by === caller.staffId) throw new Refusal("second_person");
    }
    const [queued] = await tx
      .insert(moveRuns)
      .values({
        ...{ step, state: "queued", package: name, acceptRejected, source: pack.manifest.Source },
        ...{ packageHash: pack.hash, takenAt: new Date(pack.manifest.TakenAt), release: "" },
        ...{ startedAt: now, startedBy: caller.staffId, progress: {} },
      })
      .returning({ id: moveRuns.id });
    const id = queued?.id ?? 0;
    await queueJob(tx, moveJob, { run: id });
    const after = { step, package: name, ...(step === "commit" && { acceptRejected }) };
    await writeAudit(tx, entryOf(caller, { action: "move_started", after, requestId, at: now }));
    return { IdRun: id };
  });
}

const Payload = z.object({ run: z.int() });

/** Runs what was queued. It goes on when the page is left; killed half-way it is started again by a person. */
export function moveRunJobs(deps: {
  folder: string;
  release: string;
  passwords: PasswordHashes;
  now: () => Date;
}): Jobs {
  const { folder, release, passwords, now } = deps;
  return {
    async [moveJob](payload, database) {
      const { run } = Payload.parse(payload);
      const [queued] = await database.select().from(moveRuns).where(eq(moveRuns.id, run));
      if (queued?.state !== "queued" || queued.package === null) return;
      const { step, acceptRejected, packageHash: hash } = queued;
      try {
        await unpacked(join(folder, queued.package), (opened) =>
          runMove({
            database,
            folder: opened,
            step,
            release,
            now,
            passwords,
            acceptRejected,
            queued: { id: run, hash },
          }),
        );
      } catch (error) {
        // The run says what was wrong with the package; the same package would be refused again.
        if (!(error instanceof PackageRefused)) throw error;
        await database
          .update(moveRuns)
          .set({ state: "failed", finishedAt: now(), failure: storedFailure(error.failure) })
          .where(and(eq(moveRuns.id, run), eq(moveRuns.state, "queued")));
      }
    },
  };
}

/** Adds a part of an archive to the file that is being uploaded; after the last part it is a package. */
export async function upload(
  { database, folder }: { database: Database; folder: string },
  { name, offset, part, last }: { name: string; offset: number; part: Buffer; last: boolean },
  { caller, now, requestId }: ActionContext,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `.${caller.staffId}-${name}.part`);
  if (offset === 0) await rm(path, { force: true });
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  // A part that was sent twice is there already.
  if (size !== offset && size !== offset + part.length) refuseField("Offset", "invalid");
  if (size === offset) await appendFile(path, part, { mode: 0o600 });
  if (!last) return;
  await rename(path, join(folder, name));
  const after = { package: name };
  await writeAudit(database, entryOf(caller, { action: "move_uploaded", after, requestId, at: now }));
}
