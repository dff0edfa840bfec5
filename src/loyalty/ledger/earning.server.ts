import { sql } from "drizzle-orm";
import type { ClubContext } from "#loyalty/club-context.ts";
import { queueEmail, tierCause, tierEmail } from "#loyalty/emails/emails.server.ts";
import type { Tier } from "#loyalty/programme/programme.server.ts";
import { programmeAt } from "#loyalty/programme/programme.server.ts";
import { tiers as tiersTable } from "#loyalty/programme/programme.tables.server.ts";
import { tierFor } from "#loyalty/status/status.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type Credit, type Credited, credit } from "./ledger.server.ts";

/** Credits points and, when the member reaches a higher tier, queues an email about it. */
export async function earn(
  queries: Queries,
  programmeId: number,
  earning: Omit<Credit, "now">,
  context: ClubContext,
  /** The programme's tiers, where the caller knows them; otherwise they are read. */
  tiers?: readonly Tier[],
): Promise<Credited> {
  const credited = await credit(queries, { ...earning, now: context.now });
  if (!credited.moved) return credited;
  const { earnedBefore, earnedAfter } = credited;
  const reached = tierFor(tiers ?? (await findTiers(queries, programmeId, context.now)), earnedAfter);
  if (reached.pointsRequired > earnedBefore) {
    const { customerId } = earning;
    await queueEmail(queries, customerId, tierCause(customerId, reached.id, context.now), context.locale, (firstname) =>
      tierEmail(context, firstname, reached),
    );
  }
  return credited;
}

async function findTiers(queries: Queries, programmeId: number, now: Date): Promise<Tier[]> {
  return queries
    .select()
    .from(tiersTable)
    .where(sql`${tiersTable.programmeId} = (select id from ${programmeAt(programmeId, now)})`)
    .orderBy(tiersTable.rank)
    .prepare("loyalty_tiers")
    .execute();
}
