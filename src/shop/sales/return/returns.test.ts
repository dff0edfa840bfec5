import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { listCustomerRewards, listRewards, readHistory } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import * as calls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, clock, database, emails, fetch, openShop, runJobs } = await openTestShop();
const today = () => clock.now.toLocaleDateString("sv-SE", { timeZone: "Europe/Paris" });
const days = (count: number) => count * 24 * 3_600_000;
const later = (milliseconds: number) => new Date(clock.now.getTime() + milliseconds);

const dress = { Line: "1", Amount: "89.90" };
const scarf = { Line: "2", Amount: "39.95" };
const giftCard = { Line: "3", Amount: "50.00", Earns: false };

test("returns take exactly what was earned, in any order, and the voucher comes back with the last line it paid", async () => {
  for (const order of [
    ["2", "1"],
    ["1", "2"],
  ]) {
    const till = await openShop();
    const member = await addMember(1_000);
    const code = await member.obtain();
    const ReceiptNumber = till.newNumber();
    await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [dress, scarf, giftCard], VoucherCodes: code });
    const { Available: before, EarnedLast12Months: earned } = await member.points();
    const taken: Record<string, number> = {};
    let reissued: unknown[] = [];
    for (const Line of order) {
      const back = await till.takeBack(ReceiptNumber, [{ Line }]);
      expect(back.Refunds).toEqual([{ Line, Amount: Line === "1" ? "82.98" : "36.87" }]);
      taken[Line] = back.Points.Taken;
      reissued = back.ReissuedVouchers;
      if (Line === order[0]) expect(reissued).toEqual([]);
    }
    expect(taken).toEqual(order[0] === "2" ? { "2": 46, "1": 103 } : { "1": 103, "2": 46 });
    expect(reissued).toEqual([{ Value: "10.00", ExpiresAt: expect.anything() }]);
    expect(await member.points()).toMatchObject({ Available: before - 149, EarnedLast12Months: earned - 149, Debt: 0 });
    const { CustomerRewards } = await member.call(listCustomerRewards, { LoyaltyRewardState: "available" });
    expect(CustomerRewards.map(({ Code }) => Code)).toEqual([expect.not.stringContaining(code)]);
  }
});

test("a status that is reached, lost by a return and reached again is told of once a day", async () => {
  const till = await openShop();
  const member = await addMember(700);
  const told = async () => (await emails(member.email)).filter(({ cause }) => cause.startsWith("tier:")).length;
  const start = clock.now;
  for (const [day, expected] of [
    [0, 1],
    [1, 2],
  ] as const) {
    clock.now = new Date(start.getTime() + days(day));
    for (let n = 0; n < 3; n += 1) {
      const ReceiptNumber = till.newNumber();
      await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [{ Line: "1", Amount: "400.00" }] });
      await till.takeBack(ReceiptNumber, [{ Line: "1" }]);
    }
    expect(await told()).toBe(expected);
  }
  clock.now = start;
});

test("what a return takes back and the balance does not have is owed, and the next points settle it", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  // 1250 points: five vouchers leave none; then 120, and the sale's 149.
  const codes: string[] = [];
  for (let n = 0; n < 5; n += 1) codes.push(await member.obtain());
  // Used vouchers cannot be cancelled. What they pay in full earns nothing.
  await till.sell({ CardNumber: member.card, Amount: "50.00", VoucherCodes: codes.join(",") });
  await till.sell({ CardNumber: member.card, Amount: "96.00" });
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [{ Line: "1", Amount: "119.85" }] });
  expect((await member.points()).Available).toBe(269);
  await till.sell({ CardNumber: member.card, Amount: "10.00", VoucherCodes: await member.obtain() });
  const { EarnedLast12Months: earned } = await member.points();
  const back = await till.takeBack(ReceiptNumber);
  expect(back.Points).toMatchObject({ Taken: 19, Available: 0, Debt: 130 });
  expect(await member.points()).toMatchObject({ Available: 0, Debt: 130, EarnedLast12Months: earned - 149 });
  // It counts wherever a person reads how far the next reward is: 250 points and what is owed.
  const { Rewards } = await member.call(listRewards);
  expect(Rewards[0]).toMatchObject({ Points: 250, Obtainable: false, PointsMissing: 380 });
  const { Customers } = await till.call(calls.identify, { CardNumber: member.card });
  expect(Customers[0]).toMatchObject({ Points: 0, Debt: 130, NextReward: { Missing: 380 } });
  const page = await fetch(pagePaths.memberPage, { headers: { cookie: `auth.token=${member.token}` } });
  expect(await page.text()).toContain(textsOf.fr.t("member.nextVoucher", { count: 380, formatted: "380" }));
  const next = await till.sell({ CardNumber: member.card, Amount: "128.00" });
  expect(next.Points).toMatchObject({ Earned: 160, Available: 30, Debt: 0 });
  const { Entries } = await member.call(readHistory);
  expect(Entries.slice(0, 2)).toMatchObject([
    { Kind: "settle", Points: -130, Balance: 30 },
    { Kind: "purchase", Points: 160, Balance: 160 },
  ]);
});

test("twenty returns of one sale at once: one takes the points, nineteen are refused", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "40.00" });
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => till.takeBack(ReceiptNumber)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await member.points()).Available).toBe(250);
});

test("a return that arrives before its sale waits, and is applied with it; the next one of another shop is unknown", async () => {
  const till = await openShop();
  const member = await addMember();
  const sale = { ReceiptNumber: till.newNumber(), CardNumber: member.card, Amount: "40.00" };
  const back = { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: sale.ReceiptNumber, Amount: "15.00" };
  const waits = await till.call(calls.postReturn, back);
  expect(waits).toEqual({
    Points: { Taken: 0, Available: 0, Pending: 0, NextPending: null, Debt: 0 },
    ...{ Refunds: [], ReissuedVouchers: [], CancelledVouchers: [], Waiting: true },
  });
  expect((await till.sell(sale)).Points).toMatchObject({ Earned: 40, Available: 275, Debt: 0 });
  expect((await member.points()).Available).toBe(275);
  // The same content, the same answer, whatever became of it.
  expect(await till.call(calls.postReturn, back)).toEqual(waits);
  const other = await openShop("Cercle Lyon");
  const unknown = other.takeBack("never-sold", undefined, { OriginalIdShop: till.shopId });
  expect(await refusalOf(unknown)).toMatchObject({ status: 404 });
});

test("exchanges and returns of one sale at once never wait for each other in a circle", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  const Lines = Array.from({ length: 20 }, (_, n) => ({ Line: String(n + 1), Amount: "10.00" }));
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines });
  const results = await Promise.allSettled(
    Lines.map(({ Line }, n) =>
      n % 2
        ? till.takeBack(ReceiptNumber, [{ Line }])
        : till.sell({
            CardNumber: member.card,
            Amount: "1.00",
            ReturnOf: { OriginalReceiptNumber: ReceiptNumber, Lines: [{ Line }] },
          }),
    ),
  );
  expect(results.flatMap((one) => (one.status === "rejected" ? [one.reason.problem?.code] : []))).toEqual([]);
});

test("an exchange whose return waits says so, and its answer stays the same once the sale has arrived", async () => {
  const till = await openShop();
  const member = await addMember();
  const sale = { ReceiptNumber: till.newNumber(), CardNumber: member.card, Amount: "40.00" };
  const ReturnOf = { OriginalReceiptNumber: sale.ReceiptNumber };
  const SoldAt = clock.now.toISOString();
  const swap = { ReceiptNumber: till.newNumber(), CardNumber: member.card, Amount: "50.00", SoldAt, ReturnOf };
  const waits = await till.sell(swap);
  expect(waits).toMatchObject({ Points: { Earned: 50, Taken: 0, Available: 300 }, Refunds: [], Waiting: true });
  expect((await till.sell(sale)).Points).toMatchObject({ Earned: 40, Available: 300 });
  expect(await till.sell(swap)).toEqual(waits);
});

test("exchanges that cross customers or receipts never wait for each other in a circle", async () => {
  const till = await openShop();
  for (let round = 0; round < 4; round += 1) {
    const [one, two] = [await addMember(), await addMember()];
    const [first, second] = [till.newNumber(), till.newNumber()];
    await till.sell({ ReceiptNumber: first, CardNumber: one.card, Amount: "40.00" });
    await till.sell({ ReceiptNumber: second, CardNumber: two.card, Amount: "40.00" });
    const [left, right] = [till.newNumber(), till.newNumber()];
    const results = await Promise.allSettled([
      till.sell({ CardNumber: one.card, Amount: "10.00", ReturnOf: { OriginalReceiptNumber: second } }),
      till.sell({ CardNumber: two.card, Amount: "10.00", ReturnOf: { OriginalReceiptNumber: first } }),
      till.sell({ ReceiptNumber: left, Amount: "10.00", ReturnOf: { OriginalReceiptNumber: right } }),
      till.sell({ ReceiptNumber: right, Amount: "10.00", ReturnOf: { OriginalReceiptNumber: left } }),
    ]);
    expect(results.flatMap((one) => (one.status === "rejected" ? [one.reason.problem?.code] : []))).toEqual([]);
  }
  await expectInvariants(database);
});

test("a waiting return that does not fit its sale becomes a conflict in the report, and the sale stands", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.call(calls.postReturn, { ReceiptNumber: "W-1", OriginalReceiptNumber: ReceiptNumber, Amount: "90.00" });
  expect((await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "40.00" })).Points.Earned).toBe(40);
  const report = await till.call(calls.readReport, { Day: today() });
  expect(report.Conflicts).toEqual([
    { ReceiptNumber: "W-1", Reason: "return_does_not_fit", OriginalReceiptNumber: ReceiptNumber },
  ]);
});

test("more than is left of a sale is refused; a line that a voucher paid gives back 0.00, once", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  const VoucherCodes = await member.obtain();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [{ Line: "1", Amount: "10.00" }], VoucherCodes });
  for (const lines of [[{ Line: "2" }], [{ Line: "1", Amount: "0.03" }]])
    expect(await refusalOf(till.takeBack(ReceiptNumber, lines))).toMatchObject({ code: "more_than_bought" });
  const back = await till.takeBack(ReceiptNumber, [{ Line: "1" }]);
  expect(back).toMatchObject({ Refunds: [{ Line: "1", Amount: "0.00" }], ReissuedVouchers: [{ Value: "10.00" }] });
  expect(await refusalOf(till.takeBack(ReceiptNumber, [{ Line: "1" }]))).toMatchObject({ code: "more_than_bought" });
});

test("a sale is voided on its own day, as a whole, and gives the same answer again", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "40.00" });
  const voided = await till.call(calls.voidSale, { ReceiptNumber });
  expect(voided.Points).toMatchObject({ Taken: 40, Available: 250, Debt: 0 });
  expect(await till.call(calls.voidSale, { ReceiptNumber })).toEqual(voided);
  expect(await refusalOf(till.takeBack(ReceiptNumber))).toMatchObject({ code: "more_than_bought" });
  const yesterday = till.newNumber();
  await till.sell({ ReceiptNumber: yesterday, Amount: "5.00", SoldAt: later(-days(1)).toISOString() });
  expect(await refusalOf(till.call(calls.voidSale, { ReceiptNumber: yesterday }))).toMatchObject({
    code: "not_same_day",
  });
  expect(await refusalOf(till.call(calls.voidSale, { ReceiptNumber: "none" }))).toMatchObject({ status: 404 });
});

test("a first purchase that is undone at once sends no email; the next one is the first, and its email is sent once", async () => {
  const till = await openShop();
  const member = await addMember();
  const subjects = async () =>
    (await emails(member.email))
      .filter(({ cause }) => cause.startsWith("first-purchase"))
      .map(({ subject }) => subject);
  const sellAt = async (milliseconds: number, Amount: string) => {
    const ReceiptNumber = till.newNumber();
    await till.sell({ ReceiptNumber, CardNumber: member.card, Amount, SoldAt: later(milliseconds).toISOString() });
    return ReceiptNumber;
  };
  const undo = (ReceiptNumber: string) => till.call(calls.voidSale, { ReceiptNumber });
  await undo(await sellAt(-4, "999.00"));
  expect(await subjects()).toEqual([]);
  const first = await sellAt(-3, "40.00");
  await undo(await sellAt(-2, "70.00"));
  expect(await subjects()).toEqual([expect.stringContaining("40")]);
  await runJobs();
  await undo(first);
  await sellAt(-1, "30.00");
  expect(await subjects()).toEqual([expect.stringContaining("40")]);
});

test("who has left is clawed back all the same", async () => {
  const till = await openShop();
  const member = await addMember();
  const [first, second] = [till.newNumber(), till.newNumber()];
  for (const ReceiptNumber of [first, second])
    await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "40.00" });
  await member.call("POST loyalty/unsubscribe");
  expect((await till.takeBack(first)).Points).toMatchObject({ Taken: 40, Available: 290 });
  expect((await till.sell({ CardNumber: member.card, Amount: "10.00" })).Customer).toBe("unknown");
  await expectInvariants(database);
});

test("who was erased owes nothing, by a return or an exchange, and the invariants hold", async () => {
  const till = await openShop();
  const member = await addMember();
  const [first, second] = [till.newNumber(), till.newNumber()];
  for (const ReceiptNumber of [first, second])
    await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "40.00" });
  await database.transaction((tx) => clubHooks({ publicUrl: "", now: () => clock.now }).erase(tx, member.id));
  expect((await till.takeBack(first, undefined, { Amount: "10.00" })).Points).toMatchObject({ Taken: 0 });
  await till.sell({ Amount: "10.00", ReturnOf: { OriginalReceiptNumber: second } });
  await expectInvariants(database);
});
