import { sql } from "drizzle-orm";
import type { Programme } from "#loyalty/programme/programme.server.ts";
import { events, programmes, rewards, tiers } from "#loyalty/programme/programme.tables.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";

/** The job that runs when a version begins; passes that were issued are looked at again (src/loyalty/wallet). */
export const versionBeginsJob = "loyalty:version-begins";

/** The event of joining, whose points are the welcome gift. */
const welcome = "welcome";

/** A version's rules, as they can be edited and published again. */
export function rulesOf(version: Programme): Rules {
  const { welcomePoints, pointsPerEuro, pointsValidMonths, tierMonths } = version;
  const { pendingDays, reviewAmountCents, reviewPerDay } = version;
  const { adjustCustomerPoints, adjustCustomerCents, adjustStaffPoints } = version;
  const { referral, earnsOn, lineCodes, contactEmail, contactPhone, contactHours } = version;
  return {
    ...{
      welcomePoints,
      pointsPerEuro,
      pointsValidMonths,
      tierMonths,
      pendingDays,
      reviewAmountCents,
      reviewPerDay,
      adjustCustomerPoints,
      adjustCustomerCents,
      adjustStaffPoints,
      referral,
      earnsOn,
      lineCodes,
      contactEmail,
      contactPhone,
      contactHours,
    },
    tiers: version.tiers.map(({ rank: _, ...tier }) => tier),
    rewards: version.rewards,
    events: version.events,
  };
}

/** The rows of a version, ready for its tables, in the order in which they are read back. */
export function programmeOf(rules: Rules) {
  const { tiers: tierRules, events: eventRules, ...programme } = rules;
  return {
    ...programme,
    tiers: tierRules.map((tier, index) => ({ ...tier, rank: index + 1 })),
    rewards: rules.rewards.toSorted((a, b) => a.points - b.points),
    events: eventRules.map((event) => ({
      ...event,
      points: event.proof === welcome ? rules.welcomePoints : event.points,
    })),
  };
}

/** Lets one transaction at a time publish or withdraw; the last version and the next, and the latest start so far. */
export async function lockVersions(tx: Queries, programmeId: number) {
  await tx.execute(sql`select from loyalty_programme where id = ${programmeId} for no key update`);
  const { rows } = await tx.execute<{ next: number; last: number; latest: string }>(sql`
    select max(version) + 1 as next, max(version) filter (where withdrawn_at is null) as last,
      max(starts_at) filter (where withdrawn_at is null) as latest
    from loyalty_programme where coalesce(version_of, id) = ${programmeId}`);
  const [row] = rows;
  return { next: row?.next ?? 1, last: row?.last ?? 0, latestStart: new Date(row?.latest ?? 0) };
}

/**
 * Publishes rules as the next version, in force from its start on. What was bought, obtained or earned before keeps the
 * rules it was made by. The caller has checked the rules and holds the lock.
 */
export async function publishVersion(
  tx: Queries,
  programmeId: number,
  rules: Rules,
  version: { number: number; label: string | null; startsAt: Date; publishedBy: number | null; now: Date },
): Promise<void> {
  // Version 2 of programme 4 is row 4002.
  const id = programmeId * 1_000 + version.number;
  const { tiers: tierRows, events: eventRows, rewards: rewardRows, ...programme } = programmeOf(rules);
  const of = <Row extends { id: number }>(rows: Row[]) => rows.map((row) => ({ ...row, programmeId: id }));
  await tx.insert(programmes).values({
    ...programme,
    id,
    versionOf: programmeId,
    version: version.number,
    label: version.label,
    startsAt: version.startsAt,
    publishedAt: version.now,
    publishedBy: version.publishedBy,
  });
  await tx.insert(tiers).values(of(tierRows));
  if (eventRows.length > 0) await tx.insert(events).values(of(eventRows));
  if (rewardRows.length > 0) await tx.insert(rewards).values(of(rewardRows));
  await queueJob(tx, versionBeginsJob, {}, { runAt: version.startsAt });
}

/** Takes back a version that has not begun. Returns whether there was one. */
export async function withdrawVersion(
  tx: Queries,
  programmeId: number,
  version: number,
  { now, startsAfter }: { now: Date; startsAfter: Date },
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    update loyalty_programme set withdrawn_at = ${now.toISOString()}
    where version_of = ${programmeId} and version = ${version} and withdrawn_at is null
      and starts_at > ${startsAfter.toISOString()}`);
  return (rowCount ?? 0) > 0;
}
