import { eq, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { auditPersonal } from "./audit.tables.server.ts";
import { rememberOwnPerson } from "./own-card.server.ts";
import { staff } from "./staff.tables.server.ts";

/** What staff did to a customer's record, and whether the card is known as that of a person who works here. Names no staff. */
export async function exportOfStaff(queries: Queries, customerId: number): Promise<object> {
  const { rows } = await queries.execute<{ exported: object }>(sql`
    select json_build_object(
      'ownCardOfStaff', exists (select from staff where staff_owns(id, ${customerId})),
      'actions', (
        select coalesce(json_agg(json_build_object(
          'at', log.at, 'by', log.made_by, 'action', log.action, 'shop', log.shop_id, 'before', log.before,
          'after', log.after, 'personal', beside.personal, 'reason', log.reason) order by log.id), '[]')
        from audit_log log
        left join audit_personal beside on beside.customer_id = ${customerId} and beside.audit_id = log.id
        -- Also what was done to accounts that have become part of this one.
        where log.customer_id = ${customerId}
          or log.customer_id in (select merged.customer_id from customer_merge merged where merged.into_id = ${customerId})))
        as exported`);
  return rows[0]?.exported ?? {};
}

/** What staff entered or read of a person is gone; that they did stays. */
export async function deletePersonal(queries: Queries, customerId: number): Promise<void> {
  await queries.delete(auditPersonal).where(eq(auditPersonal.customerId, customerId));
}

/** The audit log stays, under an id that no longer belongs to a person. So does whose own card it was, as a keyed hash. */
export async function eraseFromStaff(queries: Queries, customerId: number): Promise<void> {
  await deletePersonal(queries, customerId);
  await rememberOwnPerson(queries, customerId);
  await queries.update(staff).set({ ownCustomerId: null }).where(eq(staff.ownCustomerId, customerId));
}
