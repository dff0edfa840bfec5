import { and, eq } from "drizzle-orm";
import { entryOf } from "#office/audit.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { revokeKey } from "#shop/keys/keys.server.ts";
import { shopKeys, shops } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { createPairing } from "#till/pairing.server.ts";

interface When {
  now: Date;
  requestId: string;
}

/** A code that makes one browser a till of the shop. A shop's own people pair for it alone. */
export async function pairTill(
  { database, pins }: { database: Database; pins: Pins },
  caller: OfficeCaller,
  { IdShop: shopId, TillName: name }: { IdShop: number; TillName?: string | undefined },
  { now, requestId }: When,
) {
  if (caller.shopId !== null && caller.shopId !== shopId) throw new Refusal("forbidden");
  return database.transaction(async (tx) => {
    const [shop] = await tx.select({ id: shops.id }).from(shops).where(eq(shops.id, shopId));
    if (!shop) throw new Refusal("not_found");
    const code = await createPairing(tx, pins, { shopId, name, now });
    await writeAudit(tx, entryOf(caller, { action: "pairing_code", shopId, requestId, at: now }));
    return { Code: code };
  });
}

/** The device is no till any more, from its next call on. */
export async function revokeTill(database: Database, caller: OfficeCaller, prefix: string, { now, requestId }: When) {
  await database.transaction(async (tx) => {
    const [till] = await tx
      .select({ shopId: shopKeys.shopId })
      .from(shopKeys)
      .where(and(eq(shopKeys.prefix, prefix), eq(shopKeys.kind, "till")));
    const isOwn = till && (caller.shopId === null || caller.shopId === till.shopId);
    if (!isOwn || !(await revokeKey(tx, prefix, now, "till"))) throw new Refusal("not_found");
    const entry = { action: "till_revoked", shopId: till.shopId, keyPrefix: prefix, requestId, at: now } as const;
    await writeAudit(tx, entryOf(caller, entry));
  });
}
