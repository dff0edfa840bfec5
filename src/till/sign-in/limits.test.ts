import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { refusalOf } from "#testing/club.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addMember, clock, database, openTill } = await openTestTill({ RATE_LIMITS: "on" });

test("of a hundred look-ups by address at once sixty are made, of a hundred unknown cards thirty", async () => {
  const [looker, guesser] = [await openTill(), await openTill()];
  const { email } = await addMember();
  const atOnce = async (look: () => Promise<unknown>) => {
    const looks = await Promise.all(Array.from({ length: 100 }, () => refusalOf(look())));
    return looks.filter(({ code }) => code === "too_many").length;
  };
  expect(await atOnce(() => looker.call(calls.identify, { Email: email }))).toBe(40);
  expect(await atOnce(() => guesser.call(calls.identify, { CardNumber: "2900000000001" }))).toBe(70);
});

test("whose a receipt is, is a look-up: logged once with the person, and limited", async () => {
  const [till, other] = [await openTill(), await openTill()];
  const IdShop = till.shopId;
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "20.00" });
  const proof = { OriginalAmount: "20.00", OriginalDay: new Date(clock.now).toISOString().slice(0, 10) };
  for (const Amount of ["5.00", "10.00"])
    expect((await other.call(calls.readReceipt, { ReceiptNumber, IdShop, Amount, ...proof })).Customer).toBe(
      "Camille L.",
    );
  const { rows } = await database.execute(
    sql`select staff_id, shop_id, after from audit_log where customer_id = ${member.id} and action = 'receipt_read'`,
  );
  const after = { ofShop: IdShop, ofReceipt: ReceiptNumber };
  expect(rows).toEqual([{ staff_id: other.person.id, shop_id: other.shopId, after }]);

  const nobodys = till.newNumber();
  await till.sell({ ReceiptNumber: nobodys, Amount: "20.00" });
  await database.execute(sql`update shop_key_use set by_contact = 60`);
  const next = await addMember();
  const nexts = till.newNumber();
  await till.sell({ ReceiptNumber: nexts, CardNumber: next.card, Amount: "20.00" });
  const read = (number: string) =>
    refusalOf(other.call(calls.readReceipt, { ReceiptNumber: number, IdShop, ...proof }));
  for (let n = 0; n < 2; n += 1) expect(await read(nexts)).toMatchObject({ code: "too_many", status: 429 });
  for (const number of [ReceiptNumber, nobodys]) expect((await read(number)).status).toBeUndefined();
});

test("a quote is no way to guess cards either", async () => {
  const till = await openTill();
  const { card } = await addMember();
  const quote = (CardNumber?: string) => refusalOf(till.call(calls.quote, { Amount: "10.00", CardNumber }));
  for (let n = 0; n < 30; n += 1) expect((await quote(String(2_900_000_000_000 + n))).status).toBeUndefined();
  for (const number of ["2900000000999", card]) expect(await quote(number)).toMatchObject({ code: "too_many" });
  expect((await quote()).status).toBeUndefined();
});

test("of a hundred quotes at once with unknown cards no more than a few are answered beyond thirty", async () => {
  const till = await openTill();
  const quotes = Array.from({ length: 100 }, (_, n) =>
    refusalOf(till.call(calls.quote, { Amount: "10.00", CardNumber: String(2_900_000_001_000 + n) })),
  );
  const answered = (await Promise.all(quotes)).filter(({ status }) => status === undefined);
  // Four calls of a till run at once.
  expect(answered.length).toBeGreaterThanOrEqual(30);
  expect(answered.length).toBeLessThan(34);
});

test("guessed receipts and vouchers of a correction are counted as those of any sale", async () => {
  const [till, other] = [await openTill(), await openTill()];
  const member = await addMember();
  const [wrong, theirs] = [till.newNumber(), other.newNumber()];
  await till.sell({ ReceiptNumber: wrong, Amount: "50.00" });
  await other.sell({ ReceiptNumber: theirs, CardNumber: member.card, Amount: "42.50" });
  const OriginalDay = clock.now.toLocaleDateString("sv-SE", { timeZone: "Europe/Paris" });
  const guess = (OriginalAmount: string) => {
    const ReturnOf = { OriginalReceiptNumber: theirs, OriginalIdShop: other.shopId, OriginalAmount, OriginalDay };
    return till.sell({ Amount: "40.00", Corrects: wrong, ReturnOf: JSON.stringify(ReturnOf) });
  };
  for (let n = 0; n < 10; n += 1) expect((await refusalOf(guess(`${n}.00`))).code).toBe("receipt_not_found");
  expect((await refusalOf(guess("42.50"))).code).toBe("too_many");
});
