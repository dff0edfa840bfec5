import { and, asc, eq, inArray, isNull, or } from "drizzle-orm";
import { entryOf } from "#office/audit.server.ts";
import { staffInvitations, staffPasskeys } from "#office/sign-in/office.tables.server.ts";
import { endOfficeSessionsOf } from "#office/sign-in/session.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { endStaff } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { clearPinMisses, endSessionsOf } from "#till/sign-in.server.ts";

interface When {
  now: Date;
  requestId: string;
}

/** Everybody who works or has worked here. */
export async function listStaff(database: Database) {
  const people = await database.select().from(staff).orderBy(asc(staff.email));
  return {
    Staff: people.map((person) => ({
      IdStaff: person.id,
      Email: person.email,
      Firstname: person.firstname,
      Lastname: person.lastname,
      Role: person.role,
      IdShop: person.shopId,
      HasPin: person.pinHash !== null,
      EndedAt: person.endedAt?.toISOString() ?? null,
    })),
  };
}

/** Somebody no longer works here. Nobody ends themselves, so that an owner stays. */
export async function endPerson(database: Database, caller: OfficeCaller, staffId: number, { now, requestId }: When) {
  if (staffId === caller.staffId) throw new Refusal("not_yourself");
  await database.transaction(async (tx) => {
    // Both are locked, in one order: of two owners who end each other, the second no longer works here.
    const living = await tx
      .select({ id: staff.id })
      .from(staff)
      .where(and(inArray(staff.id, [caller.staffId, staffId]), isNull(staff.endedAt)))
      .orderBy(asc(staff.id))
      .for("update");
    if (!living.some(({ id }) => id === caller.staffId)) throw new Refusal("not_signed_in");
    if (!living.some(({ id }) => id === staffId)) throw new Refusal("not_found");
    await endStaff(tx, staffId, now);
    await endSessionsOf(tx, staffId);
    await endOfficeSessionsOf(tx, staffId);
    await tx.delete(staffInvitations).where(eq(staffInvitations.staffId, staffId));
    await tx.delete(staffPasskeys).where(eq(staffPasskeys.staffId, staffId));
    await writeAudit(tx, entryOf(caller, { action: "staff_ended", after: { staffId }, requestId, at: now }));
  });
}

/** Whoever was locked out by wrong PINs may try again: at every till, or at those of the shop whose manager unlocks. */
export async function unlockPerson(
  database: Database,
  caller: OfficeCaller,
  staffId: number,
  { now, requestId }: When,
) {
  const { shopId } = caller;
  await database.transaction(async (tx) => {
    const atShop = shopId === null ? undefined : or(eq(staff.shopId, shopId), isNull(staff.shopId));
    const [person] = await tx
      .select({ id: staff.id })
      .from(staff)
      .where(and(eq(staff.id, staffId), isNull(staff.endedAt), atShop));
    if (!person) throw new Refusal("not_found");
    await clearPinMisses(tx, staffId, shopId);
    await writeAudit(tx, entryOf(caller, { action: "staff_unlocked", after: { staffId }, requestId, at: now }));
  });
}
