import { expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import { amendPurchase } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { createMoves, differences, lot, person, writePackage } from "#testing/move.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, database, clock, openShop } = await openTestShop();
clock.now = new Date("2026-11-18T10:00:00Z");
const { move, moveIn, customerOf, countRows, rejectionsOf } = createMoves(database);
const shop = await openShop("Lyon");

const sold = (ReceiptNumber: string, Amount: string, more: object = {}) => ({
  ...{ Shop: "lyon", ReceiptNumber, SoldAt: "2026-11-02T10:00:00Z", Amount },
  ...more,
});

test("a sale of the old club is returned by its fraction, from the points that lapse next, and the status stays", async () => {
  const folder = writePackage({
    members: [person("a1", { Status: "Soie", StatusUntil: "2027-04-20" })],
    lots: [lot("a1", "late", 100), lot("a1", "soon", 60, { ExpiresAt: "2027-01-01T10:00:00Z" })],
    receipts: [
      sold("B-1", "60.00", { SourceId: "a1", Line: 1, Points: 70 }),
      sold("B-1", "40.00", { SourceId: "a1", Line: 2, Points: 30 }),
      sold("B-1", "10.00", { SourceId: "a1", Line: 3, PriceType: "giftcard" }),
      sold("B-2", "25.00"),
    ],
  });
  const sales = await countRows("metric_delta where metric like 'sale%'");
  expect(differences((await moveIn(folder)).result)).toEqual([]);
  expect(await countRows("metric_delta where metric like 'sale%'")).toBe(sales);
  expect(
    await countRows("webhook_event where type = 'purchase.posted' and payload ->> 'ReceiptNumber' like 'B-%'"),
  ).toBe(0);

  // 66.67 of 100.00 are left: 66 of 100 points.
  const first = await shop.takeBack("B-1", [{ Line: "2", Amount: "33.33" }]);
  expect(first).toMatchObject({ Points: { Taken: 34, Available: 126 }, Refunds: [{ Amount: "33.33" }] });
  const lots = `loyalty_lot l join loyalty_entry e on e.customer_id = l.customer_id and e.id = l.entry_id`;
  expect(await countRows(`${lots} where e.cause = 'import:old-club:soon' and l.remaining = 26`)).toBe(1);
  expect(await shop.takeBack("B-1")).toMatchObject({ Points: { Taken: 66, Available: 60 } });
  expect(await refusalOf(shop.takeBack("B-1"))).toMatchObject({ code: "more_than_bought" });
  expect(await shop.takeBack("B-2")).toMatchObject({ Points: { Taken: 0 }, Refunds: [{ Amount: "25.00" }] });
  // The number is taken for good.
  expect(await refusalOf(shop.sell({ ReceiptNumber: "B-1", Amount: "1.00" }))).toMatchObject({ code: "receipt_known" });
  const { id } = (await customerOf("a1")) ?? { id: 0 };
  expect(await countRows(`loyalty_earned_day where customer_id = ${id} and points = 160`)).toBe(1);
  expect(differences((await move("commit", folder)).result)).toEqual([]);
  for (const invariant of invariants) expect(await countViolations(database, invariant), invariant.name).toBe(0);
});

test("a later package replaces a receipt, unless it was returned here", async () => {
  const source = "later";
  const receipts = (amount: string) =>
    ["L-1", "L-2"].map((number) => sold(number, amount, { SourceId: "l1", Points: Number.parseInt(amount, 10) }));
  const members = [person("l1")];
  const lots = [lot("l1", "a", 200)];
  await moveIn(writePackage({ members, lots, receipts: receipts("50.00") }, { source }));
  await shop.takeBack("L-1");
  const later = writePackage(
    { members, lots, receipts: receipts("20.00") },
    { source, takenAt: "2026-11-18T09:00:00+01:00" },
  );
  expect(differences((await moveIn(later, { now: () => clock.now })).result)).toEqual([]);
  expect(await refusalOf(shop.takeBack("L-1"))).toMatchObject({ code: "more_than_bought" });
  expect(await shop.takeBack("L-2")).toMatchObject({ Points: { Taken: 20 }, Refunds: [{ Amount: "20.00" }] });
});

test("what was added here to a sale of the old club is a sale of this one, and a later package leaves both", async () => {
  const source = "amended";
  const rows = {
    members: [person("e1")],
    lots: [lot("e1", "a", 200)],
    receipts: ["E-1", "E-2"].map((number) =>
      sold(number, "50.00", { SourceId: "e1", Points: 50, Rule: '{"PointsPerEuro":1,"MultiplierHundredths":100}' }),
    ),
  };
  await moveIn(writePackage(rows, { source }));
  const lines = [
    { Line: "1", Amount: "50.00", Earns: true },
    { Line: "2", Amount: "30.00", Earns: true },
  ];
  await shop.call(amendPurchase, { ReceiptNumber: "E-1", AmendNumber: 1, Lines: JSON.stringify(lines) });
  expect(
    await countRows("webhook_event where type = 'purchase.posted' and payload ->> 'ReceiptNumber' = 'E-1~1'"),
  ).toBe(1);
  const later = writePackage(rows, { source, takenAt: "2026-11-18T09:00:00+01:00" });
  expect(differences((await moveIn(later, { now: () => clock.now })).result)).toEqual([]);
  expect(await shop.takeBack("E-1")).toMatchObject({ Refunds: [{ Amount: "50.00" }, { Amount: "30.00" }] });
});

test("a receipt that named no member is that of the member whom a later package names, and of who claimed it here", async () => {
  const source = "named";
  const member = await addMember(0, { email: "n1@example.com", emailVerifiedAt: clock.now });
  const other = await addMember();
  const rows = (more: object) => ({
    members: [person("n1", { EmailVerified: "2024-01-01T00:00:00Z" }), person("n2")],
    lots: [lot("n1", "a", 20)],
    receipts: ["N-1", "N-2", "N-3", "N-4"].map((number) => sold(number, "20.00", number === "N-3" ? {} : more)),
  });
  await moveIn(writePackage(rows({}), { source }));
  const claim = (by: typeof member, ReceiptNumber: string) =>
    by.call(claimReceipt, { IdShop: shop.shopId, ReceiptNumber, Day: "2026-11-02", Amount: "20.00" });
  await claim(other, "N-2");
  await claim(member, "N-3");
  const later = writePackage(rows({ SourceId: "n2", Points: 20 }), { source, takenAt: "2026-11-18T09:00:00+01:00" });
  const { result, run } = await moveIn(later, { now: () => clock.now, acceptRejected: 1 });
  expect(await rejectionsOf(run)).toEqual(["receipts.csv:3 ReceiptNumber receipt_taken"]);
  expect(differences(result)).toEqual([]);
  for (const number of ["N-2", "N-3"])
    expect(await refusalOf(claim(number === "N-2" ? member : other, number))).toMatchObject({ code: "not_found" });
  expect(await countRows("shop_sale s join move_member m using (customer_id) where source_id = 'n2'")).toBe(2);
  expect(await shop.takeBack("N-2")).toMatchObject({ Points: { Taken: 20 } });
  expect(await shop.takeBack("N-3")).toMatchObject({ Points: { Taken: 20 } });
});

test("a receipt that a later package names a member for while it is being claimed is not claimed", async () => {
  const source = "racing";
  const rows = (more: object) => ({ members: [person("c1")], receipts: [sold("C-1", "20.00", more)] });
  await moveIn(writePackage(rows({}), { source }));
  const customer = await addMember();
  const before = await customer.points();
  const later = writePackage(rows({ SourceId: "c1" }), { source, takenAt: "2026-11-18T09:00:00+01:00" });
  await move("rehearse", later, { now: () => clock.now });
  const holder = await database.$client.connect();
  let claimed: ReturnType<typeof refusalOf>;
  try {
    await holder.query("begin");
    await holder.query("select from customer where id = $1 for update", [customer.id]);
    claimed = refusalOf(
      customer.call(claimReceipt, { IdShop: shop.shopId, ReceiptNumber: "C-1", Day: "2026-11-02", Amount: "20.00" }),
    );
    await expect
      .poll(() => countRows("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
      .toBe(1);
    await move("commit", later, { now: () => clock.now });
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  expect(await claimed).toMatchObject({ code: "not_found" });
  expect(await customer.points()).toEqual(before);
});

test("points that no account can hold are rejected", async () => {
  const most = 999_999_999;
  const folder = writePackage(
    {
      members: [person("m1"), person("m2"), person("m3"), person("m4")],
      lots: [lot("m1", "a", most), lot("m1", "b", most), lot("m1", "c", most), lot("m4", "a", most)],
      debts: ["a", "b", "c"].map((DebtId) => ({
        ...{ SourceId: "m2", DebtId, Points: most, OwedAt: "2026-01-01T10:00:00Z" },
      })),
      "earned-days": ["2026-01-01", "2026-01-02", "2026-01-03"].map((Day) => ({ SourceId: "m3", Day, Points: most })),
      receipts: [1, 2, 3].map((Line) => sold("M-1", "1.00", { SourceId: "m4", Line, Points: most })),
    },
    { source: "most" },
  );
  expect(await rejectionsOf((await move("check", folder)).run)).toEqual([
    ...["a", "b", "c"].map((_, index) => `debts.csv:${index + 2} SourceId unknown_member`),
    ...["a", "b", "c"].map((_, index) => `earned-days.csv:${index + 2} SourceId unknown_member`),
    ...["a", "b", "c"].map((_, index) => `lots.csv:${index + 2} SourceId unknown_member`),
    ...[2, 3, 4].map((line) => `members.csv:${line} SourceId too_many_points`),
    ...[2, 3, 4].map((line) => `receipts.csv:${line} Points too_many_points`),
  ]);
  expect(differences((await move("rehearse", folder)).result)).toEqual([]);
});

test("a receipt is rejected as a whole", async () => {
  await shop.sell({ ReceiptNumber: "T-1-HERE", Amount: "10.00" });
  const folder = writePackage(
    {
      members: [person("r1"), person("r2", { JoinedAt: "" })],
      receipts: [
        sold("R-1", "1.00", { SourceId: "r1", Line: 1 }),
        sold("R-1", "x", { SourceId: "r1", Line: 2 }),
        sold("R-2", "1.00", { Shop: "Nantes" }),
        sold("R-3", "1.00", { Line: 1 }),
        sold("R-3", "2.00", { Line: 1 }),
        sold("R-4", "1.00", { SourceId: "nobody" }),
        sold("R-5", "1.00", { SourceId: "r2" }),
        sold("T-1-HERE", "10.00"),
        sold("R-6", "1.00", { Line: 1 }),
        sold("R-6", "1.00", { Line: 2, SoldAt: "2026-11-03T10:00:00Z" }),
        sold("R-7", "1.00", { Rule: '{"PointsPerEuro":0}' }),
        sold("R-8", "1.00", { SourceId: "r1" }),
        sold("R-9", "1.00", { SourceId: "r1" }),
        sold("R-9", "1.00", { SourceId: "r1", Shop: String(shop.shopId) }),
      ],
    },
    { source: "rejected" },
  );
  expect(await rejectionsOf((await move("check", folder)).run)).toEqual([
    "receipts.csv:2 Line incomplete",
    "receipts.csv:3 Amount amount",
    "receipts.csv:4 Shop unknown_shop",
    "receipts.csv:5 Line duplicate",
    "receipts.csv:6 Line duplicate",
    "receipts.csv:7 SourceId unknown_member",
    "receipts.csv:8 SourceId not_a_member",
    "receipts.csv:9 ReceiptNumber receipt_taken",
    "receipts.csv:10 ReceiptNumber invalid",
    "receipts.csv:11 ReceiptNumber invalid",
    "receipts.csv:12 Rule invalid",
    "receipts.csv:14 Line duplicate",
    "receipts.csv:15 Line duplicate",
  ]);
});
