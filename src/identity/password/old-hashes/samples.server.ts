import { sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { costOf } from "./old-hash.server.ts";

const freshMs = 60_000;
/**
 * How many costs the hashes of a package may have: every wrong password takes the sum of all. Django's versions of ten years
 * are about seventeen; a system that drew its rounds by lot has thousands.
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

/** Keeps one sample of each cost among these hashes: the same settings, another result. */
export async function addHashSamples(tx: Queries, hashes: Iterable<string>): Promise<void> {
  const samples = new Map([...hashes].map((hash) => [costOf(hash), sampleOf(hash)]));
  if (samples.size === 0) return;
  await tx.execute(sql`
    insert into old_password_sample (cost, sample)
    select * from unnest(${sql.param([...samples.keys()])}::text[], ${sql.param([...samples.values()])}::text[])
    on conflict (cost) do nothing`);
}

/** Its last twenty letters changed: it takes as long to check, and is no one's. */
const sampleOf = (hash: string): string => hash.slice(0, -20) + hash.slice(-20).replace(/[A-Za-z0-9]/g, "A");
