import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { storedKeys } from "./stored-keys.tables.server.ts";

/** A key that the product generates itself: the first process that needs it stores it, all others read that one. */
export async function storedKey<Key>(queries: Queries, name: string, make: () => Promise<Key>): Promise<Key> {
  const found = await findKey<Key>(queries, name);
  if (found !== undefined) return found;
  await queries
    .insert(storedKeys)
    .values({ name, value: await make() })
    .onConflictDoNothing();
  // Of two generated at once, the first one stored wins.
  const stored = await findKey<Key>(queries, name);
  if (stored === undefined) throw new Error(`The key ${name} was not stored.`);
  return stored;
}

export async function findKey<Key>(queries: Queries, name: string): Promise<Key | undefined> {
  const [row] = await queries.select().from(storedKeys).where(eq(storedKeys.name, name));
  // The row holds what `make` returned, and what was added to it; nothing else writes it.
  return row?.value as Key | undefined;
}

/** Adds what a stored key lacks; what it has stays, also of two processes at once. */
export async function extendKey<Key extends object>(queries: Queries, name: string, parts: Key): Promise<Key> {
  await queries
    .update(storedKeys)
    .set({ value: sql`${JSON.stringify(parts)}::jsonb || ${storedKeys.value}` })
    .where(eq(storedKeys.name, name));
  return (await findKey<Key>(queries, name)) ?? parts;
}

/** A generated secret for HMACs, the same in all processes. Each reads it once, when it is first needed. */
export function storedSecret(queries: Queries, name: string): () => Promise<Buffer> {
  let loaded: Promise<Buffer> | undefined;
  const load = async () => {
    const { secret } = await storedKey(queries, name, async () => ({ secret: randomBytes(32).toString("base64url") }));
    return Buffer.from(secret, "base64url");
  };
  return () => {
    // A failed read is not cached: the next call retries.
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
