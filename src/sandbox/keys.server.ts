import { eq } from "drizzle-orm";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Database } from "#platform/database/database.server.ts";
import { sandboxKeys } from "./sandbox.tables.server.ts";

export const keyAlgorithm = "RS256";

export interface SigningKey {
  kid: string;
  privateKey: Awaited<ReturnType<typeof importJWK>>;
  publicJwk: JWK;
}

/** The key a sandbox provider signs with, stored in the database, so that all processes sign with the same one. */
export function createSigningKey(database: Database, name: string): () => Promise<SigningKey> {
  let opened: Promise<SigningKey> | undefined;

  async function open(): Promise<SigningKey> {
    const privateJwk = (await read()) ?? (await make());
    // The public part of an RSA key is n and e; the rest is never published.
    const { kty, n, e } = privateJwk;
    const kid = await calculateJwkThumbprint({ kty, n, e } as JWK);
    return {
      kid,
      privateKey: await importJWK(privateJwk, keyAlgorithm),
      publicJwk: { kty, n, e, kid, alg: keyAlgorithm, use: "sig" } as JWK,
    };
  }

  async function read(): Promise<JWK | undefined> {
    const [row] = await database.select().from(sandboxKeys).where(eq(sandboxKeys.name, name));
    return row?.privateJwk;
  }

  async function make(): Promise<JWK> {
    const { privateKey } = await generateKeyPair(keyAlgorithm, { extractable: true });
    const privateJwk = await exportJWK(privateKey);
    // Of several processes that start at once one inserts its key, and all read that one.
    await database.insert(sandboxKeys).values({ name, privateJwk }).onConflictDoNothing();
    return (await read()) ?? privateJwk;
  }

  return () => {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
