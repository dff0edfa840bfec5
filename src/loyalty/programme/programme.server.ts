import { eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Changes } from "#platform/database/changes.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import seed from "../../../db/programme.json";
import { events, programmes, rewards, tiers } from "./programme.tables.server.ts";

type Of<Table extends { $inferSelect: object }> = Omit<Table["$inferSelect"], "programmeId">;
export type Tier = Of<typeof tiers>;
export type Reward = Of<typeof rewards>;
export type ClubEvent = Of<typeof events>;

/** The programme with its tiers, rewards and events, in every language, in one round trip. */
export async function findProgramme(queries: Queries, id: number) {
  const [programme] = await queries
    .select({
      id: programmes.id,
      welcomePoints: programmes.welcomePoints,
      pointsPerEuro: programmes.pointsPerEuro,
      contactEmail: programmes.contactEmail,
      contactPhone: programmes.contactPhone,
      contactHours: programmes.contactHours,
      tiers: sql<Tier[]>`(select jsonb_agg(jsonb_build_object('id', id, 'rank', rank,
        'pointsRequired', points_required, 'multiplierHundredths', multiplier_hundredths, 'name', name,
        'benefits', benefits) order by rank)
        from loyalty_tier where programme_id = loyalty_programme.id)`,
      rewards: sql<Reward[]>`(select jsonb_agg(jsonb_build_object('id', id, 'points', points,
        'amountCents', amount_cents, 'validDays', valid_days, 'name', name, 'description', description) order by points)
        from loyalty_reward where programme_id = loyalty_programme.id)`,
      events: sql<ClubEvent[]>`(select jsonb_agg(jsonb_build_object('id', id, 'proof', proof, 'points', points,
        'frequency', frequency, 'name', name, 'description', description, 'hint', hint) order by id)
        from loyalty_event where programme_id = loyalty_programme.id)`,
    })
    .from(programmes)
    .where(eq(programmes.id, id))
    .prepare("loyalty_programme")
    .execute();
  if (!programme) throw new Refusal("not_found");
  return programme;
}

export type Programme = Awaited<ReturnType<typeof findProgramme>>;
export type FindProgramme = (id: number) => Promise<Programme>;

/** The channel on which the database tells that a programme changed (db/functions/loyalty_programme_changed.sql). */
const programmeChannel = "loyalty_programme";

/** Programmes are read once and kept until the database tells that one changed. */
export function createFindProgramme(database: Database, changes: Changes): FindProgramme {
  return changes.cache(programmeChannel, (id: number) => findProgramme(database, id));
}

export function euros(cents: number) {
  return { Amount: (cents / 100).toFixed(2), CurrencyIsoCode: "EUR" as const };
}

/** Whom customers ask. */
export function describeContact({ contactEmail, contactPhone, contactHours }: Programme, locale: Locale) {
  return { Email: contactEmail, Phone: contactPhone, Hours: contactHours?.[locale] ?? null };
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
    Value: euros(reward.amountCents),
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

/** Inserts the rows that are missing; rows that an operator has changed stay as they are. */
export async function seedProgramme(database: Database): Promise<void> {
  const of = <Row>(rows: Row[]) => rows.map((row) => ({ ...row, programmeId: seed.id }));
  await database.transaction(async (tx) => {
    await tx.insert(programmes).values(seed).onConflictDoNothing();
    await tx.insert(tiers).values(of(seed.tiers)).onConflictDoNothing();
    await tx
      .insert(events)
      .values(of(seed.events) as (typeof events.$inferInsert)[])
      .onConflictDoNothing();
    await tx.insert(rewards).values(of(seed.rewards)).onConflictDoNothing();
  });
}
