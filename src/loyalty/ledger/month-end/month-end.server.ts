import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { clubDay } from "#i18n/club-day.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { type Database, errorCode, type Queries } from "#platform/database/database.server.ts";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { type MonthBook, readBook } from "./book.server.ts";
import { historyMonths, type Liability, liabilityOf } from "./liability.ts";
import { monthEnds } from "./month-end.tables.server.ts";

/** By the clock: its key is its name. */
export const nightlyDraftJob = "loyalty:month-end";
/** After the points that expired in the night; on other days than the first, drafts that are not closed are brought up to date. */
export const monthEndSchedule: readonly Scheduled[] = [{ name: nightlyDraftJob, clubTime: "04:30" }];
export const monthEndJobs = ({ now }: { now: () => Date }): Jobs => ({
  [nightlyDraftJob]: (_, database) => draftMonths(database, now()),
});

/** Months are named by their first day. */
const nextMonth = (month: string) => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
};
const monthAt = (now: Date) => `${clubDay(now).slice(0, 7)}-01`;

export type StoredMonth = typeof monthEnds.$inferSelect;

/** Every month that has ended since the first booking, the latest first, with its draft where there is one. */
export async function listMonths(queries: Queries, now: Date) {
  const stored = await queries.select().from(monthEnds).orderBy(asc(monthEnds.month));
  let month = stored[0]?.month ?? (await firstMonth(queries));
  const months: { month: string; stored: StoredMonth | undefined }[] = [];
  for (; month && month < monthAt(now); month = nextMonth(month))
    months.unshift({ month, stored: stored.find((row) => row.month === month) });
  return months;
}

export async function findMonth(queries: Queries, month: string): Promise<StoredMonth | undefined> {
  const [stored] = await queries.select().from(monthEnds).where(eq(monthEnds.month, month));
  return stored;
}

async function firstMonth(queries: Queries): Promise<string | undefined> {
  const { rows } = await queries.execute<{ month: string | null }>(
    sql`select to_char(club_day(min(recorded_at)), 'YYYY-MM-01') as month from loyalty_entry`,
  );
  return rows[0]?.month ?? undefined;
}

/** Drafts every month that has none, and again the one that is to be closed next. */
async function draftMonths(database: Database, now: Date): Promise<void> {
  const open = (await listMonths(database, now)).reverse().filter(({ stored }) => !stored?.closedAt);
  for (const [index, { month, stored }] of open.entries())
    if (index === 0 || !stored) await draftMonth(database, month, now);
}

/** Computes the book of a month that has ended. A closed one stays as it is. */
export async function draftMonth(database: Database, month: string, now: Date): Promise<MonthBook> {
  return inLongTransaction(database, async (tx) => {
    const book = await readBook(tx, month);
    const values = { draftedAt: now, book };
    await tx
      .insert(monthEnds)
      .values({ month, endsAt: sql`club_day_start(${nextMonth(month)}::date)`, ...values })
      .onConflictDoUpdate({ target: monthEnds.month, set: values, setWhere: isNull(monthEnds.closedAt) });
    return book;
  });
}

/** Enough to join the lots of a large club to their entries without going over the disk many times. */
export const draftMemory = "64MB";

/** A large ledger takes longer than a request may; one snapshot, so that its parts agree while sales go on. */
const inLongTransaction = <T>(database: Database, work: (tx: Queries) => Promise<T>): Promise<T> =>
  database.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = '30min'; set local work_mem = '${draftMemory}'`));
      return work(tx);
    },
    { isolationLevel: "repeatable read" },
  );

/** The liability of a month: as it was closed, or as it would be now. */
export async function readLiability(queries: Queries, stored: StoredMonth): Promise<Liability> {
  if (stored.book.liability) return stored.book.liability;
  const before = await queries
    .select()
    .from(monthEnds)
    .where(and(lt(monthEnds.month, stored.month), isNotNull(monthEnds.closedAt)))
    .orderBy(desc(monthEnds.month))
    .limit(historyMonths);
  const programme = await queryProgramme(queries, defaultProgrammeId, new Date(stored.endsAt.getTime() - 1));
  const { ages, pending, vouchers } = stored.book;
  return liabilityOf({
    ...{ ages, pendingPoints: pending.closing, vouchersCents: vouchers.closing },
    history: before.map(({ book }) => book.ages),
    // Until an owner chooses, all points are expected to be redeemed.
    chosenPercent: stored.chosenPercent ?? before[0]?.chosenPercent ?? 100,
    reward: valueOfPoints(programme).best,
  });
}

/** The expected redemption while there is too little history; it stays for the months after. */
export async function chooseRedemption(queries: Queries, month: string, percent: number): Promise<number | null> {
  const [found] = await queries
    .select({ chosenPercent: monthEnds.chosenPercent })
    .from(monthEnds)
    .where(and(eq(monthEnds.month, month), isNull(monthEnds.closedAt)))
    .for("update");
  if (!found) throw new Refusal("not_found");
  await queries.update(monthEnds).set({ chosenPercent: percent }).where(eq(monthEnds.month, month));
  return found.chosenPercent;
}

interface Closing {
  month: string;
  /** The draft that the owner has looked at. */
  draftedAt: Date;
  staffId: number;
  now: Date;
}

/** Refuses a month that is not the next to be closed, or whose draft is another by now. */
export async function checkClosing(
  queries: Queries,
  { month, draftedAt, now }: Pick<Closing, "month" | "draftedAt" | "now">,
): Promise<void> {
  const open = (await listMonths(queries, now)).reverse().find(({ stored }) => !stored?.closedAt);
  if (open?.month !== month) throw new Refusal("month_not_next");
  if (open.stored?.draftedAt.getTime() !== draftedAt.getTime()) throw new Refusal("month_changed");
}

/**
 * Closes a month for good: the database refuses to change it then (db/functions/month_end_stays.sql). First it is locked:
 * from then on everything is booked in the months after it (db/functions/loyalty_booked_at.sql,
 * db/functions/loyalty_book.sql). Then it is computed once more, and closed if it is what the owner has seen; otherwise the
 * draft is replaced and shown again. `andThen` runs in the closing transaction.
 */
export async function closeMonth(
  database: Database,
  { month, draftedAt, staffId, now }: Closing,
  andThen: (tx: Queries, book: MonthBook) => Promise<void>,
): Promise<void> {
  await checkClosing(database, { month, draftedAt, now });
  await lockMonth(database, month, now);
  const book = await inLongTransaction(database, (tx) => readBook(tx, month));
  const isSame = await database.transaction(async (tx) => {
    const [stored] = await tx.select().from(monthEnds).where(eq(monthEnds.month, month)).for("update");
    if (!stored || stored.closedAt) throw new Refusal("month_not_next");
    if (!isSameBook(stored.book, book)) {
      await tx.update(monthEnds).set({ draftedAt: now, book }).where(eq(monthEnds.month, month));
      return false;
    }
    const liability = await readLiability(tx, stored);
    await tx
      .update(monthEnds)
      .set({
        ...{ book: { ...book, liability }, chosenPercent: liability.chosenPercent },
        ...{ closedAt: now, closedBy: staffId },
      })
      .where(eq(monthEnds.month, month));
    await andThen(tx, book);
    return true;
  });
  if (!isSame) throw new Refusal("month_changed");
}

/** The database sorts the names of an object. */
const isSameBook = (a: MonthBook, b: MonthBook) => {
  const sorted = (value: unknown) =>
    JSON.stringify(value, (_, inner) =>
      inner && typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    );
  return sorted(a) === sorted(b);
};

const lockTries = 20;

/**
 * Waits for those who are booking, for a quarter of a second at a time: who comes after waits behind it.
 */
async function lockMonth(database: Database, month: string, now: Date): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await database.transaction(async (tx) => {
        await tx.execute(sql`set local lock_timeout = '250ms'`);
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('month_end', 22))`);
        await tx.execute(sql`
          update month_end set locked_at = coalesce(locked_at, ${now.toISOString()}::timestamptz)
          where month = ${month} and closed_at is null`);
      });
      return;
    } catch (error) {
      const lockNotAvailable = "55P03";
      if (errorCode(error) !== lockNotAvailable) throw error;
      if (tries === lockTries) throw new Refusal("unavailable", { retryAfterSeconds: 5 });
    }
}
