import { lt, or } from "drizzle-orm";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { staffPinLinks } from "#staff/staff.tables.server.ts";
import { staffInvitations, staffSessions } from "./office.tables.server.ts";

const cleanUpJob = "office:clean-up";
const dayMs = 24 * 3_600_000;

export const officeCleanUpSchedule = [{ name: cleanUpJob, pattern: "50 2 * * *" }];

/** Deletes invitations and links for PINs that no longer work, and sessions that have ended by themselves. */
export function officeCleanUpJobs({ now }: { now: () => Date }): Jobs {
  return {
    async [cleanUpJob](_, database) {
      const before = new Date(now().getTime() - dayMs);
      await database.delete(staffInvitations).where(lt(staffInvitations.endsAt, before));
      await database.delete(staffPinLinks).where(lt(staffPinLinks.endsAt, before));
      await database
        .delete(staffSessions)
        .where(or(lt(staffSessions.seenAt, before), lt(staffSessions.openedAt, before)));
    },
  };
}
