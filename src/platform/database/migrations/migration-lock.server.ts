import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** Advisory lock of the process that migrates. */
const migrationLock = 0x43_45_52_44;
const lockPollMs = 100;
/** A process that waits for the lock says so, and again now and then. */
const firstMessageMs = 2_000;
const messageEveryMs = 30_000;

/**
 * Polls instead of waiting in PostgreSQL: a session that waits inside a statement has a snapshot, and `create index
 * concurrently` waits until such sessions are gone. The lock's owner and the waiting process would deadlock.
 */
export async function takeMigrationLock(client: pg.Client, onWait: (message: string) => void): Promise<void> {
  for (let logAt = Date.now() + firstMessageMs; ; await sleep(lockPollMs)) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      migrationLock,
    ]);
    if (rows[0]?.taken) return;
    if (Date.now() < logAt) continue;
    logAt = Date.now() + messageEveryMs;
    onWait(`Waiting for the migration lock, which ${await holderOf(client)} holds.`);
  }
}

/** Who to look for when the wait does not end: `select pg_terminate_backend(PID)` frees a lock that was left behind. */
async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string }>(
    `select l.pid, coalesce(a.application_name, '') as name from pg_locks l left join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objid = $1
     and l.database = (select oid from pg_database where datname = current_database())`,
    [migrationLock],
  );
  return rows.map(({ pid, name }) => `"${name}" with the backend pid ${pid}`).join(" and ") || "somebody";
}
