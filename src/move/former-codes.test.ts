import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { barWidths } from "#loyalty/card/barcode.server.ts";
import { identify } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { createMoves, lot, person, writePackage } from "#testing/move.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as till from "#till/calls.ts";

const { clock, database, openShop, openTill } = await openTestTill();
clock.now = new Date("2026-11-18T10:00:00Z");

test("a card that no scanner could read is no member's card, and works at tills as it is typed", async () => {
  const numbers = ["2900000000002", "2900000000018"];
  const folder = writePackage(
    {
      members: numbers.map((_, index) => person(`e${index}`)),
      cards: numbers.map((CardNumber, index) => ({ SourceId: `e${index}`, CardNumber, Main: 1 })),
    },
    { source: "cards" },
  );
  await createMoves(database).moveIn(folder);
  const { rows } = await database.execute<{ card_number: string; source_id: string }>(
    sql`select source_id, card_number from loyalty_account join move_member using (customer_id) where source = 'cards'`,
  );
  for (const { card_number } of rows) expect(barWidths("ean13", card_number)).toHaveLength(59);
  expect(rows.find(({ source_id }) => source_id === "e1")?.card_number).toBe(numbers[1]);
  const shop = await openShop();
  expect((await shop.call(identify, { Code: numbers[0] ?? "", EntryMode: "typed" })).Customers).toHaveLength(1);
});

test("cards and vouchers of a former club are found by the code alone, at a till and by key, and used there", async () => {
  const shop = await openShop();
  const screen = await openTill(shop.shopId);
  expect((await screen.call(till.readState)).FormerCodes).toBe(false);
  await createMoves(database).moveIn(
    writePackage({
      members: [person("f1")],
      cards: [{ SourceId: "f1", CardNumber: "0041829977" }],
      lots: [lot("f1", "a", 70)],
      vouchers: [{ SourceId: "f1", Code: "NOEL-2026-77", Amount: "10.00", ExpiresAt: "2027-12-31T22:59:59Z" }],
    }),
  );
  expect((await screen.call(till.readState)).FormerCodes).toBe(true);
  const ReceiptNumber = "L2-004817";
  await shop.sell({ ReceiptNumber, Amount: "10.00" });

  for (const at of [
    (Code: string) => screen.call(till.identify, { Code, EntryMode: "scanned" }),
    (Code: string) => shop.call(identify, { Code, EntryMode: "scanned" }),
  ]) {
    expect(await at("0041829977")).toMatchObject({ FoundBy: "card", Customers: [{ Points: 70, Vouchers: [{}] }] });
    expect(await at("noel-2026-77")).toMatchObject({
      ...{ FoundBy: "voucher", Customers: [{ Points: 70, Vouchers: [{ State: "available" }] }] },
    });
    expect(await at(ReceiptNumber)).toEqual({ FoundBy: "receipt", Customers: [] });
    expect(await refusalOf(at("L2-004818"))).toMatchObject({ code: "not_found" });
  }
  const { rows } = await database.execute(
    sql`select found_by, count(*)::integer as n from shop_look_up group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { found_by: "card", n: 2 },
    { found_by: "voucher", n: 2 },
  ]);

  // A sale made without a network counts when it arrives, and the voucher is used.
  const sale = { CardNumber: "0041829977" };
  const SentAt = clock.now.toISOString();
  const Items = JSON.stringify([
    { Kind: "purchase", ...sale, ReceiptNumber: screen.newNumber(), SoldAt: "2026-11-18T08:00:00Z", Amount: "30.00" },
  ]);
  const { Outcomes } = await screen.call(till.postBatch, { Items, SentAt });
  expect(Outcomes).toMatchObject([{ Status: 200, Answer: { Points: { Earned: 30 } } }]);
  const bought = await screen.call(till.postPurchase, {
    ...{ ...sale, ReceiptNumber: screen.newNumber(), SoldAt: SentAt, SentAt, Amount: "50.00" },
    VoucherCodes: "NOEL-2026-77",
  });
  expect(bought).toMatchObject({ Vouchers: [{ Taken: "10.00" }], Points: { Earned: 40 } });
});
