import type { Queries } from "#platform/database/database.server.ts";
import { auditLog, auditPersonal } from "./audit.tables.server.ts";

/** Everything that leaves a line in the audit log. Each has its words in `messages/`, as `office.action.…`. */
export const auditActions = [
  ...([
    "purchase",
    "return",
    "void",
    "hold",
    "release",
    "voucher_obtained",
    "join",
    "receipt_read",
    "receipt_emailed",
    "day_counted",
  ] as const),
  ...(["return_other_shop", "return_undone", "sale_dated_back"] as const),
  ...(["pair", "unpair", "sign_in", "lock", "pin_locked"] as const),
  ...(["pairing_code", "till_revoked"] as const),
  ...(["staff_added", "staff_pin", "staff_pin_chosen", "staff_card", "staff_unlocked", "staff_ended"] as const),
  ...(["staff_invited", "staff_accepted", "staff_role"] as const),
  ...(["office_sign_in", "office_sign_out", "office_proof", "office_passkey", "office_passkey_removed"] as const),
  ...(["company_linked", "company_access_ended", "emergency_sign_in"] as const),
  ...(["customer_read", "customers_listed", "customer_exported", "customers_merged"] as const),
  ...(["customers_viewed", "merge_previewed", "receipts_listed", "receipt_attached"] as const),
  "audit_listed",
  ...(["customer_corrected", "points_adjusted", "voucher_given", "letter_sent"] as const),
  ...(["customer_blocked", "customer_unblocked", "sessions_ended", "card_replaced", "note_added"] as const),
  ...(["approval_asked", "request_approved", "request_declined", "request_withdrawn"] as const),
  ...([
    "shop_added",
    "shop_renamed",
    "shop_closed",
    "shop_reopened",
    "key_added",
    "key_rotated",
    "key_revoked",
  ] as const),
  ...(["return_applied", "return_attached", "return_dismissed", "points_released", "points_refused"] as const),
  ...(["clock_confirmed", "clock_corrected"] as const),
  ...(["webhook_added", "webhook_changed", "webhook_paused", "webhook_resumed", "webhook_removed"] as const),
  ...(["webhook_rotated", "webhook_resent", "webhook_tested"] as const),
  ...(["client_added", "client_rotated", "client_disabled"] as const),
  ...(["campaign_added", "campaign_approved", "campaign_refused", "campaign_withdrawn", "campaign_ended"] as const),
  ...(["hold_out_started", "hold_out_ended"] as const),
  ...(["segment_saved", "segment_archived", "segment_exported"] as const),
  ...(["programme_saved", "programme_discarded", "programme_asked", "programme_sent_back"] as const),
  ...(["programme_published", "programme_withdrawn"] as const),
  ...(["simulation_started", "simulation_cancelled"] as const),
  ...(["debt_waived", "erased_with_debt"] as const),
  ...(["move_case_closed", "move_started", "move_uploaded"] as const),
  ...(["month_drafted", "month_closed", "redemption_chosen"] as const),
] as const;
export type AuditAction = (typeof auditActions)[number];

/** A line of the audit log: who did what, to whom, what was so before and after. */
export interface AuditEntry {
  at: Date;
  /** A person, a device or key on which no one has signed in, a command of an operator, a job by the clock, or the customer. */
  madeBy: "staff" | "device" | "command" | "job" | "customer";
  /** The person who did it; of a command, the person it is about. */
  staffId?: number | null | undefined;
  action: AuditAction;
  customerId?: number | null | undefined;
  shopId?: number | undefined;
  keyPrefix?: string | undefined;
  /** Ids and numbers; nothing personal. */
  before?: object | undefined;
  after?: object | undefined;
  /** Personal values of the customer, which an erasure deletes. */
  personal?: object | undefined;
  reason?: string | undefined;
  requestId?: string | undefined;
}

/** Writes to the audit log, in the transaction of what was done. No one can change or delete it afterwards. */
export async function writeAudit(tx: Queries, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const written = await tx.insert(auditLog).values(entries).returning({ id: auditLog.id });
  const personal = entries.flatMap(({ customerId, personal }, index) => {
    const auditId = written[index]?.id;
    return customerId && personal && auditId ? [{ customerId, auditId, personal }] : [];
  });
  if (personal.length > 0) await tx.insert(auditPersonal).values(personal);
}
