import { eq } from "drizzle-orm";
import { sandboxAddress } from "#brand/sandbox-address.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { storedKey } from "#platform/database/keys/stored-keys.server.ts";
import { sandboxKey } from "#shop/keys/keys.server.ts";
import { shopKeys } from "#shop/keys/shops.tables.server.ts";
import { generatePin, type Pins } from "#staff/pins.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { createPairing } from "./pairing.server.ts";

/** A person who works in the sandbox's own shop. */
export async function sandboxSeller(database: Database, pins: Pins, now: Date) {
  const [, prefix = ""] = (await sandboxKey(database, now)).split("_");
  const [shop] = await database.select({ id: shopKeys.shopId }).from(shopKeys).where(eq(shopKeys.prefix, prefix));
  const shopId = shop?.id ?? 0;
  // The PIN first: of two processes that ask at once, both write the same person.
  const { pin } = await storedKey(database, "sandbox-pin", async () => ({ pin: generatePin() }));
  const email = sandboxAddress("alix");
  const [known] = await database.select({ id: staff.id }).from(staff).where(eq(staff.email, email));
  const id = known?.id ?? (await addAlix(database, { email, shopId, pinHash: await pins.hash(pin) }));
  return { id, email, pin, shopId };
}

/** A code that pairs a browser with the sandbox's own shop, and a person who may sign in there. */
export async function sandboxTill(database: Database, pins: Pins, now: Date) {
  const { id, pin, shopId } = await sandboxSeller(database, pins, now);
  return { Code: await createPairing(database, pins, { shopId, now }), IdStaff: String(id), Pin: pin };
}

async function addAlix(database: Database, given: { email: string; shopId: number; pinHash: string }): Promise<number> {
  const person = { firstname: "Alix", lastname: "Moreau", role: "shop" as const, ...given };
  await database.insert(staff).values(person).onConflictDoNothing();
  const [added] = await database.select({ id: staff.id }).from(staff).where(eq(staff.email, given.email));
  return added?.id ?? 0;
}
