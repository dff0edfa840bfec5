import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import * as calls from "#office/customers/calls.ts";
import { openTestOffice } from "#testing/office.server.ts";

const { addMember, clock, database, openOffice } = await openTestOffice();
type Office = Awaited<ReturnType<typeof openOffice>>;
const [asker, decider] = [await openOffice("service"), await openOffice("owner")];
await database.execute(sql`update staff set firstname = 'Paul', lastname = 'Roux' where id = ${decider.id}`);

const why = { Reason: "complaint" as const, Note: "Appel du 10 mars" };
const askPoints = async (IdCustomer: number, by: Office = asker) =>
  (await by.call(calls.adjustPoints, { IdCustomer, Points: 400, CustomerText: "Un geste pour vous", ...why }))
    .IdRequest;
const approve = (IdRequest: number) => decider.call(calls.approveRequest, { IdRequest });
const decline = (IdRequest: number) => decider.call(calls.declineRequest, { IdRequest });
const wait = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000);
};
const decided = async (Cursor?: string, by: Office = asker) =>
  by.call(calls.listDecided, Cursor === undefined ? {} : { Cursor });

const start = clock.now;
beforeEach(async () => {
  clock.now = start;
  await database.execute(sql`delete from office_request`);
});

test("who asked reads what became of it: the newest decision first, with who decided and when", async () => {
  const [one, two, three] = [await addMember(), await addMember(), await addMember()];
  const asked = [await askPoints(one.id), await askPoints(two.id), await askPoints(three.id)] as const;
  const askedAt = clock.now.toISOString();
  wait(2);
  // Decided in another order than asked.
  await approve(asked[1]);
  wait(2);
  await decline(asked[0]);
  const { Requests, NextCursor } = await decided();
  expect(Requests.map(({ IdRequest, State }) => [IdRequest, State])).toEqual([
    [asked[0], "declined"],
    [asked[1], "approved"],
  ]);
  expect(Requests[0]).toEqual({
    ...{ IdRequest: asked[0], Kind: "points", Points: 400, Value: { Amount: "16.00", CurrencyIsoCode: "EUR" } },
    Customer: { IdCustomer: one.id, Firstname: "Camille", Lastname: expect.any(String) },
    ...{ Other: null, CustomerText: "Un geste pour vous", Reason: "complaint", Note: "Appel du 10 mars" },
    ...{ AskedBy: "Lou Garnier", Mine: true, AskedAt: askedAt },
    ...{ State: "declined", DecidedBy: "Paul Roux", DecidedAt: clock.now.toISOString() },
  });
  expect(NextCursor).toBeNull();
  expect((await decided(undefined, decider)).Requests[0]?.Mine).toBe(false);
  // What waits, or was done at once, is not there.
  await asker.call(calls.adjustPoints, { IdCustomer: three.id, Points: 1, CustomerText: "Merci", ...why });
  expect((await decided()).Requests).toHaveLength(2);
});

test("a row of an erased customer stays and names nobody; of a merge the account that is gone is not named", async () => {
  const [member, survivor, other] = [await addMember(), await addMember(), await addMember()];
  await approve(await askPoints(member.id));
  wait(1);
  const { IdRequest } = await asker.call(calls.eraseCustomer, { IdCustomer: member.id, ...why });
  await approve(IdRequest);
  const { Requests } = await decided();
  const erased = { Customer: null, CustomerText: null, Note: null, State: "approved" };
  expect(Requests.slice(0, 2)).toMatchObject([
    { IdRequest, Kind: "erase", ...erased },
    { Kind: "points", Points: 400, ...erased, Reason: "complaint", AskedBy: "Lou Garnier" },
  ]);
  wait(1);
  const pair = { IdCustomer: survivor.id, IdOther: other.id, ...why };
  const first = (await asker.call(calls.mergeCustomers, pair)).IdRequest;
  await decline(first);
  const named = { IdCustomer: other.id, Firstname: "Camille", Lastname: expect.any(String) };
  expect((await decided()).Requests[0]).toMatchObject({ IdRequest: first, Kind: "merge", Other: named });
  wait(1);
  const merge = (await asker.call(calls.mergeCustomers, pair)).IdRequest;
  await approve(merge);
  expect((await decided()).Requests.slice(0, 2)).toMatchObject([
    { IdRequest: merge, State: "approved", Customer: { IdCustomer: survivor.id }, Other: null },
    { IdRequest: first, State: "declined", Customer: { IdCustomer: survivor.id }, Other: null },
  ]);
});

test("fifty a page, each request once, also of one moment; a cursor that is none begins at the beginning", async () => {
  const { id } = await addMember();
  await database.execute(sql`
    insert into office_request (customer_id, kind, state, points, cents, reason, asked_by, asked_at, decided_by, decided_at)
    select ${id}, 'points', 'approved', n, 0, 'other', ${asker.id}, ${clock.now.toISOString()}, ${decider.id},
      ${clock.now.toISOString()}::timestamptz + (n / 40) * interval '1 microsecond'
    from generate_series(1, 120) n`);
  const { rows } = await database.execute<{ id: string }>(sql`
    select id from office_request where state in ('approved', 'declined') order by decided_at desc, id desc`);
  const found: number[] = [];
  let Cursor: string | undefined;
  do {
    const page = await decided(Cursor);
    expect(page.Requests.length).toBeLessThanOrEqual(50);
    found.push(...page.Requests.map(({ IdRequest }) => IdRequest));
    Cursor = page.NextCursor ?? undefined;
  } while (Cursor);
  expect(found).toEqual(rows.map((row) => Number(row.id)));
  for (const bad of ["x", Buffer.from('["2026-02-31T00:00:00+00:00",1]').toString("base64url")])
    expect((await decided(bad)).Requests[0]?.IdRequest).toBe(found[0]);
});

test("the list is read by its own index, however many requests were done at once", async () => {
  await database.execute(sql`
    insert into office_request (customer_id, kind, state, reason, asked_by, asked_at)
    select n, 'points', 'done', 'other', ${asker.id}, ${clock.now.toISOString()} from generate_series(1, 5000) n`);
  await database.execute(sql`analyze office_request`);
  const { rows } = await database.execute<{ "QUERY PLAN": string }>(sql`
    explain select from office_request where state in ('approved', 'declined') order by decided_at desc, id desc limit 51`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("office_request_decided");
});
