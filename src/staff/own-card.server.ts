import { inArray, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { staff } from "./staff.tables.server.ts";

/** Whether a customer account is of one of these people, also by the hash of an erased one (db/functions/staff_owns.sql). */
export async function isOwnCard(
  queries: Queries,
  staffIds: readonly (number | null | undefined)[],
  customerId: number | null | undefined,
): Promise<boolean> {
  const people = staffIds.filter((id) => id !== null && id !== undefined);
  if (!customerId || people.length === 0) return false;
  const owners = await queries
    .select({ id: staff.id })
    .from(staff)
    .where(sql`${inArray(staff.id, people)} and staff_owns(${staff.id}, ${customerId}::bigint)`);
  return owners.length > 0;
}

export async function refuseStaffOwnCard(...asked: Parameters<typeof isOwnCard>): Promise<void> {
  if (await isOwnCard(...asked)) throw new Refusal("own_card");
}

/** Before an own account is erased: a keyed hash of its mailbox and of its phone is all that stays of it. */
export async function rememberOwnPerson(queries: Queries, customerId: number): Promise<void> {
  await queries.execute(sql`
    insert into staff_own_person (staff_id, person)
    select p.id, hash.person from staff p join customer c on c.id = p.own_customer_id
    cross join lateral (values (loyalty_person(c.email)), (loyalty_person(c.mobile_phone))) hash (person)
    where p.own_customer_id = ${customerId} and hash.person is not null
    on conflict do nothing`);
}

/**
 * Whether one of these people is new and the customer is of the staff: a person reviews that sale
 * (db/functions/staff_new_sale.sql).
 */
export async function isNewStaffSale(
  queries: Queries,
  staffIds: readonly (number | null | undefined)[],
  customerId: number | null | undefined,
  soldAt: Date,
): Promise<boolean> {
  const sellers = staffIds.filter((id) => id !== null && id !== undefined);
  if (!customerId || sellers.length === 0) return false;
  const { rows } = await queries.execute<{ flagged: boolean }>(sql`
    select coalesce(bool_or(staff_new_sale(seller, ${customerId}::bigint, ${soldAt.toISOString()}::timestamptz)), false)
      as flagged
    from unnest(${sql.param(sellers)}::integer[]) seller`);
  return rows[0]?.flagged ?? false;
}
