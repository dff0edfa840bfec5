import { eq } from "drizzle-orm";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { generatePin, type Pins } from "./pins.server.ts";
import { staff } from "./staff.tables.server.ts";

export async function addStaff(
  queries: Queries,
  person: { email: string; firstname: string; lastname: string; role: StaffRole; shopId: number | null },
): Promise<number> {
  const [added] = await queries.insert(staff).values(person).returning({ id: staff.id });
  if (!added) throw new Error("The person was not written.");
  return added.id;
}

/** A new PIN, which is shown only now. */
export async function renewPin(queries: Queries, pins: Pins, staffId: number): Promise<string> {
  const pin = generatePin();
  await queries
    .update(staff)
    .set({ pinHash: await pins.hash(pin) })
    .where(eq(staff.id, staffId));
  return pin;
}

/** They may not sell to the customer whose card this is. */
export async function recordOwnCard(queries: Queries, staffId: number, customerId: number): Promise<void> {
  await queries.update(staff).set({ ownCustomerId: customerId }).where(eq(staff.id, staffId));
}

/** They no longer work here. Their name stays beside what they did. */
export async function endStaff(queries: Queries, staffId: number, now: Date): Promise<void> {
  await queries.update(staff).set({ endedAt: now, pinHash: null }).where(eq(staff.id, staffId));
}
