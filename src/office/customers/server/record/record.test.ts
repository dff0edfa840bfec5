import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Rules } from "#loyalty/programme/rules.ts";
import * as calls from "#office/customers/calls.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { postReturn, undoReturn } from "#till/calls.ts";

const { addMember, clock, database, openOffice, openShop, openTill } = await openTestOffice();
const office = await openOffice("service");
const owner = await openOffice("owner");

test("a record says everything, and that it was read stands once in the log for a quarter of an hour", async () => {
  const member = await addMember(300);
  const shop = await openShop("Cercle Lyon");
  await shop.sell({ ReceiptNumber: "T-L-1", CardNumber: member.card, Amount: "119.85" });
  await shop.takeBack("T-L-1", undefined, { Amount: "19.85" });
  await member.obtain();
  const read = () => owner.call(calls.readCustomer, { IdCustomer: member.id });
  const found = await read();
  expect(found).toMatchObject({
    ...{ Email: member.email, Firstname: "Camille", State: "member", CardNumber: member.card, BlockedAt: null },
    Points: { Available: 400, Value: { Amount: "10.00" }, Debt: 0, EarnedLast12Months: 650 },
    ...{ Tier: { Rank: 1 }, Last12Months: { Receipts: 1, Returns: 1, Amount: { Amount: "100.00" } } },
    ...{ Sessions: [{ Current: false }], Free: { Points: 250, Cents: 1_000 }, Requests: [] },
    Vouchers: [{ State: "available", Value: { Amount: "10.00" } }],
  });
  expect(found.Points.ByExpiry.reduce((sum, { Points }) => sum + Points, 0)).toBe(400);
  await read();
  const reads = async () =>
    (await database.execute(sql`select from audit_log where customer_id = ${member.id} and action = 'customer_read'`))
      .rowCount;
  expect(await reads()).toBe(1);
  const start = clock.now;
  clock.now = new Date(start.getTime() + 16 * 60_000);
  await read();
  clock.now = start;
  expect(await reads()).toBe(2);
});

test("a record says how many points are pending, and when the next ones arrive", async () => {
  const member = await addMember();
  const shop = await openShop();
  await publishNow(database, { pendingDays: 14 }, { now: clock.now });
  await shop
    .sell({ CardNumber: member.card, Amount: "40.00" })
    .finally(() => publishNow(database, { pendingDays: 0 }, { now: clock.now }));
  const { Points } = await owner.call(calls.readCustomer, { IdCustomer: member.id });
  expect(Points).toMatchObject({ Available: 250, Pending: 40, NextPending: { Points: 40 } });
});

test("a return that is undone gives its points back in the timeline, pending or not", async () => {
  const till = await openTill();
  for (const pendingDays of [14, 0]) {
    await publishNow(database, { pendingDays }, { now: clock.now });
    const member = await addMember();
    const [sale, back] = [till.newNumber(), till.newNumber()];
    await till.sell({ ReceiptNumber: sale, CardNumber: member.card, Amount: "40.00" });
    await till.call(postReturn, { ReceiptNumber: back, OriginalReceiptNumber: sale });
    await till.call(undoReturn, { ReceiptNumber: back });
    for (const Show of ["all", "points"] as const) {
      const { Entries } = await owner.call(calls.readTimeline, { IdCustomer: member.id, Show });
      const ofSale = Entries.filter(({ Kind, Type }) => Type !== "letter" && Kind !== "welcome");
      const sum = ofSale.reduce((points, { Points }) => points + (Points ?? 0), 0);
      expect({ pendingDays, Show, sum }).toEqual({ pendingDays, Show, sum: 40 });
      if (Show === "all") expect(Entries.find(({ Kind }) => Kind === "return_undone")?.ReceiptNumber).toBe(back);
    }
  }
});

test("a record is read while the programme offers no reward", async () => {
  const member = await addMember();
  const read = () => owner.call(calls.readCustomer, { IdCustomer: member.id });
  const { Rewards } = await read();
  expect(Rewards).not.toEqual([]);
  let kept: Rules["rewards"] = [];
  const take = ({ rewards }: Rules) => {
    kept = rewards;
    return { rewards: [] };
  };
  await publishNow(database, take, { now: clock.now });
  const without = await read().finally(() => publishNow(database, { rewards: kept }, { now: clock.now }));
  expect(without).toMatchObject({ Rewards: [], Points: { Available: 250, Value: { Amount: "0.00" } } });
});

test("reading the timeline leaves the same trace as the record: one row in a quarter of an hour", async () => {
  const [member, other] = [await addMember(), await addMember()];
  const [one, two] = [await openOffice("service"), await openOffice("service")];
  const readers = async ({ id }: { id: number }) =>
    (
      await database.execute<{ reader: number }>(
        sql`select staff_id as reader from audit_log where customer_id = ${id} and action = 'customer_read' order by id`,
      )
    ).rows.map(({ reader }) => reader);
  const timeline = (by: typeof one, { id: IdCustomer } = member, Show: "all" | "team" = "all") =>
    by.call(calls.readTimeline, { IdCustomer, Show });
  await timeline(one);
  await timeline(one, member, "team");
  await one.call(calls.readCustomer, { IdCustomer: member.id });
  expect(await readers(member)).toEqual([one.id]);
  await timeline(two);
  await timeline(one, other);
  expect([await readers(member), await readers(other)]).toEqual([[one.id, two.id], [one.id]]);
  const start = clock.now;
  clock.now = new Date(start.getTime() + 16 * 60_000);
  await timeline(one);
  expect(await readers(member)).toEqual([one.id, two.id, one.id]);
  // As the page asks: at once.
  const third = await addMember();
  await Promise.all([
    one.call(calls.readCustomer, { IdCustomer: third.id }),
    ...Array.from({ length: 5 }, () => timeline(one, third)),
  ]);
  expect(await readers(third)).toEqual([one.id]);
  clock.now = start;
});

test("what happened in one moment stands in the order in which it was written, page by page", async () => {
  const member = await addMember();
  const written = Array.from({ length: 35 }, (_, n) => `Geste ${n + 1}`);
  for (const CustomerText of written)
    await office.call(calls.adjustPoints, { IdCustomer: member.id, Points: 1, CustomerText, Reason: "gesture" });
  const read = (Cursor?: string) =>
    office.call(calls.readTimeline, { IdCustomer: member.id, Show: "points", ...(Cursor && { Cursor }) });
  const first = await read();
  const second = await read(first.NextCursor ?? undefined);
  const labels = [...first.Entries, ...second.Entries].map(({ Label }) => Label);
  expect(labels.slice(0, written.length)).toEqual(written.toReversed());
});

test("the timeline has everything, the newest first, by filter and page by page", async () => {
  const member = await addMember(300);
  const shop = await openShop("Cercle Lyon");
  const start = clock.now;
  const tick = () => {
    clock.now = new Date(clock.now.getTime() + 60_000);
  };
  for (let n = 0; n < 20; n += 1) {
    tick();
    await shop.sell({ ReceiptNumber: `TL-${n}`, CardNumber: member.card, Amount: "10.00" });
  }
  tick();
  await shop.takeBack("TL-0");
  tick();
  await member.obtain();
  const current = await openOffice("service");
  const asked = {
    IdCustomer: member.id,
    Points: 5,
    CustomerText: "Merci",
    Reason: "gesture" as const,
    Note: "Vu en boutique",
  };
  await current.call(calls.adjustPoints, asked);
  type Show = "all" | "points" | "sales" | "letters" | "team";
  const read = (Show: Show, Cursor?: string) =>
    current.call(calls.readTimeline, { IdCustomer: member.id, Show, ...(Cursor && { Cursor }) });
  const entries: Awaited<ReturnType<typeof read>>["Entries"] = [];
  let Cursor: string | undefined;
  do {
    const page = await read("all", Cursor);
    expect(page.Entries.length).toBeLessThanOrEqual(30);
    entries.push(...page.Entries);
    Cursor = page.NextCursor ?? undefined;
  } while (Cursor);
  expect(new Set(entries.map(({ IdEntry }) => IdEntry)).size).toBe(entries.length);
  // Mails, sessions and consents have the clock of the database.
  const times = entries.filter(({ Type }) => !["letter", "session", "consent"].includes(Type)).map(({ At }) => At);
  expect(times).toEqual([...times].sort().reverse());
  const types = new Set(entries.map(({ Type }) => Type));
  expect([...types].sort()).toEqual(["consent", "letter", "points", "return", "sale", "session", "team"]);
  const points = await read("points");
  expect(points.Entries[0]).toMatchObject({ Kind: "adjust", Label: "Merci", Points: 5 });
  expect(points.Entries.every(({ Points }) => Points !== null)).toBe(true);
  const sales = await read("sales");
  expect(sales.Entries[0]).toMatchObject({
    ...{ Type: "return", ReceiptNumber: expect.any(String), OriginalReceiptNumber: "TL-0", Points: -10 },
    ...{ ShopName: "Cercle Lyon", Amount: { Amount: "10.00" } },
  });
  expect(sales.Entries[1]).toMatchObject({ Type: "sale", ReceiptNumber: "TL-19", Waiting: true, Points: null });
  const team = await read("team");
  expect(team.Entries).toMatchObject([
    { Kind: "customer_read", By: "Lou Garnier" },
    { Kind: "points_adjusted", By: "Lou Garnier", Reason: "gesture", Note: "Vu en boutique" },
  ]);
  expect((await read("letters")).Entries.every(({ Type }) => Type === "letter")).toBe(true);
  for (const bad of ["x", Buffer.from('["2026-01-01T00:00:00+00:00",9,"\\u0000"]').toString("base64url")])
    expect((await read("all", bad)).Entries).toHaveLength(30);
  clock.now = start;
});

test("the timeline explains the points of a sale as a sum: rate, status, campaign, and what a return took back", async () => {
  const shop = await openShop();
  const member = await addMember();
  const at = clock.now.toISOString();
  await database.execute(sql`
    insert into campaign (name, text, shop_id, starts_at, ends_at, extra_points, created_at, created_by, approved_at, approved_by)
    select name, name, ${shop.shopId}, ${at}::timestamptz, ${at}::timestamptz + interval '1 day', 30,
      ${at}, ${office.id}, ${at}, ${owner.id}
    from (values ('{"fr": "Mai", "en": "May", "de": "Mai"}'::jsonb)) named (name)`);
  const ReceiptNumber = shop.newNumber();
  const Lines = [
    { Line: "1", Amount: "89.90" },
    { Line: "2", Amount: "39.95" },
    { Line: "3", Amount: "50.00", Earns: false },
  ];
  await shop.sell({ CardNumber: member.card, ReceiptNumber, Lines });
  await shop.takeBack(ReceiptNumber, [{ Line: "2" }]);
  const { Entries } = await office.call(calls.readTimeline, { IdCustomer: member.id, Show: "sales" });
  const sale = Entries.find(({ Type }) => Type === "sale");
  expect(sale?.Earning).toEqual({
    ...{ Paid: { Amount: "129.85", CurrencyIsoCode: "EUR" }, PointsPerEuro: 1, Multiplier: 1, TierName: "Coton" },
    ...{ Points: 129, CampaignPoints: 30, CampaignName: "Mai", Taken: 40, ArrivesAt: null },
  });
});
