import { expect, test } from "vitest";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addMember, addPerson, clock, openTill } = await openTestTill();

test("the day of a till: its newest receipts, the net of sales and returns, voided sales apart, by seller", async () => {
  const till = await openTill();
  const colleague = await addPerson(till.shopId, { firstname: "Karim", lastname: "Sadi" });
  // Another till of the same shop has a day of its own.
  await (await openTill(till.shopId)).sell({ Amount: "999.00" });
  const member = await addMember();
  const numbers = Array.from({ length: 6 }, () => till.newNumber());
  for (const [place, ReceiptNumber] of numbers.entries()) {
    clock.now = new Date(clock.now.getTime() + 1_000);
    await till.sell({ ReceiptNumber, Amount: `${place + 1}0.00`, ...(place === 5 && { CardNumber: member.card }) });
  }
  await till.call(calls.voidSale, { ReceiptNumber: numbers[0] ?? "" });
  await till.call(calls.signIn, { IdStaff: colleague.id, Pin: colleague.pin });
  clock.now = new Date(clock.now.getTime() + 1_000);
  const back = till.newNumber();
  const Lines = undefined;
  await till.call(calls.postReturn, {
    ReceiptNumber: back,
    OriginalReceiptNumber: numbers[1] ?? "",
    Amount: "5.00",
    Lines,
  });
  const day = await till.call(calls.readDay);
  expect(day).toMatchObject({ Net: "195.00", Sales: 5, Returns: 1, Voided: 1 });
  expect(day.Receipts.map(({ ReceiptNumber }) => ReceiptNumber)).toEqual([back, ...numbers.slice(2).reverse()]);
  expect(day.Receipts[1]).toMatchObject({
    Customer: "Camille L.",
    Amount: "60.00",
    Points: 60,
    Kind: "sale",
    Seller: "Nora P.",
  });
  const net = Object.fromEntries(day.Sellers.map(({ Name, Net }) => [Name, Net]));
  expect(net).toEqual({ "Nora P.": "200.00", "Karim S.": "-5.00" });
  const whole = await till.call(calls.readDay, { All: true });
  expect(whole.Receipts).toHaveLength(7);
  expect(whole.Receipts.find(({ Voided }) => Voided)?.ReceiptNumber).toBe(numbers[0]);
  expect(whole.Receipts.find(({ ReceiptNumber }) => ReceiptNumber === numbers[1])?.Returned).toBe("5.00");
});
