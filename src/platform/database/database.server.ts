import { setTimeout as sleep } from "node:timers/promises";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type { PgTransactionConfig } from "drizzle-orm/pg-core";
import pg from "pg";
import { Refusal } from "#platform/refusal.ts";
import { openPipeline, type Pipeline } from "./pipeline.server.ts";
import { traceQueries } from "./traced-queries.server.ts";

type Client = Pick<pg.ClientBase, "query">;
type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0] & { $client: Client };
export type Database = Omit<NodePgDatabase, "transaction"> & {
  $client: pg.Pool;
  pipeline: Pipeline;
  transaction<T>(work: (tx: Transaction) => Promise<T>, config?: PgTransactionConfig): Promise<T>;
};
/** What a rule needs: the database, or a transaction on it. */
export type Queries = Pick<NodePgDatabase, "select" | "insert" | "update" | "delete" | "execute"> & { $client: Client };

/** How long to wait for a connection, a statement, the next statement of a transaction. */
export interface TimeLimits {
  connectSeconds: number;
  statementSeconds: number;
  idleSeconds: number;
}
const timeLimits: TimeLimits = { connectSeconds: 3, statementSeconds: 10, idleSeconds: 15 };

export function openDatabase(
  url: string,
  options: { connections?: number; traced?: boolean; limits?: TimeLimits } = {},
): Database {
  const { connectSeconds, statementSeconds, idleSeconds } = options.limits ?? timeLimits;
  const timeouts = `set statement_timeout = '${statementSeconds}s'; set idle_in_transaction_session_timeout = '${idleSeconds}s'`;
  const config = {
    connectionString: url,
    connectionTimeoutMillis: connectSeconds * 1_000,
    application_name: "cercle",
  };
  // Set after connecting: pgbouncer refuses a connection that asks for them at its start.
  const onConnect = (client: pg.ClientBase) => client.query(timeouts);
  const pool = new pg.Pool({ ...config, max: options.connections ?? 10, onConnect });
  if (options.traced) traceQueries(pool);
  // A connection that breaks while idle is replaced by the pool; without a listener Node would exit.
  pool.on("error", () => {});
  // The same for one that breaks while checked out between two queries; the next query on it fails.
  pool.on("connect", (client) => client.on("error", () => {}));
  // Drizzle's own transaction leaks the connection when `begin` fails: a few of those, and the pool is exhausted.
  const transaction: Database["transaction"] = async (work, config) => {
    const client = await pool.connect();
    let broken = false;
    try {
      return await drizzle(client).transaction((tx) => work(Object.assign(tx, { $client: client })), config);
    } catch (error) {
      broken = unavailableRefusal(error) !== undefined;
      throw error;
    } finally {
      client.release(broken);
    }
  };
  return Object.assign(drizzle(pool), { transaction, pipeline: openPipeline(pool, { config, onConnect }) });
}

/** Ends the connections. One that was never released delays a stop up to the timeout, not for ever. */
export async function closeDatabase(database: Database, timeoutMs = 5_000): Promise<void> {
  const ended = Promise.all([database.$client.end(), database.pipeline.end()]);
  await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })]);
}

/**
 * Transient errors: connection loss, deadlock, shutdown, too many connections, disk full, read-only standby. A standby also
 * answers 0A000, where a statement names a table without a log, as `shop_key_use` is.
 */
const transient = /^(08|40|53|57P0|25006|0A000)/;
const networkErrors = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT"],
  ...["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"],
]);
const connectionLost =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** The refusal 503 with Retry-After, where the error says that the database is unavailable for the moment. */
export function unavailableRefusal(error: unknown): Refusal | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = String((cause as { code?: unknown }).code ?? "");
    if (transient.test(code) || networkErrors.has(code) || connectionLost.test(cause.message))
      return new Refusal("unavailable", { retryAfterSeconds: 2 });
  }
  return undefined;
}

/** The SQLSTATE or Node code of an error: what may be logged of a failed query, whose message holds its values. */
export function errorCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === "string") return code;
  }
  return undefined;
}

export const jobSchema = "graphile_worker";
