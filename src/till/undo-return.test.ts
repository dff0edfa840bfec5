import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { claimReceipt, listCustomerRewards } from "#loyalty/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addMember, clock, database, openTill } = await openTestTill();
type Till = Awaited<ReturnType<typeof openTill>>;
type Member = Awaited<ReturnType<typeof addMember>>;
const afterDays = (days: number) => new Date(clock.now.getTime() + days * 24 * 3_600_000);
const lines = JSON.stringify([
  { Line: "1", Amount: "89.90" },
  { Line: "2", Amount: "39.95" },
]);

async function sell(till: Till, fields: object = {}) {
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, Lines: lines, ...fields });
  return ReceiptNumber;
}
async function takeBack(till: Till, OriginalReceiptNumber: string, fields: object = {}) {
  const ReceiptNumber = till.newNumber();
  await till.call(calls.postReturn, { ReceiptNumber, OriginalReceiptNumber, ...fields });
  return ReceiptNumber;
}
const undo = (till: Till, ReceiptNumber: string) => till.call(calls.undoReturn, { ReceiptNumber });
const factsOf = async (member: Member) => {
  const { Available, Debt, Pending, EarnedLast12Months } = await member.points();
  return { Available, Debt, Pending, EarnedLast12Months };
};

test.each([0, 14])(
  "a return that is undone has taken nothing, with points that are pending for %i days",
  async (pendingDays) => {
    await publishNow(database, { pendingDays }, { now: clock.now });
    const till = await openTill();
    const member = await addMember(900);
    const sale = await sell(till, { CardNumber: member.card });
    const before = await factsOf(member);
    const back = await takeBack(till, sale, { Lines: JSON.stringify([{ Line: "2" }]) });
    expect(await factsOf(member)).not.toEqual(before);
    const undone = await undo(till, back);
    expect(undone.Refunds).toEqual([{ Line: "2", Amount: "39.95" }]);
    expect(undone.Points).toMatchObject({ Available: before.Available, Pending: before.Pending, Debt: 0 });
    expect(await undo(till, back)).toEqual(undone);
    expect(await factsOf(member)).toEqual(before);
    const day = await till.call(calls.readDay);
    expect(day).toMatchObject({ Net: "129.85", Sales: 1, Returns: 0 });
    // What was undone can be returned again, under another number.
    await takeBack(till, sale);
    expect((await factsOf(member)).EarnedLast12Months).toBe(1_150);
    await expectInvariants(database);
  },
);

test("undone, a debt is gone; a voucher that was cancelled for the return stays cancelled, with its points", async () => {
  await publishNow(database, { pendingDays: 0 }, { now: clock.now });
  const till = await openTill();
  const spender = await addMember();
  const sale = await sell(till, { CardNumber: spender.card });
  const VoucherCodes = await spender.obtain();
  await till.sell({ CardNumber: spender.card, Amount: "10.00", VoucherCodes });
  const before = await factsOf(spender);
  const back = await takeBack(till, sale);
  expect((await spender.points()).Debt).toBe(0);
  await undo(till, back);
  expect(await factsOf(spender)).toEqual(before);

  const saver = await addMember();
  const kept = await sell(till, { CardNumber: saver.card });
  await saver.obtain();
  await database.execute(sql`select loyalty_move(${saver.id}, -100, 'adjust', 'spent', '{}', now(), ${clock.now})`);
  await undo(till, await takeBack(till, kept));
  expect(await factsOf(saver)).toMatchObject({ Available: 279, Debt: 0 });
  const { CustomerRewards } = await saver.call(listCustomerRewards, { LoyaltyRewardState: "cancelled" });
  expect(CustomerRewards).toHaveLength(1);
  await expectInvariants(database);
});

test("points that are owed are owed no more, and the status is that of before", async () => {
  await publishNow(database, { pendingDays: 0 }, { now: clock.now });
  const till = await openTill();
  const member = await addMember(800);
  const sale = await sell(till, { CardNumber: member.card });
  const { Available } = await member.points();
  await database.execute(
    sql`select loyalty_move(${member.id}, ${-Available}, 'adjust', 'spent', '{}', now(), ${clock.now})`,
  );
  const before = await factsOf(member);
  const back = await takeBack(till, sale);
  expect((await member.points()).Debt).toBe(162);
  await undo(till, back);
  expect(await factsOf(member)).toEqual(before);
  await expectInvariants(database);
});

test("another till, another day, the own card and a return with a voucher are refused", async () => {
  const till = await openTill();
  const member = await addMember(500);
  const sale = await sell(till, { CardNumber: member.card });
  const back = await takeBack(till, sale);
  const refused = async (at: Till, number: string) => (await refusalOf(undo(at, number))).code;
  expect(await refused(await openTill(till.shopId), back)).toBe("receipt_not_found");
  expect(await refused(till, till.newNumber())).toBe("receipt_not_found");
  // A sale is voided, not undone.
  expect(await refused(till, sale)).toBe("receipt_not_found");

  const paid = await sell(till, { CardNumber: member.card, VoucherCodes: await member.obtain() });
  const withVoucher = await takeBack(till, paid);
  expect(await refused(till, withVoucher)).toBe("return_final");

  await database.execute(sql`update staff set own_customer_id = ${member.id} where id = ${till.person.id}`);
  expect(await refused(till, back)).toBe("own_card");
  await database.execute(sql`update staff set own_customer_id = null where id = ${till.person.id}`);
  clock.now = afterDays(1);
  await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
  expect(await refused(till, back)).toBe("return_final");
  await expectInvariants(database);
});

test("a return after which the receipt was claimed, or its debt settled, is not undone", async () => {
  await publishNow(database, { pendingDays: 0 }, { now: clock.now });
  const till = await openTill();
  const claimed = till.newNumber();
  const { ClaimCode = "" } = await till.sell({ ReceiptNumber: claimed, Lines: lines });
  const back = await takeBack(till, claimed, { Lines: JSON.stringify([{ Line: "2" }]) });
  const member = await addMember();
  await member.call(claimReceipt, { ClaimCode });
  expect((await refusalOf(undo(till, back))).code).toBe("return_final");

  const owing = await addMember();
  const sale = await sell(till, { CardNumber: owing.card });
  await database.execute(sql`select loyalty_move(${owing.id}, -379, 'adjust', 'spent', '{}', now(), ${clock.now})`);
  const owed = await takeBack(till, sale);
  await till.sell({ CardNumber: owing.card, Amount: "20.00" });
  expect((await refusalOf(undo(till, owed))).code).toBe("return_final");
  await expectInvariants(database);
});

test("a return that waits for its sale is undone before it arrives, and takes nothing then", async () => {
  const till = await openTill();
  const member = await addMember();
  const sale = till.newNumber();
  const back = await takeBack(till, sale, { Amount: "10.00" });
  await undo(till, back);
  const { Points } = await till.sell({ ReceiptNumber: sale, CardNumber: member.card, Amount: "50.00" });
  expect(Points.Earned).toBe(50);
  const receipt = await till.call(calls.readReceipt, { ReceiptNumber: sale });
  expect(receipt.Lines[0]?.Left).toBe("50.00");
  await expectInvariants(database);
});

test("the audit log says what the return had been, and partners hear of it", async () => {
  const till = await openTill();
  const member = await addMember();
  const back = await takeBack(till, await sell(till, { CardNumber: member.card }));
  await undo(till, back);
  const { rows } = await database.execute<{ before: object; after: object; customer_id: string }>(sql`
    select before, after, customer_id from audit_log where action = 'return_undone' and staff_id = ${till.person.id}`);
  expect(rows).toMatchObject([{ before: { receipt: back }, after: { receipt: back }, customer_id: String(member.id) }]);
  const events = await database.execute(sql`
    select from webhook_event where type = 'purchase.return_undone' and payload ->> 'ReceiptNumber' = ${back}`);
  expect(events.rowCount).toBe(1);
});

test.each([0, 14])(
  "an exchange is undone as a whole, and points are those of before, with points that are pending for %i days",
  async (pendingDays) => {
    await publishNow(database, { pendingDays }, { now: clock.now });
    const till = await openTill();
    const member = await addMember(900);
    const sale = await sell(till, { CardNumber: member.card });
    // Arrived: the exchange takes the points of the new sale, which are pending.
    clock.now = afterDays(pendingDays + 1);
    await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
    const before = await factsOf(member);
    const ReturnOf = JSON.stringify({ OriginalReceiptNumber: sale, Lines: [{ Line: "1" }] });
    const exchange = till.newNumber();
    const sold = await till.sell({ ReceiptNumber: exchange, CardNumber: member.card, Amount: "60.00", ReturnOf });
    expect(sold.Points.Taken).toBeGreaterThan(0);
    const { Receipts } = await till.call(calls.readDay);
    expect(Receipts.map(({ Kind, Exchange, Correctable }) => [Kind, Exchange, Correctable])).toEqual(
      expect.arrayContaining([
        ["sale", true, false],
        ["exchange", true, false],
      ]),
    );
    expect((await till.call(calls.readReceipt, { ReceiptNumber: exchange })).Voidable).toBe(false);
    const correcting = till.sell({ CardNumber: member.card, Amount: "50.00", Corrects: exchange });
    expect((await refusalOf(correcting)).code).toBe("sale_final");
    const undone = await undo(till, exchange);
    expect(undone.Refunds).toEqual([{ Line: "1", Amount: "89.90" }]);
    expect(undone.Voided).toMatchObject({ Refunds: [{ Amount: "60.00" }], Points: { Taken: sold.Points.Earned } });
    expect(undone.Points).toMatchObject({ Restored: sold.Points.Taken, Available: before.Available, Debt: 0 });
    expect(await undo(till, exchange)).toEqual(undone);
    expect(await factsOf(member)).toEqual(before);
    expect(await till.call(calls.readDay)).toMatchObject({ Net: "0.00", Sales: 0, Returns: 0, Voided: 1 });
    await expectInvariants(database);
  },
);

test("an exchange whose new sale was given back in part, or that brought a voucher back, is not undone", async () => {
  const till = await openTill();
  const member = await addMember(900);
  const exchangeOf = async (sale: string, line: string) => {
    const ReturnOf = JSON.stringify({ OriginalReceiptNumber: sale, Lines: [{ Line: line }] });
    const ReceiptNumber = till.newNumber();
    await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "60.00", ReturnOf });
    return ReceiptNumber;
  };
  const partly = await exchangeOf(await sell(till, { CardNumber: member.card }), "1");
  await takeBack(till, partly, { Amount: "5.00" });
  expect((await refusalOf(undo(till, partly))).code).toBe("more_than_bought");
  const paid = till.newNumber();
  const VoucherCodes = await member.obtain();
  await till.sell({ ReceiptNumber: paid, CardNumber: member.card, Amount: "50.00", VoucherCodes });
  const { Receipts } = await till.call(calls.readDay);
  expect(Receipts.find(({ ReceiptNumber }) => ReceiptNumber === paid)?.Correctable).toBe(false);
  const withVoucher = await exchangeOf(paid, "1");
  expect((await refusalOf(undo(till, withVoucher))).code).toBe("return_final");
  await expectInvariants(database);
});
