import { beforeEach, expect, test } from "vitest";
import { amountOf, centsOf } from "#brand/amounts.ts";
import type { CallFailed } from "#platform/api/client/client.ts";
import type { RefusalCode } from "#platform/refusal.ts";
import { refusals, retries } from "#platform/refusal.ts";
import * as calls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { salesContract } from "./sales/contract.server.ts";

const { addMember, addTill, clock, database, fetch, openShop, openWebShop } = await openTestShop();
const start = clock.now;
beforeEach(() => {
  clock.now = start;
});
const [minuteMs, dayMs] = [60_000, 24 * 3_600_000];
const inMinutes = (minutes: number) => new Date(clock.now.getTime() + minutes * minuteMs);
const EUR = { Currency: "EUR" };
const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: CallFailed) => error.problem,
  );

test("a web shop names a signed-in customer by Sub in identify, quote and purchase; a key without the scope may not", async () => {
  const shop = await openWebShop();
  const member = await addMember(500);
  const VoucherCode = await member.obtain();
  const { Customers } = await shop.call(calls.identify, { Sub: member.subject });
  expect(Customers).toMatchObject([{ IdCustomer: member.subject, Vouchers: [{ State: "available" }] }]);
  const [known] = Customers[0]?.Vouchers ?? [];
  const basket = { Sub: member.subject, Amount: "40.00", VoucherCodes: known?.VoucherToken ?? "", ...EUR };
  expect(await shop.call(calls.quote, basket)).toMatchObject({ VoucherTotal: "10.00", Points: { Earned: 30 } });
  expect(await shop.sell(basket)).toMatchObject({ VoucherTotal: "10.00", Vouchers: [{ Code: VoucherCode }] });
  const limited = await addTill(shop.shopId, ["identify", "sell"], 2);
  for (const call of [
    () => limited.call(calls.identify, { Sub: member.subject }),
    () => limited.call(calls.quote, basket),
    () => limited.sell(basket),
  ])
    expect(await refusalOf(call())).toMatchObject({ status: 403, code: "scope_missing" });
  const twice = { Sub: member.subject, CardNumber: member.card, Amount: "40.00", ...EUR };
  expect((await problemOf(shop.sell(twice)))?.errors).toMatchObject([{ field: "Sub", code: "twice" }]);
});

test("identify tells the public id also of a customer found by address", async () => {
  const shop = await openShop();
  const member = await addMember();
  const { Customers } = await shop.call(calls.identify, { Email: member.email });
  expect(Customers).toMatchObject([{ IdCustomer: member.subject, Vouchers: [] }]);
});

test("a field that a call does not know is refused by its name with the second version of the API, and ignored with the first", async () => {
  const [shop, old] = [await openWebShop(), await openShop()];
  const sale = { Amount: "20.00", Email: "camille@exemple.fr", ...EUR };
  expect(await problemOf(shop.sell(sale as object))).toMatchObject({
    ...{ status: 400, code: "unknown_field" },
    errors: [{ field: "Email", code: "unknown" }],
  });
  expect((await old.sell(sale as object)).ClaimCode).toBeDefined();
  const member = await addMember();
  const named = { CardNumber: member.card, Name: "Camille" };
  expect((await refusalOf(shop.call(calls.identify, named as object))).code).toBe("unknown_field");
  const Items = JSON.stringify([{ Kind: "purchase", ReceiptNumber: shop.newNumber(), SoldAt: clock.now, ...sale }]);
  const { Outcomes } = await shop.call(calls.postBatch, { Items, SentAt: clock.now.toISOString() });
  expect(Outcomes).toMatchObject([{ Status: 400, Problem: { code: "unknown_field" } }]);
});

test("a web shop holds a voucher for 72 hours and renews it; a boutique for 15 minutes", async () => {
  const [shop, boutique] = [await openWebShop(), await openShop()];
  const member = await addMember();
  const VoucherCodes = await member.obtain();
  const hold = (HoldMinutes: number) =>
    shop.call(calls.holdVouchers, { VoucherCodes, ReceiptNumber: "#1001", HoldMinutes: String(HoldMinutes) });
  expect((await hold(72 * 60)).Holds).toMatchObject([{ Until: inMinutes(72 * 60).toISOString() }]);
  clock.now = inMinutes(71 * 60);
  expect((await hold(72 * 60)).Holds).toMatchObject([{ Until: inMinutes(72 * 60).toISOString() }]);
  expect((await problemOf(hold(72 * 60 + 1)))?.errors).toMatchObject([{ field: "HoldMinutes" }]);
  const long = { VoucherCodes, ReceiptNumber: "T-1", HoldMinutes: "16" };
  expect((await problemOf(boutique.call(calls.holdVouchers, long)))?.errors).toMatchObject([{ field: "HoldMinutes" }]);
});

test("a long hold is not renewed once its owner has a debt: the voucher is cancelled when it ends", async () => {
  const shop = await openWebShop();
  const member = await addMember();
  await shop.sell({ ReceiptNumber: "#2001", CardNumber: member.card, Amount: "300.00", ...EUR });
  clock.now = inMinutes(20 * 24 * 60);
  const spent = await member.obtain();
  await shop.sell({ CardNumber: member.card, Amount: "10.00", VoucherCodes: spent, ...EUR });
  const VoucherCodes = await member.obtain();
  const hold = () => shop.call(calls.holdVouchers, { VoucherCodes, Reference: "cart-7", HoldMinutes: "4320" });
  const [held] = (await hold()).Holds;
  expect((await shop.takeBack("#2001", undefined, EUR)).Points.Debt).toBeGreaterThan(0);
  clock.now = inMinutes(60);
  expect((await hold()).Holds).toEqual([held]);
  clock.now = inMinutes(72 * 60);
  expect((await refusalOf(hold())).code).toBe("voucher_cancelled");
  await expectInvariants(database);
});

test("a voucher held for a basket is used by the purchase that names it, and by no other; releasing says how many", async () => {
  const shop = await openWebShop();
  const member = await addMember(250);
  const [code, other] = [await member.obtain(), await member.obtain()];
  const hold = { VoucherCodes: `${code},${other}`, Reference: "cart-42", HoldMinutes: "4320" };
  await shop.call(calls.holdVouchers, hold);
  const sale = { CardNumber: member.card, Amount: "60.00", VoucherCodes: `${other},${code}`, ...EUR };
  expect(await problemOf(shop.sell(sale))).toMatchObject({ code: "voucher_held", Retry: "after", VoucherCode: other });
  const wrong = { VoucherCodes: other, Reference: "cart-43" };
  expect(await shop.call(calls.releaseVouchers, wrong)).toEqual({ Released: 0 });
  expect(await shop.call(calls.releaseVouchers, { ...wrong, Reference: "cart-42" })).toEqual({ Released: 1 });
  const bought = await shop.sell({ ...sale, VoucherCodes: code, Reference: "cart-42" });
  expect(bought).toMatchObject({ VoucherTotal: "10.00", Vouchers: [{ Code: code }] });
  const both = { VoucherCodes: other, Reference: "cart-42", ReceiptNumber: "T-1" };
  expect((await problemOf(shop.call(calls.holdVouchers, both)))?.errors).toMatchObject([{ field: "Reference" }]);
});

test("a paid order whose voucher was lost is recorded at the price that was paid, and reported", async () => {
  const shop = await openWebShop();
  const member = await addMember(250);
  const [lost, kept] = [await member.obtain(), await member.obtain()];
  await shop.sell({ CardNumber: member.card, Amount: "20.00", VoucherCodes: lost, ...EUR });
  const order = { ReceiptNumber: "#3001", CardNumber: member.card, VoucherCodes: `${lost},${kept}`, ...EUR };
  const Lines = [
    { Line: "1", Amount: "70.01" },
    { Line: "2", Amount: "29.99" },
  ];
  expect(await problemOf(shop.sell({ ...order, Lines }))).toMatchObject({ code: "voucher_used", Retry: "changed" });
  const accepted = () => shop.sell({ ...order, Lines, OnVoucherLost: "accept" });
  const sold = await accepted();
  expect(sold).toMatchObject({
    ...{ VoucherTotal: "10.00", Vouchers: [{ Code: kept }], Points: { Earned: 80 } },
    LostVouchers: [{ Value: "10.00", Taken: "10.00", Reason: "voucher_used" }],
  });
  expect(sold.Lines.reduce((sum, { Paid }) => sum + centsOf(Paid), 0)).toBe(80_00);
  expect(sold.LostVouchers?.[0]?.Code).not.toBe(lost);
  expect(await accepted()).toEqual(sold);
  const Day = clock.now.toISOString().slice(0, 10);
  const { LostVouchers } = await shop.call(calls.readReport, { Day });
  expect(LostVouchers).toEqual([{ ReceiptNumber: "#3001", Taken: "10.00", Reason: "voucher_used" }]);
  const back = await shop.takeBack("#3001", undefined, EUR);
  expect(back.ReissuedVouchers).toHaveLength(1);
  expect(back.Refunds.reduce((sum, { Amount }) => sum + centsOf(Amount), 0)).toBe(80_00);
  const unknown = { ...order, ReceiptNumber: "#3002", VoucherCodes: "ZZZZZZZZZZZZ", Amount: "20.00" };
  expect((await refusalOf(shop.sell({ ...unknown, OnVoucherLost: "accept" }))).code).toBe("voucher_unknown");
  await expectInvariants(database);
});

test("a web shop names the currency of the club; a key of the first version may leave it out", async () => {
  const [shop, old] = [await openWebShop(), await openShop()];
  expect((await problemOf(shop.sell({ Amount: "20.00" })))?.errors).toMatchObject([
    { field: "Currency", code: "required" },
  ]);
  for (const key of [shop, old])
    expect(await problemOf(key.sell({ Amount: "20.00", Currency: "USD" }))).toMatchObject({
      ...{ status: 409, code: "currency_mismatch", Retry: "changed" },
    });
  expect((await old.sell({ Amount: "20.00" })).ClaimCode).toBeDefined();
});

test("a return of an unknown receipt is a mistake of a web shop, unless it says that it may arrive early", async () => {
  const shop = await openWebShop();
  expect(await refusalOf(shop.takeBack("#4001", undefined, EUR))).toMatchObject({
    status: 404,
    code: "receipt_not_found",
  });
  expect(await shop.takeBack("#4001", undefined, { MayArriveEarly: true, ...EUR })).toMatchObject({ Waiting: true });
});

test("a web shop's sale may be dated five minutes ahead, not more; a pre-order is as old as its dispatch", async () => {
  const shop = await openWebShop();
  const member = await addMember();
  const sale = { CardNumber: member.card, Amount: "20.00", ...EUR };
  expect((await shop.sell({ ...sale, SoldAt: inMinutes(5).toISOString() })).Points.Earned).toBe(20);
  const ahead = shop.sell({ ...sale, SoldAt: inMinutes(6).toISOString() });
  expect((await problemOf(ahead))?.errors).toMatchObject([{ field: "SoldAt", code: "in_future" }]);
  const ordered = { ...sale, SoldAt: new Date(clock.now.getTime() - 60 * dayMs).toISOString() };
  expect(await problemOf(shop.sell(ordered))).toMatchObject({ code: "too_old", Retry: "never" });
  const sold = await shop.sell({ ...ordered, DispatchedAt: clock.now.toISOString() });
  expect(sold.Points).toMatchObject({ Earned: 20 });
  const before = { ...ordered, DispatchedAt: new Date(clock.now.getTime() - 61 * dayMs).toISOString() };
  expect((await problemOf(shop.sell(before)))?.errors).toMatchObject([{ field: "DispatchedAt" }]);
});

test("a refund of a sum is spread over what is left, and one or two cents too many are not refused", async () => {
  const shop = await openWebShop();
  const member = await addMember();
  const Lines = [
    { Line: "1", Amount: "33.33" },
    { Line: "2", Amount: "33.33" },
    { Line: "3", Amount: "0.01" },
  ];
  await shop.sell({ ReceiptNumber: "#5001", CardNumber: member.card, Lines, ...EUR });
  const refunded = async (more: object) => (await shop.takeBack("#5001", undefined, { ...more, ...EUR })).Refunds;
  expect((await problemOf(refunded({ Amount: "10.01" })))?.errors).toMatchObject([{ field: "Amount" }]);
  expect(await refunded({ Amount: "10.01", Spread: true })).toEqual([
    { Line: "1", Amount: "5.01" },
    { Line: "2", Amount: "5.00" },
  ]);
  const line = (Amount: string) => shop.takeBack("#5001", [{ Line: "1", Amount }], EUR);
  expect(await problemOf(line("28.35"))).toMatchObject({ code: "more_than_bought" });
  expect((await line("28.34")).Refunds).toEqual([{ Line: "1", Amount: "28.32" }]);
  expect(await problemOf(line("0.01"))).toMatchObject({ code: "more_than_bought" });
  const rest = await refunded({ Amount: "28.36", Spread: true });
  expect(rest.reduce((sum, { Amount }) => sum + centsOf(Amount), 0)).toBe(28_34);
  await expectInvariants(database);
});

test("lists may be JSON in a JSON body; a name twice inside of it is refused", async () => {
  const shop = await openWebShop();
  const member = await addMember();
  const send = (body: string) =>
    fetch("/api/shop/purchase", {
      method: "POST",
      headers: { authorization: `Bearer ${shop.key}`, "content-type": "application/json" },
      body,
    });
  const sale = { ReceiptNumber: "#6001", SoldAt: clock.now, SentAt: clock.now, CardNumber: member.card, ...EUR };
  const Lines = [{ Line: "1", Amount: "89.90" }];
  const sold = await send(JSON.stringify({ ...sale, Lines }));
  expect(await sold.json()).toMatchObject({ Lines: [{ Line: "1", Paid: "89.90" }] });
  const asText = await shop.sell({ ReceiptNumber: "#6001", CardNumber: member.card, Lines, ...EUR });
  expect(asText.Points.Earned).toBe(89);
  const twice = JSON.stringify({ ...sale, ReceiptNumber: "#6002", Lines }).replace(
    '"Amount"',
    '"Amount":"1.00","Amount"',
  );
  expect(await (await send(twice)).json()).toMatchObject({ errors: [{ field: "Lines", code: "twice" }] });
  const deep = `{"ReceiptNumber":"#6003","Lines":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  expect((await send(deep)).status).toBe(400);
});

test("a sale whose points wait says how many and why", async () => {
  const shop = await openWebShop();
  const member = await addMember();
  const large = { CardNumber: member.card, Amount: "3000.01", ...EUR };
  const why = { Waiting: true, WaitingPoints: 3000, WaitingReason: "large_sale" };
  expect(await shop.call(calls.quote, large)).toMatchObject(why);
  expect(await shop.sell(large)).toMatchObject(why);
});

test("receipt numbers have up to 64 characters, with #", async () => {
  const shop = await openWebShop();
  const ReceiptNumber = `#${"1".repeat(63)}`;
  expect((await shop.sell({ ReceiptNumber, Amount: "20.00", ...EUR })).ClaimCode).toBeDefined();
  expect((await shop.takeBack(ReceiptNumber, undefined, EUR)).Refunds).toEqual([{ Line: "1", Amount: "20.00" }]);
  expect((await refusalOf(shop.sell({ ReceiptNumber: `${ReceiptNumber}1`, Amount: "20.00", ...EUR }))).status).toBe(
    400,
  );
});

test("every 409 that a call of a shop declares says whether repeating can help", () => {
  const declared = Object.values(salesContract)
    .filter(({ access }) => access !== "customer")
    .flatMap(({ refusals: codes }): readonly RefusalCode[] => codes);
  const silent = declared.filter((code) => refusals[code] === 409 && !(code in retries));
  expect(silent).toEqual([]);
});

test("the shares of a voucher add up in whatever way a shop rounds its own", async () => {
  const shop = await openWebShop();
  const member = await addMember(250);
  const VoucherCodes = await member.obtain();
  const cents = [10_01, 20_02, 30_03];
  const Lines = cents.map((one, n) => ({ Line: String(n + 1), Amount: amountOf(one) }));
  await shop.sell({ ReceiptNumber: "#7001", CardNumber: member.card, Lines, VoucherCodes, ...EUR });
  const total = cents.reduce((sum, one) => sum + one, 0);
  // As many shops do: each share rounded by itself.
  for (const [n, one] of cents.entries()) {
    const Amount = amountOf(one - Math.floor((1_000 * one) / total));
    await shop.takeBack("#7001", [{ Line: String(n + 1), Amount }], EUR);
  }
  await expectInvariants(database);
});
