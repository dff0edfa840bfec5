import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Label } from "./ledger.tables.server.ts";

/**
 * The only writer of points. A movement locks the member's account, takes away what has lapsed, and then writes
 * its entry, its lots and the balance together; the same cause moves points once, and the balance never falls
 * below zero. The steps stand in `loyalty_move` (db/migrations/0005_club.sql), so a movement is one round trip.
 */
interface Movement {
  customerId: number;
  /** Always positive; `debit` takes them away. */
  points: number;
  cause: string;
  label: Label;
  now: Date;
}

export interface Credit extends Movement {
  kind: "welcome" | "event" | "grant";
  /** When the points were earned, if not now. */
  earnedAt?: Date;
}

export interface Debit extends Movement {
  kind: "reward";
}

export interface Moved {
  /** Whether points moved now; a cause seen before moves none. */
  moved: boolean;
  entryId: number;
  balance: number;
}

/** With what a credit changes about the tier: the points that count for it, before and after. */
export interface Credited extends Moved {
  earnedBefore: number;
  earnedAfter: number;
}

export async function credit(queries: Queries, credit: Credit): Promise<Credited> {
  return move(queries, credit, credit.points, credit.earnedAt ?? credit.now);
}

export async function debit(queries: Queries, debit: Debit): Promise<Moved> {
  return move(queries, debit, -debit.points, debit.now);
}

/** Writes down what has lapsed by now, and says how many points that was. */
export async function expire(queries: Queries, customerId: number, now: Date): Promise<number> {
  const [row] = await queries
    .select({ lapsed: sql<number>`lapsed` })
    .from(sql`loyalty_expire(${customerId}::bigint, ${now.toISOString()}::timestamptz) lapsed`)
    .prepare("loyalty_expire")
    .execute();
  return row?.lapsed ?? 0;
}

async function move(
  queries: Queries,
  { customerId, kind, cause, label, now }: Credit | Debit,
  points: number,
  earnedAt: Date,
): Promise<Credited> {
  const [row] = await queries
    .select({
      outcome: sql<"done" | "repeated" | "short" | "not_a_member">`outcome`,
      entryId: sql`entry_id`.mapWith(Number),
      balance: sql<number>`balance_after`,
      earnedBefore: sql<number | null>`earned_before`,
      earnedAfter: sql<number | null>`earned_after`,
    })
    .from(
      sql`loyalty_move(
        ${customerId}::bigint, ${points}::integer, ${kind}::text, ${cause}::text, ${JSON.stringify(label)}::jsonb,
        ${earnedAt.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz)`,
    )
    .prepare("loyalty_move")
    .execute();
  if (!row || row.outcome === "not_a_member") throw new Refusal("not_a_member");
  if (row.outcome === "short") throw new Refusal("not_enough_points");
  return {
    moved: row.outcome === "done",
    entryId: row.entryId,
    balance: row.balance,
    earnedBefore: row.earnedBefore ?? 0,
    earnedAfter: row.earnedAfter ?? 0,
  };
}
