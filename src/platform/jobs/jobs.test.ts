import { sql } from "drizzle-orm";
import pg from "pg";
import pino from "pino";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { openDatabase } from "#platform/database/database.server.ts";
import type { Log } from "#platform/log.server.ts";
import { templateDatabase } from "#testing/cluster.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import {
  type Jobs,
  jobMetrics,
  patternOf,
  queueJob,
  releasingOnce,
  runDueJobs,
  type Scheduled,
  startJobs,
} from "./jobs.server.ts";

const { database, databaseUrl, log } = await openTestProduct();
const [own] = (await database.execute<{ name: string }>(sql`select current_database() as name`)).rows;
const name = own?.name ?? "";

let running: { stop(): Promise<void> }[] = [];
/** A process of its own: its own connections, its own runner. */
async function startProcess(jobs: Jobs, more: { cron?: Scheduled[]; log?: Log } = {}) {
  const connections = openDatabase(databaseUrl);
  const runner = await startJobs({ database: connections, jobs, log, ...more });
  running.push({
    async stop() {
      await runner.stop();
      await connections.$client.end();
    },
  });
  return runner;
}

/** A job that reports when it runs, and ends when the test releases it. */
function observed(options: { held?: boolean } = {}) {
  const payloads: unknown[] = [];
  let wake = () => {};
  let letGo = () => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return {
    payloads,
    letGo: () => letGo(),
    async times(wanted: number) {
      while (payloads.length < wanted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    async job(payload: unknown) {
      payloads.push(payload);
      wake();
      if (options.held) await free;
    },
  };
}

async function onCluster(statement: string) {
  const client = new pg.Client({ connectionString: inject("clusterUrl").replace(templateDatabase, "postgres") });
  await client.connect();
  await client.query(statement);
  await client.end();
}
const terminateAll = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`;

beforeEach(async () => {
  await database.execute(sql`delete from graphile_worker._private_jobs`);
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
});

test("a job queued in a transaction that is rolled back never runs", async () => {
  const { job, payloads } = observed();
  await expect(
    database.transaction(async (transaction) => {
      await queueJob(transaction, "note", { number: 1 });
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  await queueJob(database, "note", { number: 2 });
  await runDueJobs({ database, jobs: { note: job }, log });
  expect(payloads).toEqual([{ number: 2 }]);
});

test("a waiting job is replaced by the next of the same key, and a job due tomorrow waits", async () => {
  const { job, payloads } = observed();
  await queueJob(database, "note", { number: 1 }, { key: "same" });
  await queueJob(database, "note", { number: 2 }, { key: "same" });
  await queueJob(database, "note", { number: 3 }, { runAt: new Date(Date.now() + 86_400_000) });
  await runDueJobs({ database, jobs: { note: job }, log });
  expect(payloads).toEqual([{ number: 2 }]);
});

test("a job that fails is retried later, and shows in the metrics until it works", async () => {
  const failing = async () => {
    throw Object.assign(new Error("camille@exemple.fr is away"), { code: "AWAY" });
  };
  await queueJob(database, "note", {});
  expect(await runDueJobs({ database, jobs: { note: failing }, log })).toEqual([{ name: "note", reason: "AWAY" }]);
  expect(await jobMetrics(database)).toEqual({ due: 0, failing: 1, givenUp: 0 });
  await database.execute(sql`update graphile_worker._private_jobs set run_at = now(), attempts = max_attempts - 1`);
  await runDueJobs({ database, jobs: { note: failing }, log });
  expect(await jobMetrics(database)).toEqual({ due: 0, failing: 0, givenUp: 1 });
});

test("a running process takes a job as soon as it is queued", async () => {
  const { job, times } = observed();
  await startProcess({ note: job });
  await queueJob(database, "note", {});
  await times(1);
});

test("two processes run each of fifty jobs once", async () => {
  const { job, payloads, times } = observed();
  await startProcess({ note: job });
  await startProcess({ note: job });
  await Promise.all(Array.from({ length: 50 }, (_, number) => queueJob(database, "note", { number })));
  await times(50);
  await Promise.all(running.map((each) => each.stop()));
  running = [];
  expect(new Set(payloads.map((payload) => JSON.stringify(payload))).size).toBe(50);
  expect(payloads).toHaveLength(50);
});

test("jobs run on after every connection was terminated", async () => {
  const { job, times } = observed();
  await startProcess({ note: job });
  for (const round of [1, 2, 3]) {
    await onCluster(terminateAll);
    // This test's own connections are gone too.
    const fresh = openDatabase(databaseUrl);
    await queueJob(fresh, "note", { round });
    await fresh.$client.end();
    await times(round);
  }
});

test("jobs run on after the database refused connections for a while, in the middle of a job", async () => {
  const held = observed({ held: true });
  const { job, times } = observed();
  const restarts = observed();
  const watching = pino({ level: "error" }, { write: (line: string) => void restarts.job(JSON.parse(line).waitMs) });
  await startProcess({ held: held.job, note: job }, { log: watching });
  await queueJob(database, "held", {});
  await held.times(1);
  await onCluster(`alter database ${name} allow_connections false`);
  await onCluster(terminateAll);
  // Its end cannot be recorded now, so the runner restarts, with backoff.
  held.letGo();
  await restarts.times(3);
  expect(restarts.payloads).toEqual([100, 200, 400]);
  await onCluster(`alter database ${name} allow_connections true`);
  await queueJob(database, "note", {});
  await times(1);
});

test("the job of a killed process is taken over, that of a running one is not", async () => {
  const { job, payloads, times } = observed();
  const lock = new pg.Client({ connectionString: databaseUrl });
  await lock.connect();
  await lock.query("select pg_advisory_lock($1, hashtext('pool-living'))", [0x43_45_52_4a]);
  await queueJob(database, "note", { of: "pool-dead" });
  await queueJob(database, "note", { of: "pool-living" });
  await database.execute(sql`
    update graphile_worker._private_jobs set locked_by = payload->>'of', locked_at = now() - interval '1 minute'`);
  await startProcess({ note: job });
  await times(1);
  expect(payloads).toEqual([{ of: "pool-dead" }]);
  const { rows } = await database.execute(
    sql`select locked_by from graphile_worker.jobs where locked_by = 'pool-living'`,
  );
  expect(rows).toHaveLength(1);
  await lock.end();
  await database.execute(sql`delete from graphile_worker._private_jobs`);
});

test("a job that failed many times waits no longer than ten minutes, a job due tomorrow keeps its time", async () => {
  const { job, times } = observed();
  await queueJob(database, "failed", {});
  await database.execute(sql`
    update graphile_worker._private_jobs set attempts = 9, run_at = now() + interval '2 hours', last_error = 'AWAY'`);
  await queueJob(database, "later", {}, { runAt: new Date(Date.now() + 86_400_000) });
  // The watch caps the backoff just before this takeover, in the same round.
  await queueJob(database, "note", {});
  await database.execute(sql`
    update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now() - interval '1 minute'
    where attempts = 0 and run_at <= now()`);
  await startProcess({ note: job });
  await times(1);
  const { rows } = await database.execute<{ task: string; minutes: number }>(sql`
    select task_identifier as task, round(extract(epoch from run_at - now()) / 60)::integer as minutes
    from graphile_worker.jobs where task_identifier <> 'note' order by task`);
  expect(rows).toEqual([
    { task: "failed", minutes: 10 },
    { task: "later", minutes: 1440 },
  ]);
});

test("a stop waits for the running job", async () => {
  const { job, letGo, times } = observed({ held: true });
  const runner = await startProcess({ note: job });
  await queueJob(database, "note", {});
  await times(1);
  let stopped = false;
  const stopping = runner.stop().then(() => {
    stopped = true;
  });
  await database.execute(sql`select 1`);
  expect(stopped).toBe(false);
  letGo();
  await stopping;
  expect((await database.execute(sql`select from graphile_worker.jobs`)).rows).toEqual([]);
});

test("a scheduled run missed while no process was up is made up for once, by one of two processes", async () => {
  const { job, payloads, times } = observed();
  await database.execute(sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('tick', now() - interval '1 day', now() - interval '30 minutes')`);
  const missed = new Date(Date.now() - 10 * 60_000);
  const cron = [{ name: "tick", pattern: `${missed.getUTCMinutes()} * * * *` }];
  await Promise.all([startProcess({ tick: job }, { cron }), startProcess({ tick: job }, { cron })]);
  await times(1);
  await Promise.all(running.map((each) => each.stop()));
  running = [];
  await runDueJobs({ database, jobs: { tick: job }, log });
  expect(payloads).toHaveLength(1);
});

test("a connection that the queue releases twice is released once", async () => {
  const pool = releasingOnce(database.$client);
  const again = () =>
    new Promise<void>((resolve, reject) => {
      pool.connect((error, _client, release) => {
        try {
          release();
          release();
          resolve();
        } catch (thrown) {
          reject(error ?? thrown);
        }
      });
    });
  await again();
  // The pool still has it.
  await again();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test.each([
  ["Europe/Paris", "20 23 * * *", "2 22,23 * * *"],
  ["Europe/London", "20 0 * * *", "2 0,23 * * *"],
  ["America/New_York", "20 5 * * *", "2 4,5 * * *"],
  ["Pacific/Auckland", "20 12 * * *", "2 11,12 * * *"],
  ["Asia/Kolkata", "50 18 * * *", "32 18 * * *"],
])(
  "a time of the club's clocks is a time of UTC, in %s, after midnight in winter and in summer",
  (zone, once, both) => {
    expect(patternOf({ name: "night", clubTime: "00:20" }, zone)).toBe(once);
    expect(patternOf({ name: "night", clubTime: "00:02", summerToo: true }, zone)).toBe(both);
  },
);
