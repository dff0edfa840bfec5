import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openTestMerge } from "#testing/merge.server.ts";
import { createMoves, differences, lot, person, writePackage } from "#testing/move.server.ts";

const { clock, database, merge } = await openTestMerge();
const { move, moveIn, customerOf, rejectionsOf } = createMoves(database);

test.each([
  ["two members who were merged here", "b"],
  ["two members with lots of one number who were merged here", "a"],
])("a later package leaves %s as they are, and changes the others", async (name, lotId) => {
  const source = `merged-${lotId}`;
  const [one, two, three] = ["1", "2", "3"].map((id) => `${lotId}${id}`) as [string, string, string];
  const at = (hours: number) => new Date(clock.now.getTime() + hours * 3_600_000);
  const rows = (points: number) => ({
    members: [one, two, three].map((id) => person(id)),
    lots: [lot(one, "a", points), lot(two, lotId, 50), lot(three, "c", points)],
    vouchers: [{ SourceId: two, Code: `MERGED-${lotId}`, Amount: "5.00", ExpiresAt: at(1_000).toISOString() }],
  });
  const first = writePackage(rows(100), { source, takenAt: at(-3).toISOString() });
  await moveIn(first, { now: () => at(-2) });
  const [survivor, other] = [await customerOf(one), await customerOf(two)];
  if (!survivor || !other) throw new Error(name);
  await merge(survivor, other);

  const now = { now: () => at(2) };
  const later = writePackage(rows(120), { source, takenAt: at(1).toISOString() });
  expect(differences((await move("rehearse", later, now)).result)).toEqual([]);
  const { result, run } = await move("commit", later, { ...now, acceptRejected: 2 });
  expect(differences(result)).toEqual([]);
  expect(await rejectionsOf(run)).toEqual(["members.csv:2 SourceId moved_here", "members.csv:3 SourceId moved_here"]);
  const { rows: balances } = await database.execute(
    sql`select balance from loyalty_account where customer_id in (${survivor.id}, ${(await customerOf(three))?.id}) order by balance`,
  );
  expect(balances).toEqual([{ balance: 120 }, { balance: 150 }]);
  expect((await move("commit", later, { ...now, acceptRejected: 2 })).result?.Equal).toBe(true);
});

test("members who are merged while a later package is committed are left as they are", async () => {
  const source = "merging";
  const ids = ["s1", "s2", "s3", "s4"];
  const at = (hours: number) => new Date(clock.now.getTime() + hours * 3_600_000);
  const pack = (points: number, takenAt: Date) =>
    writePackage(
      { members: ids.map((id) => person(id)), lots: ids.map((id) => lot(id, "a", points)) },
      { source, takenAt: takenAt.toISOString() },
    );
  await moveIn(pack(100, at(-3)), { now: () => at(-2) });
  const [first, survivor, other, last] = await Promise.all(ids.map(customerOf));
  if (!first || !survivor || !other || !last) throw new Error("Not moved.");
  const now = { now: () => at(2) };
  const later = pack(120, at(1));
  await move("rehearse", later, now);

  const holder = await database.$client.connect();
  let committed: ReturnType<typeof move>;
  try {
    await holder.query("begin");
    await holder.query("select from customer where id = $1 for update", [first.id]);
    committed = move("commit", later, { ...now, batchLines: 1 });
    await expect
      .poll(async () => {
        const { rows } = await database.execute(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        return rows.length;
      })
      .toBe(1);
    await merge(survivor, other);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  const { result, run } = await committed;
  expect(differences(result)).toEqual([]);
  expect(await rejectionsOf(run)).toEqual(["members.csv:3 SourceId moved_here", "members.csv:4 SourceId moved_here"]);
  const { rows: balances } = await database.execute(sql`
    select balance from loyalty_account where customer_id in (${first.id}, ${survivor.id}, ${other.id}, ${last.id})
    order by customer_id`);
  expect(balances.map(({ balance }) => balance)).toEqual([120, 200, 0, 120]);
});
