import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Span, SpanKind } from "@opentelemetry/api";
import { sql } from "drizzle-orm";
import { type JobHelpers, Logger, parseCronItems, type Runner, run, runOnce, type TaskList } from "graphile-worker";
import { clubTimeZone } from "#i18n/club-day.ts";
import { minutesAhead } from "#i18n/formats.ts";
import { type Database, errorCode, jobSchema, type Queries } from "#platform/database/database.server.ts";
import type { Log } from "#platform/log.server.ts";
import { failSpan, linksTo, traceHeaders, tracer } from "#platform/tracing.server.ts";
import { startJobWatch } from "./job-watch.server.ts";

/** Background jobs by name. After a crash a job may run twice: each must be idempotent. */
export type Jobs = Record<string, (payload: unknown, database: Database) => Promise<void>>;

/**
 * A scheduled job: `pattern` is a crontab's five fields, in UTC; `clubTime` is a time of the club's clocks, "00:20", once a
 * day: in winter at that time, in summer an hour later. One that must not wait that hour runs twice, `summerToo`.
 */
export type Scheduled = { name: string } & ({ pattern: string } | { clubTime: string; summerToo?: true });

/** The pattern in UTC; clocks of the club are ahead of UTC by as many minutes as this year's tables say. */
export function patternOf(scheduled: Scheduled, timeZone = clubTimeZone()): string {
  if ("pattern" in scheduled) return scheduled.pattern;
  const [hours = 0, minutes = 0] = scheduled.clubTime.split(":").map(Number);
  const year = new Date().getUTCFullYear();
  const ahead = Array.from({ length: 12 }, (_, month) => minutesAhead(timeZone, new Date(Date.UTC(year, month, 1))));
  const chosen = scheduled.summerToo ? ahead : [Math.min(...ahead)];
  const times = chosen.map((offset) => (hours * 60 + minutes - offset + 2 * 24 * 60) % (24 * 60));
  const each = (of: (time: number) => number) => [...new Set(times.map(of))].sort((a, b) => a - b).join(",");
  return `${each((time) => time % 60)} ${each((time) => Math.floor(time / 60))} * * *`;
}

export interface JobDependencies {
  database: Database;
  jobs: Jobs;
  log: Log;
}

/** With the capped backoff of `job-watch.server.ts`: about three days, then the job is given up. */
const maxAttempts = 450;
const jobsAtOnce = 4;
/** How long a stop waits for running jobs; a job that is cut off runs again in another process. */
const stopSeconds = 15;
/** A runner that ran this long restarts without a growing backoff. */
const steadySeconds = 60;
const longestWaitMs = 30_000;
const dayMs = 86_400_000;

/**
 * Queues a job in the caller's transaction: it runs if that commits, and never otherwise.
 * The payload holds ids; an address or a code only where nothing else knows it yet. With a key, a waiting job of the same key is replaced.
 */
export async function queueJob(
  queries: Queries,
  name: string,
  payload: object,
  options: { key?: string; runAt?: Date } = {},
): Promise<void> {
  await queries.execute(sql`
    select from graphile_worker.add_job(
      ${name},
      payload => ${JSON.stringify({ ...payload, ...traceHeaders() })}::json,
      run_at => ${options.runAt?.toISOString() ?? null}::timestamptz,
      max_attempts => ${maxAttempts}::integer,
      job_key => ${options.key ?? null}::text
    )
  `);
}

/**
 * Runs jobs until stopped. Whatever ends the runner, most often an unavailable database, it starts again.
 * Of several processes on one database one takes each job, and each scheduled run happens once.
 */
export async function startJobs(
  deps: JobDependencies & { cron?: readonly Scheduled[] },
): Promise<{ stop(): Promise<void> }> {
  const { database, log } = deps;
  const stopping = new AbortController();
  let runner: Runner | undefined;

  async function runUntilItEnds(onStarted: () => void): Promise<void> {
    runner = undefined;
    const events = new EventEmitter();
    // The queue caches a failed look-up of its tasks for good and would never find a job again: restart the runner.
    // A moment later, since a worker that is stopped during the same failure prints to the console.
    events.once("worker:getJob:error", () => setTimeout(endRunner, 50));
    let watch: ReturnType<typeof startJobWatch> | undefined;
    events.once("pool:create", ({ workerPool }: { workerPool: { id: string } }) => {
      watch = startJobWatch(database.$client, workerPool.id, log);
    });
    try {
      runner = await run({
        ...optionsOf(deps),
        events,
        concurrency: jobsAtOnce,
        parsedCronItems: parseCronItems((deps.cron ?? []).map(cronItem)),
      });
      onStarted();
      if (stopping.signal.aborted) await runner.stop();
      await runner.promise;
    } finally {
      await watch?.stop();
    }
  }

  async function endRunner(): Promise<void> {
    // It rejects when it has just ended by itself.
    await runner?.stop().catch(() => {});
  }

  async function keepRunning(onStarted: () => void): Promise<void> {
    for (let waitMs = 100; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const startedAt = Date.now();
      const reason = await runUntilItEnds(onStarted).catch(reasonOf);
      onStarted();
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > steadySeconds * 1_000) waitMs = 100;
      log.error({ reason, waitMs }, "jobs stopped; starting again");
      // An abort ends the wait early.
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  let ended = Promise.resolve();
  // Started, or failed once and about to retry: either way the caller may go on.
  await new Promise<void>((resolve) => {
    ended = keepRunning(resolve);
  });
  return {
    async stop() {
      stopping.abort();
      const timer = new AbortController();
      const timeout = sleep(stopSeconds * 1_000, undefined, { signal: timer.signal }).catch(() => {});
      await Promise.race([Promise.all([endRunner(), ended]), timeout]);
      timer.abort();
    },
  };
}

/** Runs every job that is due, and those they queue, then returns what failed. */
export async function runDueJobs(deps: JobDependencies): Promise<{ name: string; reason: string }[]> {
  const failed: { name: string; reason: string }[] = [];
  await runOnce(optionsOf(deps, (name, reason) => failed.push({ name, reason })));
  return failed;
}

/** Metrics of the queue: jobs due, failed and to be retried, given up. */
export async function jobMetrics(queries: Queries): Promise<{ due: number; failing: number; givenUp: number }> {
  const { rows } = await queries.execute<{ due: number; failing: number; given_up: number }>(sql`
    select
      count(*) filter (where attempts < max_attempts and run_at <= now())::integer as due,
      count(*) filter (where attempts < max_attempts and last_error is not null)::integer as failing,
      count(*) filter (where attempts >= max_attempts and last_error is not null)::integer as given_up
    from graphile_worker.jobs
  `);
  const [row] = rows;
  return { due: row?.due ?? 0, failing: row?.failing ?? 0, givenUp: row?.given_up ?? 0 };
}

/** The job of a key that waits, runs or has failed: then it waits to be tried again, or was given up. */
export async function findJob(queries: Queries, key: string) {
  const { rows } = await queries.execute<{ name: string; failed: boolean; since: string }>(sql`
    select task_identifier as name, locked_at is null and last_error is not null as failed,
      coalesce(locked_at, run_at) as since
    from graphile_worker.jobs where key = ${key}
  `);
  return rows[0];
}

function optionsOf(
  { database, jobs, log }: JobDependencies,
  onFailure: (name: string, reason: string) => void = () => {},
) {
  const taskList: TaskList = {};
  for (const [name, job] of Object.entries(jobs)) {
    taskList[name] = (given, { job: { id, attempts, max_attempts } }: JobHelpers) =>
      inJobSpan(name, { id, attempt: attempts }, given, async (payload, span) => {
        const startedAt = performance.now();
        try {
          await job(payload, database);
          log.info({ job: name, id, attempt: attempts, ms: Math.round(performance.now() - startedAt) }, "job");
        } catch (error) {
          failSpan(span, errorCode(error) ?? "unknown");
          const reason = reasonOf(error);
          const givenUp = attempts >= max_attempts;
          const fields = { job: name, id, attempt: attempts, reason, frames: framesOf(error) };
          if (givenUp) log.error(fields, "job given up");
          else log.warn(fields, "job failed");
          onFailure(name, reason);
          // The queue stores and logs the message: a code, never a mail server's text, which repeats the address.
          throw new Error(reason);
        }
      });
  }
  return {
    pgPool: releasingOnce(database.$client),
    schema: jobSchema,
    taskList,
    // `serve.ts` handles signals: it knows what else must stop, and in which order.
    noHandleSignals: true,
    logger: new Logger(() => (_level, message) => log.debug({ queue: message }, "jobs")),
    preset: {
      worker: {
        // Without these the queue records a job's end in a promise no one awaits: a lost connection would crash the process.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  };
}

/**
 * A trace of its own, linked to the span that queued the job: a retry may come days later. The queueing span is in the
 * payload (`queueJob`), and kept from the job.
 */
function inJobSpan(
  name: string,
  { id, attempt }: { id: string; attempt: number },
  given: unknown,
  work: (payload: unknown, span: Span) => Promise<void>,
): Promise<void> {
  const { traceparent, ...payload } = given as { traceparent?: unknown };
  const attributes = { "cercle.job.id": id, "cercle.job.attempt": attempt };
  const options = { kind: SpanKind.CONSUMER, root: true, links: linksTo(traceparent), attributes };
  return tracer().startActiveSpan(`job ${name}`, options, (span) => work(payload, span).finally(() => span.end()));
}

type Pool = Database["$client"];

/**
 * The queue releases the connection that it listens on twice when it stops while its LISTEN fails, as in a failover. The
 * pool throws at the second time, in a promise no one awaits: the process would crash.
 */
export function releasingOnce(pool: Pool): Pool {
  const connect = (...[taken]: Parameters<Pool["connect"]>) => {
    if (!taken) return pool.connect();
    return pool.connect((error, client, release) => {
      let released = false;
      taken(error, client, (destroy) => {
        if (!released) release(destroy);
        released = true;
      });
    });
  };
  return new Proxy(pool, {
    get: (target, name) => (name === "connect" ? connect : Reflect.get(target, name, target)),
  });
}

function cronItem(scheduled: Scheduled) {
  const { name } = scheduled;
  // The job key merges the runs missed while no process was up into one.
  return {
    task: name,
    match: patternOf(scheduled),
    identifier: name,
    options: { backfillPeriod: dayMs, jobKey: name, maxAttempts },
  };
}

function reasonOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? `${error.name}: ${error.message}` : "unknown");
}

function framesOf(error: unknown): string[] {
  const lines = error instanceof Error ? (error.stack ?? "").split("\n") : [];
  return lines.filter((line) => /^\s+at /.test(line)).slice(0, 8);
}
