import { sql } from "drizzle-orm";
import type { Database, Queries } from "./database.server.ts";

/** What can be done later, by name. */
export type Jobs = Record<string, (payload: unknown, queries: Database) => Promise<void>>;

/** Keeps the job in the caller's transaction; the worker of this table comes with the mail server. */
export async function queueJob(
  queries: Queries,
  name: string,
  payload: object,
  options: { key?: string; runAt?: Date } = {},
): Promise<void> {
  await queries.execute(sql`
    do $$ begin
      perform pg_advisory_xact_lock(4302);
      create table if not exists waiting_job (
        id bigint generated always as identity primary key, name text not null, payload jsonb not null,
        key text, run_at timestamptz);
    end $$`);
  await queries.execute(sql`
    insert into waiting_job (name, payload, key, run_at)
    values (${name}, ${JSON.stringify(payload)}, ${options.key ?? null}, ${options.runAt?.toISOString() ?? null})`);
}
