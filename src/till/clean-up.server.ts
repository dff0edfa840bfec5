import { lt, or } from "drizzle-orm";
import { tillCodes } from "#loyalty/rewards/voucher.tables.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { pairings, tillSessions } from "./till.tables.server.ts";

const cleanUpJob = "till:clean-up";
const dayMs = 24 * 3_600_000;

export const tillSchedule = [{ name: cleanUpJob, pattern: "45 2 * * *" }];

/** Deletes pairing codes and customers' codes that no longer work, and sessions that have ended by themselves. */
export function tillJobs({ now }: { now: () => Date }): Jobs {
  return {
    async [cleanUpJob](_, database) {
      const before = new Date(now().getTime() - dayMs);
      await database.delete(pairings).where(lt(pairings.endsAt, before));
      await database.delete(tillCodes).where(lt(tillCodes.expiresAt, before));
      await database.delete(tillSessions).where(or(lt(tillSessions.seenAt, before), lt(tillSessions.openedAt, before)));
    },
  };
}
