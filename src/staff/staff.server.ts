import { eq } from "drizzle-orm";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { generatePin, type Pins } from "./pins.server.ts";
import { staff, staffPinLinks } from "./staff.tables.server.ts";

/** Adds a person; their address is theirs alone. */
export async function addStaff(
  queries: Queries,
  person: {
    email: string;
    firstname: string;
    lastname: string;
    role: StaffRole;
    shopId: number | null;
    addedBy?: number;
  },
): Promise<number> {
  const [added] = await queries.insert(staff).values(person).onConflictDoNothing().returning({ id: staff.id });
  if (!added) throw new Refusal("email_taken");
  return added.id;
}

/** A new PIN with its hash, which takes a while: made before the transaction that writes it. */
export async function newPin(pins: Pins): Promise<{ pin: string; pinHash: string }> {
  const pin = generatePin();
  return { pin, pinHash: await pins.hash(pin) };
}

export async function writePin(queries: Queries, staffId: number, pinHash: string | null): Promise<void> {
  await queries.update(staff).set({ pinHash }).where(eq(staff.id, staffId));
}

/** They may not sell to the customer whose card this is. */
export async function recordOwnCard(queries: Queries, staffId: number, customerId: number): Promise<void> {
  await queries.update(staff).set({ ownCustomerId: customerId }).where(eq(staff.id, staffId));
}

/** They no longer work here. Their name stays beside what they did; PIN, password and codes do not. */
export async function endStaff(queries: Queries, staffId: number, now: Date): Promise<void> {
  const secrets = { pinHash: null, passwordHash: null, totpSecret: null };
  await queries.delete(staffPinLinks).where(eq(staffPinLinks.staffId, staffId));
  await queries
    .update(staff)
    .set({ endedAt: now, ...secrets })
    .where(eq(staff.id, staffId));
}
