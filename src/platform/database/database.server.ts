import { setTimeout as sleep } from "node:timers/promises";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { Refusal } from "#platform/refusal.ts";

export type Database = NodePgDatabase & { $client: pg.Pool };
/** What a rule needs: the database, or a transaction on it. */
export type Queries = Pick<Database, "select" | "insert" | "update" | "delete" | "execute">;

export function openDatabase(url: string, options: { connections?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "cercle",
  });
  // A connection that breaks while idle is replaced by the pool; without a listener Node would exit.
  pool.on("error", () => {});
  // The same for one that breaks while somebody holds it between two queries; their next query says so.
  pool.on("connect", (client) => client.on("error", () => {}));
  // Drizzle's own way never gives a connection back whose `begin` fails: a few of those, and the pool is empty for good.
  const transaction: Database["transaction"] = async (work, config) => {
    const client = await pool.connect();
    let broken = false;
    try {
      return await drizzle(client).transaction(work, config);
    } catch (error) {
      broken = asUnavailable(error) !== undefined;
      throw error;
    } finally {
      client.release(broken);
    }
  };
  return Object.assign(drizzle(pool), { transaction });
}

/** Ends the connections. One that nobody gives back keeps a stop waiting for a while, not for ever. */
export async function closeDatabase(database: Database, patienceMs = 5_000): Promise<void> {
  await Promise.race([database.$client.end(), sleep(patienceMs, undefined, { ref: false })]);
}

/** Connection loss, deadlock, shutdown, too many connections, disk full, read-only standby: it may work again in a moment. */
const passing = /^(08|40|53|57P0|25006)/;
const network = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT", "ENOTFOUND"]);
const lost = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** The database being away is a refusal ("come back in a moment"), not a fault of ours. */
export function asUnavailable(error: unknown): Refusal | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = String((cause as { code?: unknown }).code ?? "");
    if (passing.test(code) || network.has(code) || lost.test(cause.message))
      return new Refusal("unavailable", { retryAfterSeconds: 2 });
  }
  return undefined;
}

/** What may be logged of a failed query: never its values. */
export function errorCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === "string") return code;
  }
  return undefined;
}

export const jobSchema = "graphile_worker";
