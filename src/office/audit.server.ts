import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { AuditEntry } from "#staff/audit.server.ts";

/** When a call was made, for the audit log. */
export interface When {
  now: Date;
  requestId: string;
}

/** Who made it, too. */
export interface ActionContext extends When {
  caller: OfficeCaller;
}

/** A line of the audit log about what a person did in the back office. */
export function entryOf(
  { staffId, shopId }: Pick<OfficeCaller, "staffId" | "shopId">,
  entry: Omit<AuditEntry, "madeBy" | "staffId">,
): AuditEntry {
  return { madeBy: "staff", staffId, ...(shopId !== null && { shopId }), ...entry };
}
