import { beforeEach, expect, test } from "vitest";
import { centsOf } from "#brand/amounts.ts";
import { claimReceipt } from "#loyalty/calls.ts";
import * as calls from "#shop/calls.ts";
import { lockSale } from "#shop/sales/return/take-back.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, clock, database, openWebShop } = await openTestShop();
const start = clock.now;
beforeEach(() => {
  clock.now = start;
});
const days = (count: number) => new Date(clock.now.getTime() + count * 24 * 3_600_000);
const EUR = { Currency: "EUR" };
const lines = (...amounts: string[]) =>
  amounts.map((Amount, n) => ({ Line: String(n + 1), Amount })).filter(({ Amount }) => Amount !== "");
const totalOf = (all: readonly { Amount: string }[]) => all.reduce((sum, { Amount }) => sum + centsOf(Amount), 0);

async function openOrders() {
  const shop = await openWebShop();
  const member = await addMember();
  const amend = (ReceiptNumber: string, AmendNumber: number, ...amounts: string[]) =>
    shop.call(calls.amendPurchase, {
      ReceiptNumber,
      AmendNumber: String(AmendNumber),
      Lines: JSON.stringify(lines(...amounts)),
      ...EUR,
    });
  const order = (ReceiptNumber: string, amounts: string[], more: object = { CardNumber: member.card }) =>
    shop.sell({ ReceiptNumber, Lines: lines(...amounts), ...EUR, ...more });
  const read = (ReceiptNumber: string) => shop.call(calls.readPurchase, { ReceiptNumber });
  return { shop, member, amend, order, read };
}

test("an order that is edited earns for what was added and gives back what was taken out, once for each amendment", async () => {
  const { shop, member, amend, order, read } = await openOrders();
  await order("#1", ["100.00", "50.00"]);
  const first = await amend("#1", 1, "120.00", "20.00", "9.90");
  expect(first).toMatchObject({
    Added: [
      { Line: "1", Amount: "20.00" },
      { Line: "3", Amount: "9.90" },
    ],
    Refunds: [{ Line: "2", Amount: "30.00" }],
    Points: { Earned: 29, Taken: 30 },
  });
  expect(first.Points.Available + first.Points.Pending).toBe(250 + 150 + 29 - 30);
  expect(await amend("#1", 1, "120.00", "20.00", "9.90")).toEqual(first);
  expect(await refusalOf(amend("#1", 1, "120.00"))).toMatchObject({ status: 409, code: "receipt_known" });
  expect(await refusalOf(amend("#1", 3, "120.00"))).toMatchObject({ status: 409, code: "amendment_missing" });
  expect(await refusalOf(amend("#none", 1, "120.00"))).toMatchObject({ status: 404, code: "receipt_not_found" });
  expect(await amend("#1", 2, "120.00", "20.00", "9.90")).toMatchObject({ Added: [], Refunds: [] });
  const recorded = await read("#1");
  expect(recorded).toMatchObject({
    IdCustomer: member.subject,
    Lines: [{ Left: "120.00" }, { Left: "20.00" }, { Left: "9.90" }],
    Returns: [{ Kind: "amend", Amount: "30.00" }],
    Amendments: [{ AmendNumber: 1 }, { AmendNumber: 2 }],
  });
  const back = await shop.takeBack("#1", [{ Line: "1" }], { ReceiptNumber: "R-1", ...EUR });
  expect(back).toMatchObject({ Refunds: [{ Line: "1", Amount: "120.00" }], Points: { Taken: 120 } });
  expect(await shop.takeBack("#1", [{ Line: "1" }], { ReceiptNumber: "R-1", ...EUR })).toEqual(back);
  const rest = await shop.takeBack("#1", undefined, EUR);
  expect(totalOf(rest.Refunds)).toBe(29_90);
  expect((await member.points()).Available).toBe(250);
  expect(await refusalOf(shop.takeBack("#1", undefined, EUR))).toMatchObject({ code: "more_than_bought" });
  expect(await refusalOf(amend("#1", 3, "10.00"))).toMatchObject({ code: "more_than_bought" });
  await expectInvariants(database);
});

test("a line that a voucher lowered gives back its part of what was paid; the voucher comes back with all of its lines", async () => {
  const { shop, member, amend, order } = await openOrders();
  const VoucherCodes = await member.obtain();
  await order("#2", ["60.00", "40.00"], { CardNumber: member.card, VoucherCodes });
  expect(await amend("#2", 1, "60.00", "20.00")).toMatchObject({ Refunds: [{ Line: "2", Amount: "18.00" }] });
  expect(await amend("#2", 2, "60.00", "", "5.00")).toMatchObject({
    ...{ Added: [{ Line: "3", Amount: "5.00" }], Refunds: [{ Line: "2", Amount: "18.00" }], ReissuedVouchers: [] },
  });
  const back = await shop.takeBack("#2", undefined, EUR);
  expect(back).toMatchObject({ ReissuedVouchers: [{ Value: "10.00" }] });
  expect(totalOf(back.Refunds)).toBe(59_00);
  await expectInvariants(database);
});

test("a line that vouchers paid in full and that has grown brings them back with its last cent, not its first", async () => {
  const { shop, member, amend, order } = await openOrders();
  const VoucherCodes = await member.obtain();
  await order("#20", ["10.00"], { CardNumber: member.card, VoucherCodes });
  expect(await amend("#20", 1, "20.00")).toMatchObject({ Added: [{ Line: "1", Amount: "10.00" }] });
  expect(await amend("#20", 2, "15.00")).toMatchObject({
    ...{ Refunds: [{ Line: "1", Amount: "2.50" }], ReissuedVouchers: [] },
  });
  expect(await shop.takeBack("#20", [{ Line: "1", Amount: "0.01" }], EUR)).toMatchObject({ ReissuedVouchers: [] });
  expect(await shop.takeBack("#20", [{ Line: "1" }], EUR)).toMatchObject({
    ...{ Refunds: [{ Line: "1", Amount: "7.49" }], ReissuedVouchers: [{ Value: "10.00" }] },
  });
  await expectInvariants(database);
});

test("a line that vouchers paid, taken out and put in again, is to be paid", async () => {
  const { member, amend, order } = await openOrders();
  const VoucherCodes = await member.obtain();
  await order("#21", ["10.00"], { CardNumber: member.card, VoucherCodes });
  expect(await amend("#21", 1, "10.00", "5.00")).toMatchObject({ Added: [{ Line: "2", Amount: "5.00" }] });
  expect(await amend("#21", 2, "", "5.00")).toMatchObject({
    ...{ Refunds: [{ Line: "1", Amount: "0.00" }], ReissuedVouchers: [{ Value: "10.00" }] },
  });
  expect(await amend("#21", 3, "10.00", "5.00")).toMatchObject({
    Added: [{ Line: "1", Amount: "10.00" }],
    Refunds: [],
  });
  expect(await amend("#21", 4, "10.00", "5.00")).toMatchObject({ Added: [], Refunds: [] });
  expect(await amend("#21", 5, "", "5.00")).toMatchObject({
    ...{ Refunds: [{ Line: "1", Amount: "10.00" }], ReissuedVouchers: [] },
  });
  await expectInvariants(database);
});

test("goods that come back without money are recorded of an order that was edited, too, and bring no voucher back", async () => {
  const { shop, member, amend, order } = await openOrders();
  const VoucherCodes = await member.obtain();
  await order("#22", ["10.00"], { CardNumber: member.card, VoucherCodes });
  await amend("#22", 1, "20.00");
  const back = () => shop.takeBack("#22", [{ Line: "1", Amount: "0.00" }], { ReceiptNumber: "R-22", ...EUR });
  const given = await back();
  expect(given).toMatchObject({ Refunds: [{ Line: "1", Amount: "0.00" }], ReissuedVouchers: [], Points: { Taken: 0 } });
  expect(await back()).toEqual(given);
  const spread = await shop.takeBack("#22", undefined, { Amount: "0.00", Spread: "true", ...EUR });
  expect(spread).toMatchObject({ Refunds: [], ReissuedVouchers: [], Points: { Taken: 0 } });
  expect(await shop.takeBack("#22", undefined, EUR)).toMatchObject({
    ...{ Refunds: [{ Line: "1", Amount: "10.00" }], ReissuedVouchers: [{ Value: "10.00" }] },
  });
  await expectInvariants(database);
});

test("an order that gives back an edited one in exchange can be edited as often as any", async () => {
  const { shop, member, amend, order } = await openOrders();
  await order("#23", ["10.00"]);
  await amend("#23", 1, "20.00");
  const exchanged = () =>
    order("#24", ["50.00"], {
      ...{ CardNumber: member.card, SoldAt: start.toISOString() },
      ReturnOf: { OriginalReceiptNumber: "#23", Lines: [{ Line: "1" }] },
    });
  const answer = await exchanged();
  expect(await amend("#24", 1, "60.00")).toMatchObject({ Points: { Earned: 10 } });
  expect(await amend("#24", 2, "70.00")).toMatchObject({ Points: { Earned: 10 } });
  expect(await exchanged()).toEqual(answer);
  expect(await shop.takeBack("#24", undefined, EUR)).toMatchObject({ Points: { Taken: 70, Available: 250 } });
  await expectInvariants(database);
});

test("added points are pending from the amendment, and an order that grows past the limit waits for its addition alone", async () => {
  const { shop, member, amend, order } = await openOrders();
  await publishNow(database, { pendingDays: 14 }, { now: clock.now });
  await order("#3", ["2000.00"]);
  clock.now = days(10);
  expect(await amend("#3", 1, "2100.00")).toMatchObject({ Points: { Earned: 100, Pending: 2_100 } });
  clock.now = days(5);
  expect(await member.points()).toMatchObject({ Available: 2_250, Pending: 100 });
  // Status has risen since; the sale keeps its rule.
  expect(await amend("#3", 2, "3100.00")).toMatchObject({
    ...{ Points: { Earned: 0 }, Waiting: true, WaitingPoints: 1_000, WaitingReason: "large_sale" },
  });
  const { Points } = await shop.takeBack("#3", undefined, EUR);
  expect(Points).toMatchObject({ Taken: 2_100, Available: 250, Pending: 0, Debt: 0 });
  await expectInvariants(database);
});

test("what is added to one of many sales in a day waits as the sale does", async () => {
  const { amend, order } = await openOrders();
  for (let n = 1; n <= 5; n += 1) expect((await order(`#4${n}`, ["1.00"])).Waiting).toBeUndefined();
  expect(await order("#46", ["1.00"])).toMatchObject({ Waiting: true });
  expect(await amend("#46", 1, "1000.00")).toMatchObject({
    ...{ Points: { Earned: 0 }, Waiting: true, WaitingPoints: 999, WaitingReason: "many_sales" },
  });
});

test("an order that grew is voided with what was added; one of which something was taken out is not", async () => {
  const { shop, amend, order, read } = await openOrders();
  await order("#6", ["40.00"]);
  await amend("#6", 1, "40.00", "20.00");
  await amend("#6", 2, "40.00", "25.00");
  const cancel = (ReceiptNumber: string) => shop.call(calls.voidSale, { ReceiptNumber });
  const voided = await cancel("#6");
  expect(voided).toMatchObject({
    Refunds: [
      { Line: "1", Amount: "40.00" },
      { Line: "2", Amount: "25.00" },
    ],
    Points: { Taken: 65, Available: 250 },
  });
  expect(await cancel("#6")).toEqual(voided);
  expect((await read("#6")).Lines).toMatchObject([{ Left: "0.00" }, { Left: "0.00" }]);
  await order("#7", ["40.00"]);
  await amend("#7", 1, "30.00");
  expect(await refusalOf(cancel("#7"))).toMatchObject({ code: "more_than_bought" });
  await expectInvariants(database);
});

test("reading a sale waits for nobody who sells or returns under its number", async () => {
  const { shop, order, read } = await openOrders();
  await order("#8", ["40.00"]);
  await database.transaction(async (tx) => {
    await lockSale(tx, { shopId: shop.shopId, number: "#8" });
    expect(await read("#8")).toMatchObject({ Lines: [{ Left: "40.00" }] });
  });
});

test("a guest's order that was edited is claimed as a whole", async () => {
  const { member, amend, order } = await openOrders();
  const { ClaimCode = "" } = await order("#4", ["40.00"], {});
  await amend("#4", 1, "40.00", "20.00");
  const claimed = await member.call(claimReceipt, { ClaimCode });
  expect(claimed.Points).toMatchObject({ Earned: 60 });
  await expectInvariants(database);
});

test("a guest's order that grew past the limit waits for what went beyond it when it is claimed", async () => {
  const { member, amend, order } = await openOrders();
  await publishNow(database, { pendingDays: 0 }, { now: clock.now });
  const { ClaimCode = "" } = await order("#9", ["1400.00"], {});
  await amend("#9", 1, "2800.00");
  await amend("#9", 2, "4200.00");
  await amend("#9", 3, "4300.00");
  expect(await member.call(claimReceipt, { ClaimCode })).toMatchObject({
    ...{ Points: { Earned: 2_800 }, Waiting: true, WaitingPoints: 1_500, WaitingReason: "large_sale" },
  });
  expect((await member.points()).Available).toBe(250 + 2_800);
  await expectInvariants(database);
});

test("twenty edits and returns at once: each counts once, and nothing is left over", async () => {
  const { shop, member, amend, order } = await openOrders();
  await order("#5", ["100.00"]);
  await Promise.allSettled([
    ...Array.from({ length: 10 }, () => amend("#5", 1, "150.00")),
    ...Array.from({ length: 10 }, (_, n) =>
      shop.takeBack("#5", [{ Line: "1", Amount: "5.00" }], { ReceiptNumber: `R-5-${n % 2}`, ...EUR }),
    ),
  ]);
  await shop.takeBack("#5", undefined, EUR);
  expect(await member.points()).toMatchObject({ Debt: 0, Pending: 0, Available: 250 });
  await expectInvariants(database);
});

test("an order is edited a hundred times at most: every edit and return reads all that edits have added", async () => {
  const { amend, order } = await openOrders();
  await order("#often", ["100.00"]);
  expect((await refusalOf(amend("#often", 100, "110.00"))).code).toBe("amendment_missing");
  expect((await refusalOf(amend("#often", 101, "110.00"))).code).toBe("invalid");
});
