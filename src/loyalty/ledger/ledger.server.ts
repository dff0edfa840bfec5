import { eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { buildStatement, fillStatement } from "#platform/database/statements.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { accounts } from "./account.tables.server.ts";
import { type Label, lots } from "./ledger.tables.server.ts";

/**
 * Points are written in this folder alone: here, for gifts in gifts.server.ts, for merged accounts in merge.server.ts.
 * A movement locks the member's account, debits the points that have expired, and then writes its entry, its lots and the
 * balance together. It is idempotent by its cause, and the balance never falls below zero. The steps are SQL functions, so
 * a movement is one round trip:
 * - db/functions/loyalty_add.sql writes points that were earned, db/functions/loyalty_take_lots.sql spends the lots that
 *   expire next.
 * - db/functions/loyalty_arrive.sql credits pending points whose day has come, db/functions/loyalty_expire.sql takes away
 *   points that have expired.
 * - db/functions/loyalty_debt_of.sql is what a customer owes, db/functions/loyalty_settle.sql settles debt.
 * - db/functions/loyalty_cancel_vouchers.sql cancels unused vouchers whose points are needed, each by
 *   db/functions/loyalty_cancel_voucher.sql; one that a receipt holds is cancelled when the hold ends, by
 *   db/functions/loyalty_cancel_released.sql. db/functions/loyalty_refill.sql gives a voucher's points back.
 */
export interface Credit {
  customerId: number;
  points: number;
  kind: "welcome" | "event" | "grant" | "purchase" | "adjust" | "referral";
  cause: string;
  label: Label;
  now: Date;
  /** When the points were earned, if not now. */
  earnedAt?: Date;
}

export interface Credited {
  /** Whether points moved now; a repeated cause moves none. */
  moved: boolean;
  entryId: number;
  balance: number;
  /** What the customer still owes after the points have settled what they could. */
  debt: number;
  /** The points that count for the tier, before and after. */
  earnedBefore: number;
  earnedAfter: number;
}

const crediting = (name: keyof Credit) => sql.placeholder(name);
const creditStatement = buildStatement<Record<keyof Credit, unknown>>(sql`
  select * from loyalty_credit(${crediting("customerId")}, ${crediting("points")}, ${crediting("kind")},
    ${crediting("cause")}, ${crediting("label")}, ${crediting("earnedAt")}, ${crediting("now")})`);

interface CreditRow {
  outcome: Outcome;
  entry_id: string;
  balance_after: number;
  debt_after: number;
  earned_before: number | null;
  earned_after: number | null;
}

/** Credits points and settles debt with them, through `loyalty_credit` (db/functions/loyalty_credit.sql). */
export async function credit(queries: Queries, earning: Credit): Promise<Credited> {
  const statement = fillStatement("loyalty_credit", creditStatement, {
    ...earning,
    earnedAt: earning.earnedAt ?? earning.now,
  });
  const [row] = (await queries.$client.query<CreditRow>(statement)).rows;
  if (!row) throw new Error("loyalty_credit returned no row.");
  throwRefusal(row.outcome);
  return {
    moved: row.outcome === "done",
    entryId: Number(row.entry_id),
    balance: row.balance_after,
    debt: row.debt_after,
    earnedBefore: row.earned_before ?? 0,
    earnedAfter: row.earned_after ?? 0,
  };
}

/** Points that will arrive, and those that arrive next (db/functions/loyalty_pending_of.sql). */
export interface Pending {
  points: number;
  /** Those that have arrived but are not written down yet; they are part of what is available. */
  due: number;
  next: { points: number; date: string } | null;
}

/** In the API's field names. */
export const describePending = (pending: Pick<Pending, "points" | "next"> | null) => ({
  Pending: pending?.points ?? 0,
  NextPending: pending?.next ? { Points: pending.next.points, Date: pending.next.date } : null,
});

interface Later extends Pick<Credit, "customerId" | "points" | "cause" | "label" | "now"> {
  soldAt: Date;
  arrivesAt: Date;
}

const given = (name: keyof Later) => sql.placeholder(name);
const creditLaterStatement = buildStatement<Record<keyof Later, unknown>>(sql`
  select loyalty_credit_later(${given("customerId")}, ${given("points")}, ${given("cause")}, ${given("label")},
    ${given("soldAt")}, ${given("arrivesAt")}, ${given("now")}) as pending`);

/**
 * Notes points of a purchase that arrive later (db/functions/loyalty_credit_later.sql). The caller holds the customer's lock.
 * Returns all that is pending.
 */
export async function creditLater(queries: Queries, later: Later): Promise<Pending> {
  const statement = fillStatement("loyalty_credit_later", creditLaterStatement, { ...later });
  const [row] = (await queries.$client.query<{ pending: Pending }>(statement)).rows;
  if (!row) throw new Error("loyalty_credit_later returned no row.");
  return row.pending;
}

/** Takes points that the customer has, without a voucher for them, through `loyalty_move` (db/functions/loyalty_move.sql). */
export async function debit(
  queries: Queries,
  taking: { customerId: number; points: number; cause: string; label: Label; now: Date },
): Promise<number> {
  const { customerId, points, cause, label, now } = taking;
  const moment = sql`${now.toISOString()}::timestamptz`;
  const [row] = await queries.select({ outcome: sql<Outcome>`outcome`, balance: sql<number>`balance_after` }).from(
    sql`loyalty_move(${customerId}::bigint, ${-points}::integer, 'adjust', ${cause}::text,
        ${JSON.stringify(label)}::jsonb, ${moment}, ${moment})`,
  );
  throwRefusal(row?.outcome);
  return row?.balance ?? 0;
}

interface Buying {
  customerId: number;
  programmeId: number;
  rewardId: number;
  code: string;
  now: Date;
}

const buying = (name: keyof Buying) => sql.placeholder(name);
const buyStatement = buildStatement<Record<keyof Buying, unknown>>(sql`
  select * from loyalty_obtain_confirmed(${buying("customerId")}, ${buying("programmeId")}, ${buying("rewardId")},
    ${buying("code")}, ${buying("now")})`);

interface BoughtRow {
  outcome: Outcome | "unknown" | "code_taken" | "unconfirmed";
  voucher_id: string;
  balance_after: number;
  cost: number;
  amount_cents: number;
  reward_name: Record<Locale, string>;
  expires_at: Date;
  /** Null when the customer was erased. */
  email: string | null;
  firstname: string | null;
}

/**
 * Debits the cost of a reward and writes the voucher, if the customer's address is confirmed, through
 * `loyalty_obtain_confirmed` (db/functions/loyalty_obtain_confirmed.sql, then db/functions/loyalty_obtain.sql). Returns
 * undefined when the code is taken.
 */
export async function buyVoucher(queries: Queries, purchase: Buying) {
  const statement = fillStatement("loyalty_obtain_confirmed", buyStatement, { ...purchase });
  const [row] = (await queries.$client.query<BoughtRow>(statement)).rows;
  if (row?.outcome === "code_taken") return undefined;
  if (row?.outcome === "unknown") throw new Refusal("not_found");
  throwRefusal(row?.outcome);
  return (
    row && {
      id: Number(row.voucher_id),
      balance: row.balance_after,
      points: row.cost,
      amountCents: row.amount_cents,
      name: row.reward_name,
      expiresAt: row.expires_at,
      email: row.email,
      firstname: row.firstname,
    }
  );
}

/** Value of a voucher that was cancelled because its points were needed. */
export interface CancelledVoucher {
  valueCents: number;
}

/**
 * Takes back points of a purchase, named by its cause: pending points first, then the balance, for which unused vouchers
 * are cancelled; the rest is owed (db/functions/loyalty_claw_back.sql). An erased customer owes nothing. Of an exchange,
 * `exchange` is the cause of the new purchase.
 */
export async function clawBack(
  queries: Queries,
  taking: {
    customerId: number;
    purchase: string;
    points: number;
    cause: string;
    label: Label;
    now: Date;
    exchange: string | null;
  },
) {
  const { customerId, purchase, points, cause, label, now, exchange } = taking;
  const [row] = await queries
    .select({
      taken: sql<number | null>`taken`,
      balance: sql<number | null>`balance_after`,
      cancelled: sql<CancelledVoucher[] | null>`cancelled`,
    })
    .from(
      sql`loyalty_claw_back(${customerId}::bigint, ${purchase}::text, ${points}::integer, ${cause}::text,
        ${JSON.stringify(label)}::jsonb, ${now.toISOString()}::timestamptz, ${exchange}::text)`,
    )
    .prepare("loyalty_claw_back")
    .execute();
  return { taken: row?.taken ?? 0, cancelled: row?.cancelled ?? [] };
}

/**
 * Gives back what a return of today has taken (db/functions/loyalty_undo_claw_back.sql). The points of that return; undefined
 * when they have moved on since.
 */
export async function undoClawBack(
  queries: Queries,
  taken: { customerId: number; cause: string; label: Label; now: Date; exchange: string | null },
): Promise<number | undefined> {
  const { customerId, cause, label, now, exchange } = taken;
  const [row] = await queries.select({ points: sql<number | null>`points` }).from(
    sql`loyalty_undo_claw_back(${customerId}::bigint, ${cause}::text, ${JSON.stringify(label)}::jsonb,
        ${now.toISOString()}::timestamptz, ${exchange}::text) points`,
  );
  return row?.points ?? undefined;
}

/** The points, the debt and the pending points of a customer. */
export async function readBalance(queries: Queries, customerId: number, now: Date) {
  const [row] = await queries
    .select({
      balance: accounts.balance,
      debt: sql<number>`loyalty_debt_of(${accounts.customerId})`,
      pending: sql<Pending>`loyalty_pending_of(${accounts.customerId}, ${now.toISOString()}::timestamptz)`,
    })
    .from(accounts)
    .where(eq(accounts.customerId, customerId));
  return { balance: row?.balance ?? null, debt: row?.debt ?? null, pending: row?.pending ?? null };
}

/**
 * A new voucher in place of one whose sale was returned, or, while the customer has a debt, its points back
 * (db/functions/loyalty_reissue.sql).
 */
export async function reissueVoucher(queries: Queries, voucher: { oldCode: string; code: string; now: Date }) {
  const [row] = await queries
    .select({
      outcome: sql<"done" | "points_back" | "repeated" | "code_taken" | "not_found">`outcome`,
      voucherId: sql`voucher_id`.mapWith(Number),
      customerId: sql`customer_id`.mapWith(Number),
      amountCents: sql<number>`amount_cents`,
      expiresAt: sql`expires_at`.mapWith(lots.expiresAt),
      email: sql<string | null>`email`,
      firstname: sql<string | null>`firstname`,
      language: sql<Locale>`language`,
    })
    .from(
      sql`loyalty_reissue(${voucher.oldCode}::text, ${voucher.code}::text, ${voucher.now.toISOString()}::timestamptz)`,
    );
  return row;
}

/** Writes down pending points that have arrived and points that have expired by now (db/functions/loyalty_refresh.sql). */
export async function refreshAccount(queries: Queries, customerId: number, now: Date): Promise<void> {
  await queries
    .select({ balance: sql<number | null>`balance` })
    .from(sql`loyalty_refresh(${customerId}::bigint, ${now.toISOString()}::timestamptz) balance`)
    .prepare("loyalty_refresh")
    .execute();
}

/** Takes what is left of a customer who is erased (db/functions/loyalty_forfeit.sql). */
export async function forfeit(queries: Queries, customerId: number, now: Date): Promise<void> {
  await queries.execute(sql`select loyalty_forfeit(${customerId}, ${now.toISOString()}::timestamptz)`);
}

type Outcome = "done" | "repeated" | "short" | "not_a_member";

/** Does nothing for an outcome that is no refusal. */
function throwRefusal(outcome: string | undefined): void {
  if (outcome === "not_a_member") throw new Refusal("not_a_member");
  if (outcome === "unconfirmed") throw new Refusal("email_unconfirmed");
  if (outcome === "short") throw new Refusal("not_enough_points");
}
