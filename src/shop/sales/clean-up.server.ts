import { sql } from "drizzle-orm";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { keptDays } from "./receipts.server.ts";

const cleanUpJob = "shop:clean-up";

export const shopSchedule = [{ name: cleanUpJob, pattern: "40 2 * * *" }];

/** Deletes the amounts of receipts that no one claimed; a return whose sale never came is left to a person. */
export function shopJobs({ now }: { now: () => Date }): Jobs {
  return {
    async [cleanUpJob](_, database) {
      const before = sql`${now().toISOString()}::timestamptz - make_interval(days => ${keptDays})`;
      await database.execute(sql`
        delete from shop_sale s where s.customer_id is null and s.sold_at < ${before} and coalesce(s.pending_from, s.sold_at) < ${before}
          and not exists (
            select from loyalty_voucher_use u where u.shop_id = s.shop_id and u.receipt_number = s.number)`);
      await database.execute(
        sql`update shop_return set state = 'conflict' where state = 'waiting' and returned_at < ${before}`,
      );
      await database.execute(sql`delete from loyalty_voucher_hold where until < ${before}`);
    },
  };
}
