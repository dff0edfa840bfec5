import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { clawBack, creditLater, undoClawBack } from "#loyalty/ledger/ledger.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { readBook } from "./book.server.ts";
import { chooseRedemption, closeMonth, draftMonth, listMonths } from "./month-end.server.ts";

const day = 86_400_000;

/** A club of its own whose first month is named, with a shop and an owner who closes months. */
async function openBooks(start: string) {
  const club = await openTestShop();
  const { clock, database, openShop, product } = club;
  clock.now = new Date(`${start}T10:00:00Z`);
  const shop = await openShop();
  const person = { email: "finance@cercle.example", firstname: "Lou", lastname: "Garnier", shopId: null };
  const staffId = await addStaff(database, { ...person, role: "owner" });
  const refresh = () => product.jobs["loyalty:refresh"]?.({}, database);
  const closing = (month: string, draftedAt: Date = clock.now) =>
    closeMonth(database, { month, draftedAt, staffId, now: clock.now }, async () => {});
  const stored = async (month: string) => {
    const row = (await listMonths(database, clock.now)).find((one) => one.month === month)?.stored;
    if (!row) throw new Error(`${month} has no draft.`);
    return row;
  };
  /** Closes a month by the draft that the job makes. */
  const close = async (month: string) => {
    await refresh();
    await product.jobs["loyalty:month-end"]?.({}, database);
    await closing(month);
    return stored(month);
  };
  const sumOf = async (query: ReturnType<typeof sql>) =>
    Number((await database.execute<{ sum: string }>(query)).rows[0]?.sum ?? 0);
  return { ...club, shop, closing, stored, close, sumOf };
}

// A club for each test: a closed month stays closed.
const years = await openBooks("2023-01-03");
const returned = await openBooks("2026-01-20");
const late = await openBooks("2026-03-10");
const closed = await openBooks("2026-01-20");
const waiting = await openBooks("2026-01-20");
const missed = await openBooks("2026-01-20");
const undone = await openBooks("2026-01-20");

/** The same numbers for the same seed. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

test("three years closed month by month: each opens with the closing balance before, and is what the ledger says, then and later", async () => {
  const { addMember, clock, database, shop, close, stored, sumOf } = years;
  const pick = random(22);
  const members = await Promise.all(Array.from({ length: 4 }, () => addMember(400)));
  const receipts: string[] = [];
  const months: string[] = [];
  for (let number = 0; number < 36; number += 1) {
    const first = new Date(Date.UTC(2023, number, 1, 9));
    const month = first.toISOString().slice(0, 10);
    const at = (days: number) => new Date(Math.max(first.getTime() + days * day, clock.now.getTime() + 1));
    for (const days of [3, 21]) {
      clock.now = at(days);
      const member = members[pick(members.length)];
      if (!member) throw new Error("no member");
      const ReceiptNumber = shop.newNumber();
      // Some were sold in the month before.
      const isLate = number > 0 && days === 3 && pick(4) === 0;
      const soldAt = isLate ? new Date(first.getTime() - 2 * day) : clock.now;
      const code =
        !isLate && pick(3) === 0 && (await member.points()).Available >= 250 ? await member.obtain() : undefined;
      await shop.sell({
        ...{ ReceiptNumber, CardNumber: member.card, Amount: `${40 + pick(200)}.00`, SoldAt: soldAt.toISOString() },
        ...(code && pick(2) === 0 && { VoucherCodes: code }),
      });
      receipts.push(ReceiptNumber);
      if (pick(4) === 0) await shop.takeBack(receipts[pick(receipts.length)] ?? "").catch(() => {});
      await creditLater(database, {
        ...{ customerId: member.id, points: 10 + pick(20), cause: `import:test:${number}-${days}`, label: {} },
        ...{ soldAt: clock.now, arrivesAt: new Date(clock.now.getTime() + 14 * day), now: clock.now },
      });
    }
    if (number === 20) await clubHooks({ publicUrl: "", now: () => clock.now }).erase(database, members.pop()?.id ?? 0);
    clock.now = new Date(Date.UTC(2023, number + 1, 1, 4));
    const { book, endsAt } = await close(month);
    const before = months.at(-1);
    if (before)
      for (const name of ["points", "pending", "vouchers"] as const)
        expect({ month, name, opening: book[name].opening }).toEqual({
          ...{ month, name, opening: (await stored(before)).book[name].closing },
        });
    const booked = sql`select sum(points) from loyalty_entry where recorded_at < ${endsAt.toISOString()} and not copied`;
    expect(book.points.closing).toBe(await sumOf(booked));
    months.push(month);
  }
  for (const month of months.filter((_, index) => index % 5 === 0)) {
    const { liability, ...book } = (await stored(month)).book;
    expect(await readBook(database, month), month).toEqual(book);
    expect(liability?.source).toBe(months.indexOf(month) < 24 ? "chosen" : "history");
  }
  const books = await Promise.all(months.map(async (month) => (await stored(month)).book));
  const moved = new Set(
    books.flatMap(({ points, pending, vouchers }) =>
      [points, pending, vouchers].flatMap(({ movements }) => movements.map(({ name }) => name)),
    ),
  );
  // The generated years hold every kind of movement that a shop and the calendar bring.
  for (const name of [
    "issued_purchase",
    "spent",
    "lapsed",
    "taken_back",
    "forfeited",
    "added",
    "arrived",
    "used",
    "expired",
  ])
    expect(moved).toContain(name);
}, 240_000);

test("months that were missed are drafted from the earliest on, and from then on only the one to be closed next", async () => {
  const { addMember, clock, database, product } = missed;
  await addMember(100);
  const drafts = async () =>
    (await listMonths(database, clock.now)).map(({ month, stored }) => [month, stored?.draftedAt.toISOString()]);
  const draft = async (at: string) => {
    clock.now = new Date(at);
    await product.jobs["loyalty:month-end"]?.({}, database);
    return clock.now.toISOString();
  };
  clock.now = new Date("2026-04-01T03:00:00Z");
  expect((await drafts()).map(([month]) => month)).toEqual(["2026-03-01", "2026-02-01", "2026-01-01"]);
  const first = await draft("2026-04-01T03:00:00Z");
  expect(await drafts()).toEqual([
    ["2026-03-01", first],
    ["2026-02-01", first],
    ["2026-01-01", first],
  ]);
  const second = await draft("2026-04-02T03:00:00Z");
  expect(await drafts()).toEqual([
    ["2026-03-01", first],
    ["2026-02-01", first],
    ["2026-01-01", second],
  ]);
  await missed.closing("2026-01-01");
  const third = await draft("2026-04-03T03:00:00Z");
  expect(await drafts()).toEqual([
    ["2026-03-01", first],
    ["2026-02-01", third],
    ["2026-01-01", second],
  ]);
});

test("a return of a closed month's sale is booked in the open month, and names the month of the sale", async () => {
  const { addMember, clock, shop, close, stored } = returned;
  const member = await addMember(400);
  const ReceiptNumber = shop.newNumber();
  await shop.sell({ ReceiptNumber, CardNumber: member.card, Amount: "80.00" });
  clock.now = new Date("2026-02-10T10:00:00Z");
  const january = await close("2026-01-01");
  await shop.takeBack(ReceiptNumber);
  expect(await stored("2026-01-01")).toEqual(january);
  clock.now = new Date("2026-03-02T10:00:00Z");
  const { book } = await close("2026-02-01");
  const named = book.earlier.filter(({ name }) => name === "taken_back").map(({ account, ...row }) => row);
  expect(named).toEqual([{ name: "taken_back", month: "2026-01", amount: -80 }]);
});

test("what a till tells of later is booked when it is told; a voucher that had expired by then is taken back first", async () => {
  const { addMember, clock, database, shop, close, stored } = late;
  const member = await addMember(400);
  const code = await member.obtain();
  const [row] = (
    await database.execute<{ at: string }>(sql`
    select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at from loyalty_voucher where code = ${code}`)
  ).rows;
  const expiresAt = new Date(row?.at ?? "");
  const next = new Date(Date.UTC(expiresAt.getUTCFullYear(), expiresAt.getUTCMonth() + 1, 2, 10));
  for (let month = "2026-03-01"; month < next.toISOString().slice(0, 8); ) {
    clock.now = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 2, 9));
    await close(month);
    month = `${clock.now.toISOString().slice(0, 7)}-01`;
  }
  const ended = `${expiresAt.toISOString().slice(0, 7)}-01`;
  expect((await stored(ended)).book.vouchers.movements).toContainEqual({ name: "expired", amount: expect.any(Number) });
  clock.now = next;
  await shop.sell({
    CardNumber: member.card,
    Amount: "60.00",
    VoucherCodes: code,
    SoldAt: new Date(expiresAt.getTime() - day).toISOString(),
  });
  clock.now = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 2, 10));
  const { book } = await close(`${next.toISOString().slice(0, 7)}-01`);
  expect(book.vouchers.movements).toEqual(
    expect.arrayContaining([
      { name: "used", amount: -1_000 },
      { name: "used_after_end", amount: 1_000 },
    ]),
  );
  expect(book.earlier).toContainEqual({ account: "vouchers", name: "used", month: ended.slice(0, 7), amount: -1_000 });
});

test("a closed month is never changed, closed twice, or closed before an earlier one, and not by a draft that is no longer so", async () => {
  const { addMember, clock, database, closing, stored } = closed;
  await addMember(300);
  clock.now = new Date(clock.now.getTime() + 70 * day);
  const [last, previous] = await listMonths(database, clock.now);
  if (!last || !previous) throw new Error("no months");
  await expect(closing(last.month, clock.now)).rejects.toMatchObject({ code: "month_not_next" });
  await draftMonth(database, previous.month, clock.now);
  await expect(closing(previous.month, new Date(0))).rejects.toMatchObject({ code: "month_changed" });
  // A draft that is out of date is replaced.
  await database.execute(sql`
    update month_end set book = jsonb_set(book, '{points,opening}', '1') where month = ${previous.month}`);
  await expect(closing(previous.month, clock.now)).rejects.toMatchObject({ code: "month_changed" });
  await closing(previous.month, clock.now);
  await expect(closing(previous.month, clock.now)).rejects.toMatchObject({ code: "month_not_next" });
  for (const change of [
    sql`update month_end set closed_at = null, closed_by = null where month = ${previous.month}`,
    sql`update month_end set book = '{}' where month = ${previous.month}`,
    sql`delete from month_end where month = ${previous.month}`,
    sql`truncate month_end`,
  ])
    await expect(database.execute(change)).rejects.toMatchObject({ cause: { code: "23001" } });
  await expect(chooseRedemption(database, previous.month, 50)).rejects.toMatchObject({ code: "not_found" });
  // A write whose clock is behind is booked after the closed month.
  const now = clock.now;
  clock.now = new Date(`${previous.month.slice(0, 8)}15T10:00:00Z`);
  await addMember(100);
  clock.now = now;
  const { liability, ...book } = (await stored(previous.month)).book;
  expect(await readBook(database, previous.month)).toEqual(book);
});

test("a writer that began before the closing is waited for, and one after it books in the next month", async () => {
  const { addMember, clock, database, closing, sumOf } = waiting;
  const member = await addMember();
  clock.now = new Date("2026-02-02T10:00:00Z");
  const [last] = await listMonths(database, clock.now);
  if (!last) throw new Error("no month");
  const inMonth = new Date(`${last.month.slice(0, 8)}20T10:00:00Z`).toISOString();
  const grant = (cause: string) => sql`
    select loyalty_credit(${member.id}, 77, 'grant', ${cause}, '{}', ${inMonth}::timestamptz, ${inMonth}::timestamptz)`;
  const client = await database.$client.connect();
  await client.query("begin");
  await client.query("select loyalty_credit($1, 77, 'grant', 'grant:before', '{}', $2::timestamptz, $2::timestamptz)", [
    member.id,
    inMonth,
  ]);
  await draftMonth(database, last.month, clock.now);
  const refused = expect(closing(last.month)).rejects.toMatchObject({ code: "month_changed" });
  // It waits for the lock that the writer holds.
  for (let waits = 0; waits === 0; )
    waits = await sumOf(sql`
      select count(*) as sum from pg_locks join pg_database d on d.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`);
  await client.query("commit");
  client.release();
  await refused;
  await database.execute(grant("grant:after"));
  await closing(last.month);
  const { rows } = await database.execute<{ cause: string; month: string }>(sql`
    select cause, to_char(club_day(recorded_at), 'YYYY-MM-01') as month from loyalty_entry
    where customer_id = ${member.id} and cause like 'grant:%' order by id`);
  expect(rows.map(({ month }) => month)).toEqual([last.month, expect.not.stringContaining(last.month)]);
});

test("a return in a month that has been closed since is not undone, by a till whose request was long under way either", async () => {
  const { addMember, clock, database, close } = undone;
  const { id: customerId } = await addMember();
  const [returnedAt, askedAt] = [new Date("2026-01-31T20:00:00Z"), new Date("2026-01-31T22:59:59Z")];
  await creditLater(database, {
    ...{ customerId, points: 50, cause: "purchase:1:A", label: {}, now: clock.now },
    ...{ soldAt: clock.now, arrivesAt: new Date("2026-02-03T00:00:00Z") },
  });
  const cause = "return:1:B";
  const back = { customerId, cause, label: {}, exchange: null };
  await clawBack(database, { ...back, purchase: "purchase:1:A", points: 30, now: returnedAt });
  clock.now = new Date("2026-02-01T04:00:00Z");
  const { liability, ...book } = (await close("2026-01-01")).book;
  expect(await undoClawBack(database, { ...back, now: askedAt })).toBeUndefined();
  expect(await readBook(database, "2026-01-01")).toEqual(book);
});
