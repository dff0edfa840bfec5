import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import type { Reason } from "#office/customers/choices.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { type AuditEntry, writeAudit } from "#staff/audit.server.ts";

/** Who does something to a customer, when and why. */
export interface CustomerActionContext extends ActionContext {
  reason: Reason;
  note: string | undefined;
}

/** Locks the customer of an action and reads their language. Guests have no account to act on. */
export async function lockForAction(tx: Queries, customerId: number) {
  const customer = await lockCustomer(tx, customerId);
  if (!customer || customer.guest) throw new Refusal("not_found");
  const { rows } = await tx.execute<{ language: Locale; blocked: boolean }>(
    sql`select language, blocked_at is not null as blocked from customer where id = ${customerId}`,
  );
  return { ...customer, language: rows[0]?.language ?? "fr", blocked: rows[0]?.blocked ?? false };
}

/** The row of the audit log for an action, in its transaction. The note may name people: an erasure deletes it. */
export async function auditAction(
  tx: Queries,
  { caller, now, requestId, reason, note }: CustomerActionContext,
  entry: Pick<AuditEntry, "action" | "customerId" | "before" | "after"> & { personal?: object },
): Promise<void> {
  const personal = note || entry.personal ? { ...(note && { note }), ...entry.personal } : undefined;
  await writeAudit(tx, entryOf(caller, { ...entry, personal, reason, requestId, at: now }));
}

/** The club speaks to the customer; what it refuses is told to staff in words about the customer. */
export async function forStaff<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "not_a_member") throw new Refusal("no_member");
    if (error instanceof Refusal && error.code === "not_enough_points") throw new Refusal("balance_too_low");
    throw error;
  });
}
