import { and, eq, isNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { cards } from "#loyalty/ledger/account.tables.server.ts";
import { entryOf, type When } from "#office/audit.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { addStaff, recordOwnCard } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { replacePin } from "#till/sign-in/sign-in.server.ts";
import { findOpenShop } from "./own-shop.server.ts";
import { sendPinLink } from "./pin-link.server.ts";

interface Dependencies {
  database: Database;
  settings: Pick<Settings, "publicUrl">;
}

/**
 * A person who sells at a shop's tills, with a PIN that they choose by a mailed link. They open the back office once they are
 * invited to it.
 */
export async function addPerson(
  { database, settings }: Dependencies,
  caller: OfficeCaller,
  person: { IdShop: number; Firstname: string; Lastname: string; Email: string },
  { now, requestId, locale }: When & { locale: Locale },
) {
  const { IdShop: shopId, Firstname: firstname, Lastname: lastname, Email: email } = person;
  await findOpenShop(database, caller, shopId);
  return database.transaction(async (tx) => {
    // Another spelling of an address (db/functions/mailbox_of.sql) would let a person invent colleagues whose emails they
    // read themselves.
    const mailbox = sql`mailbox_of(${staff.email}) = mailbox_of(${email})`;
    const known = await tx.select({ id: staff.id }).from(staff).where(mailbox).limit(1);
    if (known.length > 0) throw new Refusal("email_taken");
    const staffId = await addStaff(tx, { email, firstname, lastname, role: "shop", shopId, addedBy: caller.staffId });
    await sendPinLink(tx, settings, { id: staffId, email, firstname }, { locale, now });
    const after = { staffId, role: "shop", shopId };
    await writeAudit(tx, entryOf(caller, { action: "staff_added", shopId, after, requestId, at: now }));
    return { IdStaff: staffId };
  });
}

/** Ends a PIN, and mails its owner a link by which they choose another. */
export async function renewPin(
  { database, settings }: Dependencies,
  caller: OfficeCaller,
  staffId: number,
  { now, requestId, locale }: When & { locale: Locale },
): Promise<void> {
  await database.transaction(async (tx) => {
    // Locked: who ends meanwhile gets no link.
    const person = await findPerson(tx, caller, staffId, { locks: true });
    await replacePin(tx, staffId, null);
    await sendPinLink(tx, settings, person, { locale, now });
    await writeAudit(tx, entryOf(caller, { action: "staff_pin", after: { staffId }, requestId, at: now }));
  });
}

/** A person's own card: they may not sell to themselves. */
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
  const [owner] = await queries
    .select({ id: cards.customerId })
    .from(cards)
    .where(and(eq(cards.number, number), isNull(cards.replacedAt)));
  return owner?.id;
}

/** A person who works here; for the role shop, at its own shop. */
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
