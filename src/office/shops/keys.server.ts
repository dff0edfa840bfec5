import { and, desc, eq, sql } from "drizzle-orm";
import { entryOf, type When } from "#office/audit.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { type KeyScope, usualScopes } from "#shop/keys/key-scopes.ts";
import { createKey, revokeKey as revoke, rotateKey as rotate } from "#shop/keys/keys.server.ts";
import { shopKeys } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { findOpenShop, findShop } from "./own-shop.server.ts";

/** The keys of a shop: first those that are valid, then those that have ended. */
export async function listKeys(queries: Queries, caller: OfficeCaller, shopId: number) {
  await findShop(queries, caller, shopId);
  const keys = await queries
    .select()
    .from(shopKeys)
    .where(and(eq(shopKeys.shopId, shopId), eq(shopKeys.kind, "key")))
    .orderBy(
      sql`${shopKeys.revokedAt} desc nulls first`,
      sql`${shopKeys.endsAt} desc nulls first`,
      desc(shopKeys.createdAt),
    );
  return {
    Keys: keys.map((key) => ({
      Prefix: key.prefix,
      Name: key.name,
      Scopes: key.scopes,
      CreatedAt: key.createdAt.toISOString(),
      UsedAt: key.usedAt?.toISOString() ?? null,
      EndsAt: key.endsAt?.toISOString() ?? null,
      RevokedAt: key.revokedAt?.toISOString() ?? null,
    })),
  };
}

const prefixOf = (key: string) => key.split("_")[1] ?? "";

/** A new key; it can be read only now. */
export async function addKey(
  database: Database,
  caller: OfficeCaller,
  {
    IdShop: shopId,
    Name: name,
    Scopes: scopes = usualScopes,
  }: { IdShop: number; Name: string; Scopes?: readonly KeyScope[] | undefined },
  { now, requestId }: When,
) {
  return database.transaction(async (tx) => {
    await findOpenShop(tx, caller, shopId);
    const key = await createKey(tx, { shopId, name, scopes: [...new Set(scopes)], now });
    const after = { name, scopes };
    const entry = { action: "key_added", shopId, keyPrefix: prefixOf(key), after, requestId, at: now } as const;
    await writeAudit(tx, entryOf(caller, entry));
    return { Prefix: prefixOf(key), Key: key };
  });
}

/** A second key; the first one works on for seven days. */
export async function rotateKey(database: Database, caller: OfficeCaller, prefix: string, { now, requestId }: When) {
  return database.transaction(async (tx) => {
    const key = await rotate(tx, prefix, now);
    if (!key) throw new Refusal("not_found");
    const shopId = await shopOf(tx, prefix);
    const after = { prefix: prefixOf(key) };
    const entry = { action: "key_rotated", shopId, keyPrefix: prefix, after, requestId, at: now } as const;
    await writeAudit(tx, entryOf(caller, entry));
    return { Prefix: prefixOf(key), Key: key };
  });
}

export async function revokeKey(database: Database, caller: OfficeCaller, prefix: string, { now, requestId }: When) {
  await database.transaction(async (tx) => {
    if (!(await revoke(tx, prefix, now))) throw new Refusal("not_found");
    const shopId = await shopOf(tx, prefix);
    await writeAudit(tx, entryOf(caller, { action: "key_revoked", shopId, keyPrefix: prefix, requestId, at: now }));
  });
}

async function shopOf(tx: Queries, prefix: string): Promise<number | undefined> {
  const [key] = await tx.select({ shopId: shopKeys.shopId }).from(shopKeys).where(eq(shopKeys.prefix, prefix));
  return key?.shopId;
}
