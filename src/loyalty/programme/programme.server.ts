import { type SQL, sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { installedBrand } from "#brand/brand.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { Changes } from "#platform/database/changes.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { firstProgramme } from "./first-programme.server.ts";
import { type PricedReward, valueOfPoints } from "./point-value.ts";
import { events, programmes, rewards, tiers } from "./programme.tables.server.ts";
import type { ReferralRules } from "./rules.ts";

/** The programme of every page and call; the specification knows one. */
export const defaultProgrammeId = 4 as const;

type Of<Table extends { $inferSelect: object }> = Omit<Table["$inferSelect"], "programmeId">;
export type Tier = Of<typeof tiers>;
export type Reward = Of<typeof rewards>;
export type ClubEvent = Of<typeof events>;

/** What any version has called something, so that old entries, vouchers and receipts keep their names. */
interface Known {
  tiers: Tier[];
  rewards: Reward[];
  events: ClubEvent[];
}

/**
 * Every version of a programme that was published, without those withdrawn, in every language, the earliest first. `id` is the
 * programme's in each, `until` the start of the next.
 */
async function findVersions(queries: Queries, id: number, { withdrawn = false } = {}) {
  const rows = await queries
    .select({
      rowId: programmes.id,
      version: programmes.version,
      startsAt: programmes.startsAt,
      welcomePoints: programmes.welcomePoints,
      pointsPerEuro: programmes.pointsPerEuro,
      pointsValidMonths: programmes.pointsValidMonths,
      tierMonths: programmes.tierMonths,
      pendingDays: programmes.pendingDays,
      reviewAmountCents: programmes.reviewAmountCents,
      reviewPerDay: programmes.reviewPerDay,
      adjustCustomerPoints: programmes.adjustCustomerPoints,
      adjustCustomerCents: programmes.adjustCustomerCents,
      adjustStaffPoints: programmes.adjustStaffPoints,
      referral: programmes.referral,
      earnsOn: programmes.earnsOn,
      lineCodes: programmes.lineCodes,
      contactEmail: programmes.contactEmail,
      contactPhone: programmes.contactPhone,
      contactHours: programmes.contactHours,
      tiers: sql<Tier[]>`(select jsonb_agg(jsonb_build_object('id', id, 'rank', rank,
        'pointsRequired', points_required, 'multiplierHundredths', multiplier_hundredths, 'name', name,
        'benefits', benefits) order by rank)
        from loyalty_tier where programme_id = loyalty_programme.id)`,
      rewards: sql<Reward[]>`(select coalesce(jsonb_agg(jsonb_build_object('id', id, 'points', points,
        'amountCents', amount_cents, 'validDays', valid_days, 'minimumBasketCents', minimum_basket_cents,
        'usableOn', usable_on, 'name', name, 'description', description) order by points), '[]')
        from loyalty_reward where programme_id = loyalty_programme.id)`,
      events: sql<ClubEvent[]>`(select coalesce(jsonb_agg(jsonb_build_object('id', id, 'proof', proof, 'points', points,
        'frequency', frequency, 'name', name, 'description', description, 'hint', hint) order by id), '[]')
        from loyalty_event where programme_id = loyalty_programme.id)`,
    })
    .from(programmes)
    .where(
      sql`coalesce(${programmes.versionOf}, ${programmes.id}) = ${sql.placeholder("id")}
        and (${sql.placeholder("withdrawn")}::boolean or ${programmes.withdrawnAt} is null)`,
    )
    .orderBy(programmes.startsAt, programmes.version)
    .prepare("loyalty_programme")
    .execute({ id, withdrawn });
  // The next version may offer an event that the product brings and no version has had yet.
  let known: Known = { tiers: [], rewards: [], events: firstProgramme().events as ClubEvent[] };
  return rows.map((row, index) => {
    const merge = <One extends { id: number }>(now: One[], before: One[]) => [
      ...now,
      ...before.filter(({ id: old }) => !now.some(({ id: one }) => one === old)),
    ];
    known = {
      tiers: merge(row.tiers, known.tiers),
      rewards: merge(row.rewards, known.rewards),
      events: merge(row.events, known.events),
    };
    return { ...row, id, known, until: rows[index + 1]?.startsAt ?? null };
  });
}

type Versions = Awaited<ReturnType<typeof findVersions>>;
export type Programme = Versions[number];

/** Of versions in the order of their start, the one in force at a moment. */
function inForce(versions: Versions, now: Date): Programme {
  const found = versions.findLast(({ startsAt }) => startsAt <= now);
  if (!found) throw new Refusal("not_found");
  return found;
}

/** The version of a programme in force at a moment, in one round trip. */
export async function queryProgramme(queries: Queries, id: number, now: Date): Promise<Programme> {
  return inForce(await findVersions(queries, id), now);
}

/** The version of a programme that is in force at a moment, as a row of a query (db/functions/loyalty_programme_at.sql). */
export const programmeAt = (programmeId: number | SQL, moment: Date | SQL) =>
  sql`loyalty_programme_at(${programmeId}::integer, ${moment instanceof Date ? moment.toISOString() : moment}::timestamptz)`;

/** One version, also a withdrawn one. */
export async function findVersion(queries: Queries, id: number, version: number): Promise<Programme | undefined> {
  const found = await findVersions(queries, id, { withdrawn: true });
  return found.find((one) => one.version === version);
}

export type FindProgramme = (id: number, now: Date) => Promise<Programme>;

/** The channel on which the database tells that a version was published or withdrawn (db/functions/loyalty_programme_changed.sql). */
const programmeChannel = "loyalty_programme";

/**
 * Versions are read once and kept until the database tells of another. One that begins later is kept with the others, so
 * it is in force from its first moment in every process, without a word from the database.
 */
export function createFindProgramme(database: Database, changes: Changes): FindProgramme {
  const versionsOf = changes.cache(programmeChannel, (id: number) => findVersions(database, id));
  return async (id, now) => {
    // What is not there is not kept: anybody may ask for any number of ids.
    if (id !== defaultProgrammeId) throw new Refusal("not_found");
    return inForce(await versionsOf(id), now);
  };
}

export function moneyOf(cents: number) {
  return { Amount: amountOf(cents), CurrencyIsoCode: installedBrand().Currency };
}

/** Whom customers ask. */
function describeContact({ contactEmail, contactPhone, contactHours }: Described, locale: Locale) {
  return { Email: contactEmail, Phone: contactPhone, Hours: contactHours?.[locale] ?? null };
}

/** The club as everybody may see it. */
export function describeProgramme(programme: Described, locale: Locale) {
  return {
    IdLoyaltyProgram: defaultProgrammeId,
    WelcomePoints: programme.welcomePoints,
    PointsPerEuro: programme.pointsPerEuro,
    PointsValidMonths: programme.pointsValidMonths,
    TierMonths: programme.tierMonths,
    PendingDays: programme.pendingDays,
    Referral: describeReferral(programme),
    Tiers: programme.tiers.map((tier) => describeTier(tier, locale)),
    Rewards: programme.rewards.map((reward) => describeReward(reward, locale)),
    Events: programme.events.map((event) => describeEvent(event, locale)),
    Contact: describeContact(programme, locale),
  };
}

/** What is shown of a programme. */
type Described = Pick<
  Programme,
  | ("welcomePoints" | "pointsPerEuro" | "pendingDays" | "pointsValidMonths" | "tierMonths")
  | ("referral" | "tiers" | "rewards" | "events")
  | ("contactEmail" | "contactPhone" | "contactHours")
>;

/** What recommending a friend brings; null: nothing. */
export function describeReferral(programme: { referral: ReferralRules; rewards: readonly PricedReward[] }) {
  const { points, days, perYear } = programme.referral;
  if (points === 0) return null;
  // Like db/functions/referral_kept.sql.
  const minimum = Math.max(1, valueOfPoints(programme).cents(points, Math.ceil));
  return { Points: points, Days: days, PerYear: perYear, Minimum: moneyOf(minimum) };
}

export function describeTier(tier: Tier, locale: Locale) {
  return {
    IdLoyaltyTier: tier.id,
    Rank: tier.rank,
    Name: tier.name[locale],
    PointsRequired: tier.pointsRequired,
    Multiplier: tier.multiplierHundredths / 100,
    Benefits: tier.benefits[locale],
  };
}

export function describeReward(reward: Reward, locale: Locale) {
  return {
    IdLoyaltyReward: reward.id,
    Name: reward.name[locale],
    Description: reward.description[locale],
    Points: reward.points,
    Value: moneyOf(reward.amountCents),
    ValidDays: reward.validDays,
  };
}

export function describeEvent(event: ClubEvent, locale: Locale) {
  return {
    IdLoyaltyProgramEvent: event.id,
    Name: event.name[locale],
    Description: event.description[locale],
    Points: event.points,
    Frequency: event.frequency,
  };
}

/** The first version, in a database that has none, with other numbers where the caller wants them. */
export async function seedProgramme(
  database: Database,
  numbers: Partial<Pick<Programme, "pendingDays">> = {},
): Promise<void> {
  const seed = firstProgramme();
  const of = <Row>(rows: Row[]) => rows.map((row) => ({ ...row, programmeId: seed.id }));
  await database.transaction(async (tx) => {
    const first = { ...seed, ...numbers, startsAt: firstStart };
    const written = await tx.insert(programmes).values(first).onConflictDoNothing().returning({ id: programmes.id });
    if (written.length === 0) return;
    await tx.insert(tiers).values(of(seed.tiers));
    await tx.insert(events).values(of(seed.events) as (typeof events.$inferInsert)[]);
    await tx.insert(rewards).values(of(seed.rewards));
  });
}

/** The first version has always been in force. */
const firstStart = new Date("2000-01-01T00:00:00Z");
