import { sql } from "drizzle-orm";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import { eventDays } from "./events.server.ts";

const expiredJob = "shop:voucher-expired";
const cleanUpJob = "shop:webhook-clean-up";

/** Vouchers end with the club's day. */
export const webhookSchedule: readonly Scheduled[] = [
  { name: expiredJob, clubTime: "00:30" },
  { name: cleanUpJob, pattern: "50 2 * * *" },
];

export function webhookCleanUpJobs({ now }: { now: () => Date }): Jobs {
  return {
    /** Tells of vouchers that ended, some at a time (db/functions/webhook_voucher_expired.sql). */
    async [expiredJob](_, database) {
      const moment = now().toISOString();
      for (let told = 1; told > 0; ) {
        const { rows } = await database.execute<{ told: number }>(
          sql`select webhook_voucher_expired(${moment}::timestamptz) as told`,
        );
        told = rows[0]?.told ?? 0;
      }
    },
    /** Deletes events with their deliveries and attempts. Their time is the database's own, and so is this. */
    async [cleanUpJob](_, database) {
      const before = sql`now() - make_interval(days => ${eventDays})`;
      await database.transaction(async (tx) => {
        await tx.execute(sql`update webhook_since set at = greatest(at, ${before})`);
        await tx.execute(sql`delete from webhook_event where at < ${before}`);
      });
    },
  };
}
