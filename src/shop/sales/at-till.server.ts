import type { KeyCaller } from "#platform/api/api.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { type AuditEntry, writeAudit } from "#staff/audit.server.ts";

/** Nobody sells to themselves: their own card, and vouchers of it, are a colleague's to ring up. */
export function refuseOwnCard({ staff }: KeyCaller, customerId: number | null): void {
  if (staff && customerId !== null && customerId === staff.ownCustomerId) throw new Refusal("own_card");
}

/** The row of the audit log for what a person did at a till. A key has no person: what it did stands in the sales. */
export async function auditSale(
  tx: Queries,
  { staff, shopId, prefix }: KeyCaller,
  now: Date,
  entry: Pick<AuditEntry, "action" | "customerId" | "after" | "personal">,
): Promise<void> {
  if (!staff) return;
  const { id: staffId, requestId } = staff;
  await writeAudit(tx, { madeBy: "staff", staffId, requestId, shopId, keyPrefix: prefix, at: now, ...entry });
}
