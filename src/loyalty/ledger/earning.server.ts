import { and, desc, eq, gt, lte } from "drizzle-orm";
import type { ClubContext } from "#loyalty/club-context.ts";
import { queueLetter, tierLetter } from "#loyalty/letters/letters.server.ts";
import { tiers } from "#loyalty/programme/programme.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type Credit, type Credited, credit } from "./ledger.server.ts";

/** Credits points and, when the member reaches a higher tier, queues a letter about it. */
export async function earn(
  queries: Queries,
  programmeId: number,
  earning: Omit<Credit, "now">,
  context: ClubContext,
): Promise<Credited> {
  const credited = await credit(queries, { ...earning, now: context.now });
  if (!credited.moved) return credited;
  const [reached] = await queries
    .select()
    .from(tiers)
    .where(
      and(
        eq(tiers.programmeId, programmeId),
        gt(tiers.pointsRequired, credited.earnedBefore),
        lte(tiers.pointsRequired, credited.earnedAfter),
      ),
    )
    .orderBy(desc(tiers.rank))
    .limit(1)
    .prepare("loyalty_tier_reached")
    .execute();
  if (reached) {
    const { customerId } = earning;
    await queueLetter(queries, customerId, `tier:${customerId}:${credited.entryId}`, context.locale, (firstname) =>
      tierLetter(context, firstname, reached),
    );
  }
  return credited;
}
