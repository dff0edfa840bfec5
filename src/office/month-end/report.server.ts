import { inArray } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { MonthBook } from "#loyalty/ledger/month-end/book.server.ts";
import type { Liability } from "#loyalty/ledger/month-end/liability.ts";
import { listMonths, readLiability, type StoredMonth } from "#loyalty/ledger/month-end/month-end.server.ts";
import { defaultProgrammeId, type FindProgramme } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { readMonthJob } from "./jobs.server.ts";
import { accountNames, movements } from "./names.ts";

/** All months, and the book of one of them. */
export async function readMonthEnd(
  { database, findProgramme }: { database: Database; findProgramme: FindProgramme },
  asked: string | undefined,
  { now, locale }: { now: Date; locale: Locale },
) {
  // One snapshot: a job that has ended shows what it wrote.
  const { months, next, month, job } = await database.transaction(
    async (tx) => {
      const months = await listMonths(tx, now);
      const next = months.findLast(({ stored }) => !stored?.closedAt)?.month ?? null;
      const month = asked ? `${asked}-01` : (next ?? months[0]?.month ?? null);
      return { months, next, month, job: month === null ? null : await readMonthJob(tx, month, next) };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  const names = await namesOf(
    database,
    months.flatMap(({ stored }) => stored?.closedBy ?? []),
  );
  const chosen = months.find((one) => one.month === month);
  if (asked && !chosen) throw new Refusal("not_found");
  const programme = await findProgramme(defaultProgrammeId, now);
  const tiers = [...programme.tiers].sort((a, b) => a.rank - b.rank);
  return {
    Months: months.map(({ month, stored }) => describeMonth(month, stored, names)),
    Next: next?.slice(0, 7) ?? null,
    Month: month?.slice(0, 7) ?? null,
    Job: job,
    Book: chosen?.stored
      ? {
          DraftedAt: chosen.stored.draftedAt.toISOString(),
          ...describeBook(chosen.stored.book, tiers),
          TierNames: tiers.map(({ name }) => name[locale]),
          Liability: describeLiability(await readLiability(database, chosen.stored)),
        }
      : null,
  };
}

export type MonthEnd = Awaited<ReturnType<typeof readMonthEnd>>;

async function namesOf(database: Database, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const people = await database.select().from(staff).where(inArray(staff.id, ids));
  return new Map(people.map(({ id, firstname, lastname }) => [id, `${firstname} ${lastname}`]));
}

const totalOf = ({ pointsCents, pendingCents, vouchersCents }: Liability) => pointsCents + pendingCents + vouchersCents;

function describeMonth(month: string, stored: StoredMonth | undefined, names: Map<number, string>) {
  const liability = stored?.book.liability;
  return {
    Month: month.slice(0, 7),
    State: stored?.closedAt ? ("closed" as const) : stored ? ("draft" as const) : ("ended" as const),
    Points: stored?.book.points.closing ?? null,
    LiabilityCents: liability ? totalOf(liability) : null,
    ClosedAt: stored?.closedAt?.toISOString() ?? null,
    ClosedBy: stored?.closedBy ? (names.get(stored.closedBy) ?? null) : null,
  };
}

function describeBook(book: MonthBook, tiers: { id: number }[]) {
  const months = [...new Set([...book.lots, ...book.openVouchers].map(({ expires }) => expires))].sort();
  return {
    Accounts: accountNames.map((Name) => {
      const order: readonly string[] = movements[Name];
      const { opening, closing, movements: moved } = book[Name];
      return {
        ...{ Name, Opening: opening, Closing: closing },
        Movements: moved
          .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
          .map(({ name, amount }) => ({ Name: name, Amount: amount })),
      };
    }),
    Expiry: months.map((Month) => {
      const rows = book.lots.filter(({ expires }) => expires === Month);
      const Points = rows.reduce((sum, { points }) => sum + points, 0);
      const Tiers = tiers.map(({ id }) => rows.find(({ tierId }) => tierId === id)?.points ?? 0);
      // Points of a tier that is gone count with the lowest.
      Tiers[0] = Points - Tiers.slice(1).reduce((sum, points) => sum + points, 0);
      const VoucherCents = book.openVouchers.find(({ expires }) => expires === Month)?.cents ?? 0;
      return { Month, Points, Tiers, VoucherCents };
    }),
    Earlier: book.earlier.map(({ account, name, month, amount }) => ({
      ...{ Account: account, Name: name, Month: month, Amount: amount },
    })),
  };
}

function describeLiability(liability: Liability) {
  return {
    RewardPoints: liability.rewardPoints,
    RewardCents: liability.rewardCents,
    Source: liability.source,
    ChosenPercent: liability.chosenPercent,
    Ages: liability.ages.map(({ age, exposure, spent, left, expected }) => ({
      ...{ Age: age, Exposure: exposure, Spent: spent, Left: left, Expected: expected },
    })),
    PointsCents: liability.pointsCents,
    PendingCents: liability.pendingCents,
    VouchersCents: liability.vouchersCents,
    TotalCents: totalOf(liability),
  };
}
