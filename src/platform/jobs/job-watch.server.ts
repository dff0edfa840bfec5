import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { errorCode } from "#platform/database/database.server.ts";
import type { Log } from "#platform/log.server.ts";

const runnerLock = 0x43_45_52_4a;
const everyMs = 5_000;
/** A runner takes its lock a moment after its first job: a job started later than this may still get one. */
const graceSeconds = 10;
/** The queue's exponential backoff is e, e², e³ … seconds; this is its upper limit. */
const longestRetryMinutes = 10;

/**
 * Shows other processes that this runner is alive, by an advisory lock that ends with its connection, and unlocks the jobs
 * of dead runners: by itself the queue would leave a killed process's jobs locked for four hours.
 */
export function startJobWatch(pool: pg.Pool, runnerId: string, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let client: pg.PoolClient | undefined;

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        client ??= await takeLock(pool, runnerId);
        await capBackoff(client);
        await unlockJobsOfDeadRunners(client, runnerId, log);
      } catch (error) {
        // The database is unavailable: the lock is lost with the connection and taken again with the next.
        log.debug({ reason: errorCode(error) }, "job watch interrupted");
        client?.release(true);
        client = undefined;
      }
      // An abort ends the wait early.
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await watching;
      // Closing the connection releases the lock.
      client?.release(true);
    },
  };
}

async function takeLock(pool: pg.Pool, runnerId: string): Promise<pg.PoolClient> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1, hashtext($2))", [runnerLock, runnerId]);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function unlockJobsOfDeadRunners(client: pg.PoolClient, runnerId: string, log: Log): Promise<void> {
  const { rows } = await client.query<{ dead: string[] | null }>(
    `with holder as (
       select distinct locked_by from graphile_worker.jobs
       where locked_by <> $2 and locked_at < now() - make_interval(secs => $3)
     )
     select array_agg(locked_by) as dead from holder where pg_try_advisory_xact_lock($1, hashtext(locked_by))`,
    [runnerLock, runnerId, graceSeconds],
  );
  const dead = rows[0]?.dead;
  if (!dead) return;
  await client.query("select graphile_worker.force_unlock_workers($1)", [dead]);
  log.warn({ runners: dead.length }, "jobs of a stopped runner freed");
}

async function capBackoff(client: pg.PoolClient): Promise<void> {
  await client.query(
    `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now() + make_interval(mins => $1))
     from graphile_worker.jobs
     where locked_at is null and attempts between 1 and max_attempts - 1 and run_at > now() + make_interval(mins => $1)
     having count(*) > 0`,
    [longestRetryMinutes],
  );
}
