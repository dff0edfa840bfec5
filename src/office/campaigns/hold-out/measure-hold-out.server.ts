import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { holdOuts } from "#loyalty/ledger/campaign.tables.server.ts";
import { sumGroups } from "#office/campaigns/results/reached.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";

export const holdOutJob = "office:hold-out-measured";
const Payload = z.object({ holdOut: z.int() });

export function holdOutJobs({ now }: { now: () => Date }): Jobs {
  return {
    [holdOutJob]: (payload, database) => measure(database, Payload.parse(payload).holdOut, now()),
  };
}

/** What members of before the year have done in it, in the hold-out and outside, once. */
async function measure(database: Database, id: number, now: Date): Promise<void> {
  const [found] = await database.select().from(holdOuts).where(eq(holdOuts.id, id));
  if (!found || found.endedAt || found.result) return;
  const { startsAt: from, endsAt: until, salt, percent } = found;
  const result = await sumGroups(database, {
    members: sql`select a.customer_id, campaign_controls(${salt}, ${percent}, a.customer_id) as control
      from loyalty_account a where a.state <> 'erased' and a.member_since <= ${from.toISOString()}`,
    ...{ from, until, metric: "revenue" },
    isOfCampaign: sql`campaign_id is not null`,
  });
  await database.update(holdOuts).set({ result, measuredAt: now }).where(eq(holdOuts.id, id));
}
