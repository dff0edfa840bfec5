import { asc, eq, lt, sql } from "drizzle-orm";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { keysOutsideDatabase } from "#platform/database/keys/key-file.server.ts";
import { createSealing, type Sealing } from "#platform/database/keys/sealing.server.ts";
import { oidcSigningKeys } from "./oidc.tables.server.ts";
import type { OidcSettings } from "./settings.server.ts";

export const signingAlgorithm = "ES256";
const keyFile = "oidc.key";
/** How long a key signs. */
const signingDays = 90;
/** How long a key is published before it signs: clients store the list for a while. */
const publishedDays = 1;
/** How long tokens of a retired key may come back as a hint. */
const keptDays = 400;

export const createKeySealing = (settings: OidcSettings): Sealing =>
  createSealing(keysOutsideDatabase(settings.oidcKey, settings.dataDir, keyFile));

async function addKey(queries: Queries, sealing: Sealing, state: "current" | "next"): Promise<void> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const sealedJwk = sealing.seal(JSON.stringify({ ...jwk, kid, alg: signingAlgorithm, use: "sig" }));
  // Of several processes that make one at once the first wins.
  await queries.insert(oidcSigningKeys).values({ kid, sealedJwk, state }).onConflictDoNothing();
}

/** The private keys, the one that signs first; db/functions/oidc_signing_key_changed.sql tells of a change. The first call of an installation makes them. */
export async function readSigningKeys(database: Database, sealing: Sealing): Promise<JWK[]> {
  const read = () =>
    database
      .select({ sealed: oidcSigningKeys.sealedJwk, state: oidcSigningKeys.state })
      .from(oidcSigningKeys)
      .orderBy(
        sql`array_position(array['current', 'next', 'retired'], ${oidcSigningKeys.state})`,
        asc(oidcSigningKeys.since),
      );
  let rows = await read();
  for (const state of ["current", "next"] as const)
    if (!rows.some((row) => row.state === state)) {
      await addKey(database, sealing, state);
      rows = await read();
    }
  return rows.map(({ sealed }) => JSON.parse(sealing.open(sealed)) as JWK);
}

/** Once a day: when the current key has signed long enough, the next one takes its place and another is published. */
export async function rotateSigningKeys(database: Database, sealing: Sealing): Promise<void> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.execute(sql`
      select from oidc_signing_key c, oidc_signing_key n
      where c.state = 'current' and n.state = 'next'
        and c.since < now() - make_interval(days => ${signingDays})
        and n.since < now() - make_interval(days => ${publishedDays})
      for update`);
    if (rows.length === 0) return;
    for (const [from, to] of [
      ["current", "retired"],
      ["next", "current"],
    ] as const)
      await tx.update(oidcSigningKeys).set({ state: to, since: sql`now()` }).where(eq(oidcSigningKeys.state, from));
    await addKey(tx, sealing, "next");
    await tx
      .delete(oidcSigningKeys)
      .where(
        sql`${eq(oidcSigningKeys.state, "retired")} and ${lt(oidcSigningKeys.since, sql`now() - make_interval(days => ${keptDays})`)}`,
      );
  });
}
