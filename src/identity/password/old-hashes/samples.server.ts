import { sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { costOf, patternOf, sampleOf } from "./old-hash.server.ts";

const freshMs = 60_000;
/**
 * How many costs the hashes of a package may have: each process measures all of them. Django's versions of ten years are
 * about seventeen; a system that drew its rounds by lot has thousands.
 */
export const mostCosts = 32;

/** The sample hash of each cost in use; asked for at most once a minute. */
export function createHashSamples(database: Database, now = () => Date.now()): () => Promise<string[]> {
  let read: Promise<string[]> | undefined;
  let readAt = 0;
  return () => {
    if (!read || now() - readAt > freshMs) {
      readAt = now();
      read = database
        .execute<{ sample: string }>(sql`select sample from old_password_sample order by cost`)
        .then(({ rows }) => rows.map(({ sample }) => sample));
      // The next one asks again.
      read.catch(() => {
        read = undefined;
      });
    }
    return read;
  };
}

/** Keeps one sample of each cost among these hashes. */
export async function addHashSamples(tx: Queries, hashes: Iterable<string>): Promise<void> {
  const samples = new Map([...hashes].map((hash) => [costOf(hash), sampleOf(hash)]));
  if (samples.size === 0) return;
  await tx.execute(sql`
    insert into old_password_sample (cost, sample)
    select * from unnest(${sql.param([...samples.keys()])}::text[], ${sql.param([...samples.values()])}::text[])
    on conflict (cost) do update set sample = excluded.sample`);
}

/** Deletes the samples of costs that no customer's hash has any more; not while members move in, whose come first. */
export async function deleteUnusedSamples(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ sample: string; cost: string }>(sql`
      select sample, cost from old_password_sample
      where not exists (select from move_run where state in ('queued', 'running')) for update`);
    if (rows.length === 0) return;
    const samples = rows.map(({ sample }) => sample);
    const patterns = samples.map((sample) => patternOf(costOf(sample)));
    const used = await tx.execute<{ sample: string }>(sql`
      select sample from unnest(${sql.param(samples)}::text[], ${sql.param(patterns)}::text[]) one (sample, pattern)
      where exists (select from customer where password_hash like '%|%' and password_hash ~ pattern)`);
    await tx.execute(sql`
      delete from old_password_sample where cost = any(${sql.param(rows.map(({ cost }) => cost))}::text[])`);
    // Written anew, in the form of this release.
    await addHashSamples(
      tx,
      used.rows.map(({ sample }) => sample),
    );
  });
}
