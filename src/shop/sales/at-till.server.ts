import { sql } from "drizzle-orm";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type AuditEntry, writeAudit } from "#staff/audit.server.ts";
import { refuseStaffOwnCard } from "#staff/own-card.server.ts";

/**
 * No one sells to themselves or takes back what they bought: their own card, and vouchers of it, are a colleague's to ring up.
 */
export async function refuseOwnCard(
  queries: Queries,
  { staff }: KeyCaller,
  customerId: number | null | undefined,
): Promise<void> {
  await refuseStaffOwnCard(queries, sellersOf({ staff }), customerId);
}

/** Who rang a sale up and who sent it; no one with a key. */
export const sellersOf = ({ staff }: Pick<KeyCaller, "staff">) => [staff?.id, staff?.soldBy?.id];

/**
 * The caller of a sale that waited on a till: the person who made it may have left when a colleague sends it. The till says who it
 * was; the person who sends it has signed in, and stands in the audit log. A person who cannot have sold here, as one of another
 * shop, is not believed: the sale is then of the person who sends it, and is not lost.
 */
export async function withSeller(queries: Queries, caller: KeyCaller, idStaff: string | undefined): Promise<KeyCaller> {
  const { staff } = caller;
  if (!staff || idStaff === String(staff.id) || !/^[1-9]\d{0,8}$/.test(idStaff ?? "")) return caller;
  const { rows } = await queries.execute<{ id: number }>(
    sql`select id from staff
      where id = ${idStaff} and (shop_id = ${caller.shopId} or shop_id is null and pin_hash is not null)`,
  );
  const [found] = rows;
  if (!found) return caller;
  return { ...caller, staff: { ...staff, soldBy: { id: found.id } } };
}

/** The row of the audit log for a call that head office watches, also where a key made it and no person is known. */
export async function auditShopCall(
  tx: Queries,
  caller: KeyCaller,
  now: Date,
  entry: Pick<AuditEntry, "action" | "customerId" | "after">,
): Promise<void> {
  if (caller.staff) return auditSale(tx, caller, now, entry);
  await writeAudit(tx, { madeBy: "device", shopId: caller.shopId, keyPrefix: caller.prefix, at: now, ...entry });
}

/** The row of the audit log for what a person did at a till. A key has no person: what it did stands in the sales. */
export async function auditSale(
  tx: Queries,
  { staff, shopId, prefix }: KeyCaller,
  now: Date,
  entry: Pick<AuditEntry, "action" | "customerId" | "before" | "after" | "personal">,
): Promise<void> {
  if (!staff) return;
  const { id: staffId, requestId, soldBy } = staff;
  const after = soldBy ? { ...entry.after, soldBy: soldBy.id } : entry.after;
  await writeAudit(tx, { madeBy: "staff", staffId, requestId, shopId, keyPrefix: prefix, at: now, ...entry, after });
}
