import { and, eq } from "drizzle-orm";
import { type Locale, localePath } from "#i18n/locale.ts";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import { entryOf, type When } from "#office/audit.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { revokeKey } from "#shop/keys/keys.server.ts";
import { shopKeys } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { createPairing, pairingEndsAt } from "#till/pairing/pairing.server.ts";
import { pairingPath } from "#till/paths.ts";
import { findOpenShop } from "./own-shop.server.ts";

/** A code that makes one browser a till of the shop. A shop's own people pair for it alone. */
export async function pairTill(
  { database, pins, publicUrl }: { database: Database; pins: Pins; publicUrl: string },
  caller: OfficeCaller,
  { IdShop: shopId, TillName: name }: { IdShop: number; TillName?: string | undefined },
  { now, requestId, locale }: When & { locale: Locale },
) {
  return database.transaction(async (tx) => {
    await findOpenShop(tx, caller, shopId);
    const code = await createPairing(tx, pins, { shopId, name, now });
    const named = name && { after: { name } };
    await writeAudit(tx, entryOf(caller, { action: "pairing_code", shopId, ...named, requestId, at: now }));
    const url = publicUrl + localePath(locale, pairingPath(code));
    return { Code: code, EndsAt: pairingEndsAt(now).toISOString(), Url: url, QrSvg: qrSvg(url) };
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
