import { inArray, lt } from "drizzle-orm";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { movedHashes, moveRejections, moveRuns } from "./move.tables.server.ts";

const cleanUpJob = "move:clean-up";
/** How long rejected values and the hashes of a move that was never finished are kept. */
export const keptDays = 30;

export const moveSchedule = [{ name: cleanUpJob, pattern: "55 2 * * *" }];

/** Deletes what old runs have left of personal data. The reconciliations stay. */
export function moveJobs({ now }: { now: () => Date }): Jobs {
  return {
    async [cleanUpJob](_, database) {
      const before = new Date(now().getTime() - keptDays * 24 * 3_600_000);
      const old = database.select({ id: moveRuns.id }).from(moveRuns).where(lt(moveRuns.startedAt, before));
      await database.delete(moveRejections).where(inArray(moveRejections.runId, old));
      await database.delete(movedHashes).where(lt(movedHashes.wrappedAt, before));
    },
  };
}
