import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { entryOf, type When } from "#office/audit.server.ts";
import { endWaysIn, inviteStaff } from "#office/sign-in/invitation.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { endStaff } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { clearPinAttempts, endSessionsOf, maxFailedAttempts } from "#till/sign-in/sign-in.server.ts";

interface Listed extends Record<string, unknown> {
  id: number;
  email: string;
  firstname: string;
  lastname: string;
  role: StaffRole;
  shopId: number | null;
  shopName: string | null;
  hasPassword: boolean;
  hasPin: boolean;
  locked: boolean;
  passkeys: number;
  invitedUntil: string | null;
  seenAt: string | null;
  endedAt: string | null;
}

const instant = (moment: string | null) => moment && new Date(moment).toISOString();

/** Everybody who works or has worked here. */
export async function listStaff(database: Database, now: Date) {
  const { rows } = await database.execute<Listed>(sql`
    select p.id, p.email, p.firstname, p.lastname, p.role, p.shop_id as "shopId", s.name as "shopName",
      p.password_hash is not null as "hasPassword", p.pin_hash is not null as "hasPin", p.ended_at as "endedAt",
      exists (select from till_pin_attempt m where m.staff_id = p.id and m.failed_attempts >= ${maxFailedAttempts}) as locked,
      (select count(*)::integer from staff_passkey k where k.staff_id = p.id) as passkeys,
      (select max(i.ends_at) from staff_invitation i where i.staff_id = p.id and i.ends_at > ${now}) as "invitedUntil",
      (select max(o.seen_at) from staff_session o
       where o.staff_id = p.id and o.seen_at > ${now}::timestamptz - interval '30 minutes') as "seenAt"
    from staff p left join shop s on s.id = p.shop_id
    order by p.ended_at is not null, p.lastname, p.firstname, p.id`);
  return {
    Staff: rows.map((person) => ({
      IdStaff: person.id,
      Email: person.email,
      Firstname: person.firstname,
      Lastname: person.lastname,
      Role: person.role,
      IdShop: person.shopId,
      ShopName: person.shopName,
      HasPassword: person.hasPassword,
      HasPin: person.hasPin,
      Locked: person.locked,
      Passkeys: person.passkeys,
      InvitedUntil: instant(person.invitedUntil),
      SeenAt: instant(person.seenAt),
      EndedAt: instant(person.endedAt),
    })),
  };
}

/** The shop of a person with the role shop, who has one; no one else has. */
async function shopOfRole(tx: Queries, role: StaffRole, shopId: number | undefined): Promise<number | null> {
  if (role !== "shop") return null;
  if (shopId === undefined) throw new Refusal("invalid", { errors: [{ field: "IdShop", code: "required" }] });
  const [shop] = await tx.select({ id: shops.id }).from(shops).where(eq(shops.id, shopId));
  if (!shop) throw new Refusal("not_found");
  return shop.id;
}

/**
 * Locks who acts and whom they act on, in one order: of two owners who end or demote each other, the second is refused.
 * No one does either to themselves, so that an owner stays.
 */
async function lockPeople(tx: Queries, caller: OfficeCaller, staffId: number): Promise<typeof staff.$inferSelect> {
  if (staffId === caller.staffId) throw new Refusal("not_yourself");
  const found = await tx
    .select()
    .from(staff)
    .where(inArray(staff.id, [caller.staffId, staffId]))
    .orderBy(asc(staff.id))
    .for("update");
  const context = found.find(({ id }) => id === caller.staffId);
  if (!context || context.endedAt || context.role !== caller.role) throw new Refusal("not_signed_in");
  const other = found.find(({ id }) => id === staffId);
  if (!other) throw new Refusal("not_found");
  return other;
}

interface Invited {
  IdStaff?: number | undefined;
  Email: string;
  Firstname: string;
  Lastname: string;
  Role: StaffRole;
  IdShop?: number | undefined;
}

/**
 * Invites a person: new, or back, or without their password and codes. A person who is known is named by IdStaff, so that an
 * address typed by mistake changes no one.
 */
export async function invitePerson(
  { database, settings }: { database: Database; settings: Settings },
  caller: OfficeCaller,
  { IdStaff, Email: email, Firstname: firstname, Lastname: lastname, Role: role, IdShop }: Invited,
  { now, requestId, locale }: When & { locale: Locale },
) {
  return database.transaction(async (tx) => {
    const shopId = await shopOfRole(tx, role, IdShop);
    const person = { firstname, lastname, role, shopId };
    const before = IdStaff === undefined ? undefined : await lockPeople(tx, caller, IdStaff);
    if (before && before.email !== email) throw new Refusal("not_found");
    const id = before?.id ?? (await addPerson(tx, { email, ...person, addedBy: caller.staffId }));
    if (before?.endedAt) {
      // Who ended before passwords and passkeys ended with them comes in by the invitation alone, too.
      await endStaff(tx, id, now);
      await endWaysIn(tx, id);
    }
    if (before)
      await tx
        .update(staff)
        .set({ ...person, endedAt: null })
        .where(eq(staff.id, id));
    // As with another role: at tills they sign in again, where they may.
    if (before) await endSessionsOf(tx, id);
    await inviteStaff(tx, settings, { id, email, firstname }, { locale, now });
    const change = {
      ...(before && { before: { role: before.role, shopId: before.shopId, ended: before.endedAt !== null } }),
      after: { staffId: id, role, shopId },
    };
    await writeAudit(tx, entryOf(caller, { action: "staff_invited", ...change, requestId, at: now }));
    return { IdStaff: id };
  });
}

/** Of two invitations of one new address at once, the second waits here and finds the person. */
async function addPerson(tx: Queries, person: typeof staff.$inferInsert): Promise<number> {
  const [added] = await tx.insert(staff).values(person).onConflictDoNothing().returning({ id: staff.id });
  if (!added) throw new Refusal("invalid", { errors: [{ field: "Email", code: "colleague" }] });
  return added.id;
}

export async function changeRole(
  database: Database,
  caller: OfficeCaller,
  { IdStaff: staffId, Role: role, IdShop }: { IdStaff: number; Role: StaffRole; IdShop?: number | undefined },
  { now, requestId }: When,
) {
  await database.transaction(async (tx) => {
    const before = await lockPeople(tx, caller, staffId);
    if (before.endedAt) throw new Refusal("not_found");
    const shopId = await shopOfRole(tx, role, IdShop);
    await tx.update(staff).set({ role, shopId }).where(eq(staff.id, staffId));
    // At tills they sign in again, where they may.
    await endSessionsOf(tx, staffId);
    const change = { before: { role: before.role, shopId: before.shopId }, after: { staffId, role, shopId } };
    await writeAudit(tx, entryOf(caller, { action: "staff_role", ...change, requestId, at: now }));
  });
}

/** A person no longer works here. A shop's manager ends people of the own shop alone. */
export async function endPerson(database: Database, caller: OfficeCaller, staffId: number, { now, requestId }: When) {
  await database.transaction(async (tx) => {
    const person = await lockPeople(tx, caller, staffId);
    const isOther = caller.shopId !== null && person.shopId !== caller.shopId;
    if (person.endedAt || isOther) throw new Refusal("not_found");
    await endStaff(tx, staffId, now);
    await endSessionsOf(tx, staffId);
    await endWaysIn(tx, staffId);
    const change = { before: { role: person.role, shopId: person.shopId }, after: { staffId } };
    await writeAudit(tx, entryOf(caller, { action: "staff_ended", ...change, requestId, at: now }));
  });
}

/**
 * A person who was locked out by wrong PINs may try again: at every till, or at those of the shop whose manager unlocks.
 * Managers unlock people of their own shop: with those of head office, who sell everywhere, they could go on guessing.
 */
export async function unlockPerson(
  database: Database,
  caller: OfficeCaller,
  staffId: number,
  { now, requestId }: When,
) {
  const { shopId } = caller;
  if (staffId === caller.staffId) throw new Refusal("not_yourself");
  await database.transaction(async (tx) => {
    const ofShop = shopId === null ? undefined : eq(staff.shopId, shopId);
    const [person] = await tx
      .select({ id: staff.id })
      .from(staff)
      .where(and(eq(staff.id, staffId), isNull(staff.endedAt), ofShop));
    if (!person) throw new Refusal("not_found");
    await clearPinAttempts(tx, staffId, shopId);
    await writeAudit(tx, entryOf(caller, { action: "staff_unlocked", after: { staffId }, requestId, at: now }));
  });
}
