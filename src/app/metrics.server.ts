import { createServer, type Server } from "node:http";
import { sql } from "drizzle-orm";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { countViolations, invariants } from "#loyalty/ledger/invariants.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { jobMetrics } from "#platform/jobs/jobs.server.ts";
import type { Metrics } from "#platform/metrics.server.ts";

/** The invariants read whole tables: rarely is enough to notice what must never happen. */
const invariantMinutes = 15;
const invariantLimitSeconds = 300;

/** What is read when somebody asks: connections, hashing, jobs, letters, and whether the books still balance. */
export function watchProduct(metrics: Metrics, parts: { database: Database; passwords: PasswordHashes }): void {
  const { database, passwords } = parts;
  const pool = database.$client;
  metrics.read(
    "cercle_database_connections",
    "Connections of the pool, and who waits for one.",
    "state",
    "process",
    () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  );
  metrics.read("cercle_password_hashes", "Passwords being hashed now, and waiting for it.", "state", "process", () => ({
    ...passwords.load(),
  }));
  metrics.read("cercle_jobs", "Jobs due, failing and given up.", "state", "database", async () => ({
    ...(await jobMetrics(database)),
  }));
  metrics.read("cercle_mail_oldest_seconds", "Age of the oldest letter that waits.", "state", "database", async () => {
    const { rows } = await database.execute<{ age: number }>(sql`
      select coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as age
      from mail where sent_at is null and refused_at is null`);
    return { waiting: rows[0]?.age ?? 0 };
  });
  metrics.read(
    "cercle_invariant_violations",
    "Rows that break an invariant of npm run verify; anything but 0 is an incident.",
    "invariant",
    "database",
    rarely(() => readInvariants(database), invariantMinutes * 60_000),
  );
}

async function readInvariants(database: Database): Promise<Record<string, number>> {
  return database.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local statement_timeout = '${invariantLimitSeconds}s'`));
    const found: Record<string, number> = {};
    for (const invariant of invariants) found[invariant.number] = await countViolations(tx, invariant);
    return found;
  });
}

/** Tells what was read last and reads again behind it, so that nobody who asks waits for a long reading. */
function rarely(read: () => Promise<Record<string, number>>, everyMs: number) {
  let known: Record<string, number> = {};
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - readAt > everyMs) {
      readAt = performance.now();
      read().then(
        (values) => {
          known = values;
        },
        () => {
          // The database is away or slow: what was known stands, and the next to ask tries again.
          readAt = Number.NEGATIVE_INFINITY;
        },
      );
    }
    return known;
  };
}

/** The metrics on a port of their own: no customer's request ever reaches it. */
export function createMetricsListener(text: () => Promise<string>): Server {
  return createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") return response.writeHead(404).end();
    text().then(
      (words) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(words),
      () => response.writeHead(503).end(),
    );
  });
}
