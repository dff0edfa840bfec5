import { expect, test } from "vitest";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { createMoves, differences, lot, person, writePackage } from "#testing/move.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { database, clock, openShop } = await openTestShop();
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
