import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { clubDay } from "#i18n/club-day.ts";
import { listReceipts } from "#office/receipts/calls.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "#till/calls.ts";

const { clock, database, openOffice, openTill } = await openTestOffice();

test("the end of a till's day: counted against its receipts, with author and time, on the shop's day; counted again, the last stays", async () => {
  const till = await openTill();
  const voided = till.newNumber();
  await till.sell({ Amount: "50.00" });
  await till.sell({ ReceiptNumber: voided, Amount: "99.00" });
  await till.call(calls.voidSale, { ReceiptNumber: voided });
  const sold = till.newNumber();
  await till.sell({ ReceiptNumber: sold, Amount: "30.00" });
  const back = { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: sold, Amount: "10.00" };
  await till.call(calls.postReturn, back);
  const wrong = await till.call(calls.countDay, { Count: "2", Amount: "65.50" });
  expect(wrong).toEqual({
    Expected: { Count: 3, Amount: "70.00" },
    Difference: { Count: -1, Amount: "-4.50" },
  });
  const right = await till.call(calls.countDay, { Count: "3", Amount: "70.00" });
  expect(right.Difference).toEqual({ Count: 0, Amount: "0.00" });
  const owner = await openOffice("owner");
  const day = await owner.call(listReceipts, { IdShop: String(till.shopId), Day: clubDay(clock.now) });
  expect(day.Counts).toMatchObject([
    { By: "Nora Petit", Counted: { Count: 3, Amount: "70.00" }, Expected: { Count: 3, Amount: "70.00" } },
  ]);
  const { rows } = await database.execute<{ before: object | null; after: object }>(sql`
    select before, after from audit_log where action = 'day_counted' and staff_id = ${till.person.id} order by id`);
  expect(rows).toMatchObject([
    { before: null, after: { receipts: 2, cents: 6_550, expectedReceipts: 3, expectedCents: 7_000 } },
    { before: { receipts: 2, cents: 6_550 }, after: { receipts: 3, cents: 7_000 } },
  ]);
});
