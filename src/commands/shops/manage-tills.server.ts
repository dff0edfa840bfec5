import { asc, eq } from "drizzle-orm";
import { CommandRefused } from "#commands/command.server.ts";
import { findShop } from "#commands/manage-staff.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { revokeKey } from "#shop/keys/keys.server.ts";
import { shopKeys, shops } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { createPairing } from "#till/pairing/pairing.server.ts";

const usage = `Usage:
  npm run till -- pair IDSHOP [NAME]   a code that makes one browser a till of the shop, for ten minutes
  npm run till -- list
  npm run till -- revoke PREFIX`;

interface Dependencies {
  database: Database;
  pins: Pins;
  now: Date;
}

/** Tills, as an operator types them. The last line of `pair` is the code alone. */
export async function manageTills(deps: Dependencies, words: string[]): Promise<string[]> {
  const [verb, ...rest] = words;
  if (verb === "pair" && rest.length >= 1 && rest.length <= 2) return pair(deps, rest[0] ?? "", rest[1]?.trim());
  if (verb === "list" && rest.length === 0) return list(deps.database);
  if (verb === "revoke" && rest.length === 1) return revoke(deps, rest[0] ?? "");
  throw new CommandRefused(usage);
}

async function pair({ database, pins, now }: Dependencies, shop: string, name: string | undefined): Promise<string[]> {
  if (name !== undefined && (name === "" || name.length > 40))
    throw new CommandRefused("NAME has at most 40 characters.");
  const shopId = await findShop(database, shop);
  return database.transaction(async (tx) => {
    const code = await createPairing(tx, pins, { shopId, name, now });
    await writeAudit(tx, { madeBy: "command", action: "pairing_code", shopId, at: now });
    return ["Enter this code at /till on the device, within ten minutes:", code];
  });
}

async function list(queries: Queries): Promise<string[]> {
  const tills = await queries
    .select({ till: shopKeys, shop: shops.name })
    .from(shopKeys)
    .innerJoin(shops, eq(shops.id, shopKeys.shopId))
    .where(eq(shopKeys.kind, "till"))
    .orderBy(asc(shopKeys.shopId), asc(shopKeys.createdAt));
  if (tills.length === 0) return ["No till yet."];
  return tills.map(({ till, shop }) => {
    const state = till.revokedAt ? "revoked" : till.usedAt ? `used ${till.usedAt.toISOString()}` : "never used";
    return [till.prefix, `shop ${till.shopId}`, shop, till.name, state].join("  ");
  });
}

async function revoke({ database, now }: Dependencies, prefix: string): Promise<string[]> {
  return database.transaction(async (tx) => {
    const [till] = await tx.select({ shopId: shopKeys.shopId }).from(shopKeys).where(eq(shopKeys.prefix, prefix));
    if (!till || !(await revokeKey(tx, prefix, now, "till")))
      throw new CommandRefused(`There is no till ${prefix} to revoke.`);
    await writeAudit(tx, { madeBy: "command", action: "till_revoked", ...till, keyPrefix: prefix, at: now });
    return [`The till ${prefix} was revoked: no process accepts it from now on.`];
  });
}
