import { defaultLocale } from "#i18n/locale.ts";
import { entryOf } from "#office/audit.server.ts";
import type { Log } from "#platform/log.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { notifyOwners } from "#staff/notify-owners.server.ts";
import { emergencyEmail } from "./emails.server.ts";
import type { WaysIn } from "./sign-in.server.ts";

/**
 * The emergency owner has signed in without the company's account: in the audit log, which a metric counts
 * (`cercle_emergency_sign_ins`), in the process's log, and in an email to every owner.
 */
export const raiseEmergencyAlarm =
  (log: Log): WaysIn["alarm"] =>
  async (tx, { id: staffId, email }, { now, requestId }) => {
    await writeAudit(tx, entryOf({ staffId, shopId: null }, { action: "emergency_sign_in", requestId, at: now }));
    const cause = `emergency:${staffId}:${now.toISOString()}`;
    await notifyOwners(tx, cause, defaultLocale(), emergencyEmail(defaultLocale(), email, now));
    log.error({ staffId, requestId }, "emergency owner signed in");
  };
