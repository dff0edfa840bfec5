import { beforeAll, expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import * as calls from "#shop/calls.ts";
import { addStaff } from "#staff/staff.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, clock, database, emails, openShop, product } = await openTestShop();
const full = { Line: "1", Amount: "60.00" };
const sale = { Line: "2", Amount: "40.00", PriceType: "sale" as const };
const later = (days: number) => new Date(clock.now.getTime() + days * 24 * 3_600_000);

beforeAll(() =>
  publishNow(
    database,
    ({ rewards }) => ({
      earnsOn: { priceTypes: ["full"], noCode: ["archive"] },
      rewards: rewards.map((reward) => (reward.id === 1 ? { ...reward, usableOn: { priceTypes: ["full"] } } : reward)),
    }),
    { now: clock.now },
  ),
);

test("full price earns: what is on sale brings nothing, and its return takes nothing", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const ReceiptNumber = till.newNumber();
  const goods = { CardNumber: member.card, Lines: JSON.stringify([full, sale]) };
  expect((await till.call(calls.quote, goods)).Points.Earned).toBe(75);
  expect((await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [full, sale] })).Points.Earned).toBe(75);
  // What a later version says about lines changes no sale that was made.
  const changed = { now: clock.now, startsAt: later(1) };
  await publishNow(database, { earnsOn: { priceTypes: ["sale"] } }, changed);
  clock.now = later(2);
  await publishNow(database, { earnsOn: { priceTypes: ["full"], noCode: ["archive"] } }, { now: clock.now });
  expect((await till.takeBack(ReceiptNumber, [{ Line: "2" }])).Points.Taken).toBe(0);
  expect((await till.takeBack(ReceiptNumber, [{ Line: "1" }])).Points.Taken).toBe(75);
});

test("a voucher for full-price items takes its value from them alone, and comes back with them", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const code = await member.obtain();
  const ReceiptNumber = till.newNumber();
  const sold = await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [full, sale], VoucherCodes: code });
  expect(sold.Lines).toEqual([
    { Line: "1", Paid: "50.00", VoucherShare: "10.00" },
    { Line: "2", Paid: "40.00", VoucherShare: "0.00" },
  ]);
  expect(sold.Points.Earned).toBe(62);
  expect((await till.takeBack(ReceiptNumber, [{ Line: "2" }])).ReissuedVouchers).toEqual([]);
  expect((await till.takeBack(ReceiptNumber, [{ Line: "1" }])).ReissuedVouchers).toMatchObject([{ Value: "10.00" }]);
});

test("which lines earn does not limit vouchers: an item from the archive earns nothing and is paid with one", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const Lines = [{ Line: "1", Amount: "60.00", Codes: ["archive"] }];
  const sold = await till.sell({ CardNumber: member.card, Lines, VoucherCodes: await member.obtain() });
  expect(sold).toMatchObject({ Points: { Earned: 0 }, Lines: [{ Paid: "50.00", VoucherShare: "10.00" }] });
});

test("no voucher pays a gift card: the refusal and the quote name the line and the reason", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const VoucherCodes = await member.obtain();
  const giftCard = { Line: "3", Amount: "50.00", PriceType: "giftcard" as const };
  await expect(till.sell({ CardNumber: member.card, Lines: [giftCard], VoucherCodes })).rejects.toMatchObject({
    problem: {
      ...{ code: "basket_too_small", VoucherCode: VoucherCodes },
      Lines: [{ Line: "3", Reason: "gift_card" }],
    },
  });
  const Lines = JSON.stringify([giftCard, sale, { Line: "4", Amount: "9.00", Earns: false }]);
  const { Vouchers, Points } = await till.call(calls.quote, { CardNumber: member.card, Lines, VoucherCodes });
  expect(Points.Earned).toBe(0);
  expect(Vouchers[0]?.Lines).toEqual([
    { Line: "3", Reason: "gift_card" },
    { Line: "2", Reason: "price_type" },
    { Line: "4", Reason: "no_points" },
  ]);
});

test("price type and codes are part of what identifies a receipt", async () => {
  const till = await openShop();
  const member = await addMember();
  const purchase = { ReceiptNumber: till.newNumber(), CardNumber: member.card, SoldAt: clock.now.toISOString() };
  const sold = await till.sell({ ...purchase, Lines: [{ ...full, PriceType: "full", Codes: ["knitwear"] }] });
  expect(await till.sell({ ...purchase, Lines: [{ ...full, PriceType: "full", Codes: ["knitwear"] }] })).toEqual(sold);
  for (const other of [{}, { PriceType: "full" as const }, { PriceType: "sale" as const, Codes: ["knitwear"] }])
    expect((await refusalOf(till.sell({ ...purchase, Lines: [{ ...full, ...other }] }))).code).toBe("receipt_known");
});

test("a receipt without a customer is claimed by the rule of its day", async () => {
  const till = await openShop();
  const { ClaimCode = "" } = await till.sell({ Lines: [full, sale] });
  await publishNow(database, { earnsOn: null }, { now: clock.now, startsAt: later(1) });
  clock.now = later(2);
  const member = await addMember();
  expect((await member.call(claimReceipt, { ClaimCode })).Points.Earned).toBe(60);
  await publishNow(database, { earnsOn: { priceTypes: ["full"], noCode: ["archive"] } }, { now: clock.now });
});

test("what an amendment adds earns as the sale does, and a line cannot become another", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [full, sale] });
  const amend = (AmendNumber: string, Lines: object[]) =>
    till.call(calls.amendPurchase, { ReceiptNumber, AmendNumber, Lines: JSON.stringify(Lines) });
  expect(await refusalOf(amend("1", [full, { ...sale, PriceType: "full" }]))).toMatchObject({ code: "invalid" });
  const more = [
    { ...full, Amount: "70.00" },
    { Line: "2", Amount: "45.00" },
    { Line: "3", Amount: "8.00", Codes: ["archive"] },
  ];
  expect((await amend("1", more)).Points.Earned).toBe(10);
});

test("tills read what lines may say, and codes that the programme lacks are stored and reported once a day", async () => {
  const till = await openShop("Cercle Lille");
  const owner = "owner@cercle.example";
  await addStaff(database, { email: owner, firstname: "Ada", lastname: "O", role: "owner", shopId: null });
  const catalogue = await till.call(calls.readCatalogue, { LanguageIsoCode: "en" });
  expect(catalogue).toMatchObject({ UsedByRules: true, Codes: [{ Code: "knitwear", Name: "Knitwear" }, {}, {}] });
  expect(catalogue.PriceTypes.map(({ PriceType }) => PriceType)).toContain("outlet");
  const codes = ["knitwear", "tricot"];
  await till.sell({ Lines: [{ ...full, Codes: codes }] });
  expect((await refusalOf(till.sell({ Lines: [{ ...full, Codes: ["Tricot"] }] }))).code).toBe("invalid");
  for (let run = 0; run < 2; run += 1) await product.jobs["shop:unknown-codes"]?.({}, database);
  const sent = (await emails(owner)).filter(({ subject }) => subject?.includes("inconnu"));
  expect(sent).toHaveLength(1);
  expect(sent[0]?.plainText).toContain("tricot, Cercle Lille");
  expect(sent[0]?.plainText).not.toContain("knitwear");
});

test("the invariants hold with rules about lines", () => expectInvariants(database));
