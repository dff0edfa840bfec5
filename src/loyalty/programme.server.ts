import { asc, eq } from "drizzle-orm";
import type { Database } from "#platform/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import seed from "../../db/programme.json";
import { events, programmes, rewards, tiers } from "./programme.tables.server.ts";

/** The programme with its tiers, rewards and events, in every language. */
export async function findProgramme(database: Database, id: number) {
  const [[programme], tierRows, rewardRows, eventRows] = await Promise.all([
    database.select().from(programmes).where(eq(programmes.id, id)),
    database.select().from(tiers).where(eq(tiers.programmeId, id)).orderBy(asc(tiers.rank)),
    database.select().from(rewards).where(eq(rewards.programmeId, id)).orderBy(asc(rewards.points)),
    database.select().from(events).where(eq(events.programmeId, id)).orderBy(asc(events.id)),
  ]);
  if (!programme) throw new Refusal("not_found");
  return { ...programme, tiers: tierRows, rewards: rewardRows, events: eventRows };
}

export function euros(cents: number) {
  return { Amount: (cents / 100).toFixed(2), CurrencyIsoCode: "EUR" as const };
}

/** Fills in what is missing and leaves alone what an operator has changed. */
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
