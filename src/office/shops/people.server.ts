import { and, eq, isNull } from "drizzle-orm";
import { cards } from "#loyalty/ledger/account.tables.server.ts";
import { entryOf, type When } from "#office/audit.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { addStaff, newPin, recordOwnCard, writePin } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { replacePin } from "#till/sign-in.server.ts";
import { findShop } from "./own-shop.server.ts";

interface Parts {
  database: Database;
  pins: Pins;
}

/** Somebody who sells at a shop's tills. They open the back office once they are invited to it. */
export async function addPerson(
  { database, pins }: Parts,
  caller: OfficeCaller,
  person: { IdShop: number; Firstname: string; Lastname: string; Email: string },
  { now, requestId }: When,
) {
  const { IdShop: shopId, Firstname: firstname, Lastname: lastname, Email: email } = person;
  await findShop(database, caller, shopId);
  const { pin, pinHash } = await newPin(pins);
  return database.transaction(async (tx) => {
    const staffId = await addStaff(tx, { email, firstname, lastname, role: "shop", shopId, addedBy: caller.staffId });
    await writePin(tx, staffId, pinHash);
    const after = { staffId, role: "shop", shopId };
    await writeAudit(tx, entryOf(caller, { action: "staff_added", shopId, after, requestId, at: now }));
    return { IdStaff: staffId, Pin: pin };
  });
}

/** A new PIN, which is shown only now. */
export async function renewPin(
  { database, pins }: Parts,
  caller: OfficeCaller,
  staffId: number,
  { now, requestId }: When,
) {
  await findPerson(database, caller, staffId);
  const { pin, pinHash } = await newPin(pins);
  return database.transaction(async (tx) => {
    // Locked: who ends meanwhile gets no PIN.
    await findPerson(tx, caller, staffId, { locks: true });
    await replacePin(tx, staffId, pinHash);
    await writeAudit(tx, entryOf(caller, { action: "staff_pin", after: { staffId }, requestId, at: now }));
    return { Pin: pin };
  });
}

/** Somebody's own card: they may not sell to themselves. */
export async function recordCard(
  database: Database,
  caller: OfficeCaller,
  { IdStaff: staffId, CardNumber: card }: { IdStaff: number; CardNumber: string },
  { now, requestId }: When,
) {
  await database.transaction(async (tx) => {
    const { ownCustomerId } = await findPerson(tx, caller, staffId, { locks: true });
    const customerId = await ownerOfCard(tx, card);
    if (customerId === undefined) throw new Refusal("invalid", { errors: [{ field: "CardNumber", code: "invalid" }] });
    // Many rules ask whose card it is. Who has told theirs cannot tell another: a colleague changes it.
    const isOther = ownCustomerId !== null && ownCustomerId !== customerId;
    if (staffId === caller.staffId && isOther) throw new Refusal("not_yourself");
    await recordOwnCard(tx, staffId, customerId);
    const change = { before: { staffId, ownCustomerId }, after: { staffId, ownCustomerId: customerId } };
    const entry = { action: "staff_card", customerId, ...change, personal: { card }, requestId, at: now } as const;
    await writeAudit(tx, entryOf(caller, entry));
  });
}

export async function ownerOfCard(queries: Queries, number: string): Promise<number | undefined> {
  const [owner] = await queries.select({ id: cards.customerId }).from(cards).where(eq(cards.number, number));
  return owner?.id;
}

/** Somebody who works here; for the role shop, at its own shop. */
async function findPerson(queries: Queries, { shopId }: OfficeCaller, staffId: number, { locks = false } = {}) {
  const ofShop = shopId === null ? undefined : eq(staff.shopId, shopId);
  const query = queries
    .select()
    .from(staff)
    .where(and(eq(staff.id, staffId), isNull(staff.endedAt), ofShop));
  const [person] = await (locks ? query.for("update") : query);
  if (!person) throw new Refusal("not_found");
  return person;
}
