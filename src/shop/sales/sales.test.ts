import { beforeEach, expect, test } from "vitest";
import { claimReceipt, listCustomerRewards, readHistory, readLoyalty } from "#loyalty/calls.ts";
import * as calls from "#shop/calls.ts";
import { hasBoughtSince } from "#shop/privacy.server.ts";
import { expectInvariants, refusalOf } from "#testing/club.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addCustomer, addMember, addTill, clock, database, openShop } = await openTestShop();
const start = clock.now;
beforeEach(() => {
  clock.now = start;
});
const today = () => clock.now.toLocaleDateString("sv-SE", { timeZone: "Europe/Paris" });
const days = (count: number) => count * 24 * 3_600_000;
const later = (milliseconds: number) => new Date(clock.now.getTime() + milliseconds);

const dress = { Line: "1", Amount: "89.90" };
const scarf = { Line: "2", Amount: "39.95" };
const giftCard = { Line: "3", Amount: "50.00", Earns: false };

test("a voucher lowers the lines that earn, cent by cent, and points are earned on what was paid", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const code = await member.obtain();
  const { Available: before } = await member.points();
  const sold = await till.sell({ CardNumber: member.card, Lines: [dress, scarf, giftCard], VoucherCodes: code });
  expect(sold).toEqual({
    Points: { Earned: 149, Available: before + 149, Debt: 0 },
    Vouchers: [{ Code: code, Value: "10.00", Taken: "10.00" }],
    Lines: [
      { Line: "1", Paid: "82.98", VoucherShare: "6.92" },
      { Line: "2", Paid: "36.87", VoucherShare: "3.08" },
      { Line: "3", Paid: "50.00", VoucherShare: "0.00" },
    ],
    Tier: { IdLoyaltyTier: 2, Name: "Soie", Multiplier: 1.25 },
  });
  const [entry] = (await member.call(readHistory)).Entries;
  expect(entry).toMatchObject({ Kind: "purchase", Points: 149 });
  expect(entry?.Label).toMatch(/^Achat de 169,85\s€, Cercle Marais$/);
  const [used] = (await member.call(listCustomerRewards)).CustomerRewards;
  expect(used).toMatchObject({ Code: code, LoyaltyRewardState: "used", UsedAt: clock.now.toISOString() });
});

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
    expect(reissued).toEqual([
      { Code: expect.not.stringContaining(code), Value: "10.00", ExpiresAt: expect.anything() },
    ]);
    expect(await member.points()).toMatchObject({ Available: before - 149, EarnedLast12Months: earned - 149, Debt: 0 });
    const { CustomerRewards } = await member.call(listCustomerRewards, { LoyaltyRewardState: "available" });
    expect(CustomerRewards).toHaveLength(1);
  }
});

test("points are rounded down once for a receipt, never line by line", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const Lines = ["1", "2", "3"].map((Line) => ({ Line, Amount: "9.99" }));
  expect((await till.sell({ CardNumber: member.card, Lines })).Points.Earned).toBe(37);
});

test("what a return takes back and the balance does not have is owed, and the next points settle it", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  // 1250 points: five vouchers leave none; then 120, and the sale's 149.
  for (let n = 0; n < 5; n += 1) await member.obtain();
  await till.sell({ CardNumber: member.card, Amount: "96.00" });
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [{ Line: "1", Amount: "119.85" }] });
  expect((await member.points()).Available).toBe(269);
  await member.obtain();
  const { EarnedLast12Months: earned } = await member.points();
  const back = await till.takeBack(ReceiptNumber);
  expect(back.Points).toEqual({ Taken: 19, Available: 0, Debt: 130 });
  expect(await member.points()).toMatchObject({ Available: 0, Debt: 130, EarnedLast12Months: earned - 149 });
  const next = await till.sell({ CardNumber: member.card, Amount: "128.00" });
  expect(next.Points).toEqual({ Earned: 160, Available: 30, Debt: 0 });
  const { Entries } = await member.call(readHistory);
  expect(Entries.slice(0, 2)).toMatchObject([
    { Kind: "settle", Points: -130, Balance: 30 },
    { Kind: "purchase", Points: 160, Balance: 160 },
  ]);
});

test("an exchange credits first and then takes back, so that no debt appears for a moment", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const code = await member.obtain();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [dress, scarf, giftCard], VoucherCodes: code });
  const { Available: before } = await member.points();
  const exchange = {
    ReceiptNumber: till.newNumber(),
    CardNumber: member.card,
    Lines: [{ Line: "1", Amount: "45.00" }],
    ReturnOf: { OriginalReceiptNumber: ReceiptNumber, Lines: [{ Line: "2" }] },
    SoldAt: clock.now.toISOString(),
  };
  const sold = await till.sell(exchange);
  expect(sold.Points).toEqual({ Earned: 56, Taken: 46, Available: before + 10, Debt: 0 });
  expect(sold.Refunds).toEqual([{ Line: "2", Amount: "36.87" }]);
  expect(await till.sell(exchange)).toEqual(sold);
  const { Entries } = await member.call(readHistory);
  expect(Entries.slice(0, 2)).toMatchObject([
    { Kind: "return", Points: -46 },
    { Kind: "purchase", Points: 56 },
  ]);
});

test("of two tills that hold one voucher at once, one does; the other is told how long to wait", async () => {
  const till = await openShop();
  const second = await addTill(till.shopId);
  const member = await addMember();
  const VoucherCodes = await member.obtain();
  const held = await Promise.allSettled([
    till.call(calls.holdVouchers, { VoucherCodes, ReceiptNumber: till.newNumber() }),
    second.call(calls.holdVouchers, { VoucherCodes, ReceiptNumber: till.newNumber() }),
  ]);
  expect(held.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const lost = held.find((one) => one.status === "rejected");
  expect(lost?.reason.problem).toMatchObject({ code: "voucher_held", retryAfter: 900 });
  const [shown] = (await member.call(listCustomerRewards)).CustomerRewards;
  expect(shown).toMatchObject({ LoyaltyRewardState: "available", HeldUntil: later(15 * 60_000).toISOString() });
});

test("fifty equal purchases at once have one effect and one answer", async () => {
  const till = await openShop();
  const member = await addMember();
  const purchase = { ReceiptNumber: till.newNumber(), CardNumber: member.card, Amount: "40.00" };
  const answers = await Promise.all(Array.from({ length: 50 }, () => till.sell(purchase)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect((await member.points()).Available).toBe(290);
});

test("a receipt number sent again with other content is refused, by whatever it differs", async () => {
  const till = await openShop();
  const member = await addMember();
  const purchase = { ReceiptNumber: till.newNumber(), CardNumber: member.card, Amount: "40.00" };
  await till.sell(purchase);
  for (const other of [{ Amount: "40.01" }, { CardNumber: "2900000000001" }, { SoldAt: later(-1_000).toISOString() }])
    expect(await refusalOf(till.sell({ ...purchase, ...other }))).toMatchObject({ status: 409, code: "receipt_known" });
  expect(await refusalOf(till.takeBack("x", undefined, { ReceiptNumber: purchase.ReceiptNumber }))).toMatchObject({
    code: "receipt_known",
  });
  // A later SentAt is a retry, not another content.
  expect((await till.sell({ ...purchase, SentAt: later(60_000).toISOString() })).Points.Earned).toBe(40);
  const other = await openShop("Cercle Lyon");
  expect((await other.sell(purchase)).Points.Earned).toBe(40);
});

test("twenty tills on one voucher: one sale has it, nineteen are refused and leave nothing", async () => {
  const till = await openShop();
  const member = await addMember();
  const VoucherCodes = await member.obtain();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => till.sell({ CardNumber: member.card, Amount: "30.00", VoucherCodes })),
  );
  const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason.problem?.code] : []));
  expect(refused).toEqual(Array(19).fill("voucher_used"));
  expect((await member.points()).Available).toBe(20);
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
    ...{ Points: { Taken: 0, Available: 0, Debt: 0 }, Refunds: [], ReissuedVouchers: [], Waiting: true },
  });
  expect((await till.sell(sale)).Points).toEqual({ Earned: 40, Available: 275, Debt: 0 });
  expect((await till.call(calls.postReturn, back)).Points).toEqual({ Taken: 15, Available: 275, Debt: 0 });
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

test("two days offline, then a batch of a hundred with duplicates: each sale and return counts once", async () => {
  const till = await openShop();
  const members = [await addMember(), await addMember()];
  const SoldAt = later(-days(2)).toISOString();
  const items = Array.from({ length: 10 }, (_, n) => [
    { Kind: "purchase", ReceiptNumber: `B-${n}`, SoldAt, CardNumber: members[n % 2]?.card, Amount: "10.00" },
    {
      Kind: "return",
      ReceiptNumber: `R-${n}`,
      OriginalReceiptNumber: `B-${n}`,
      Lines: [{ Line: "1", Amount: "4.00" }],
    },
  ]).flat();
  const Items = JSON.stringify([...items, ...items, ...items, ...items, ...items]);
  const { Outcomes } = await till.call(calls.postBatch, { Items, SentAt: clock.now.toISOString() });
  expect(Outcomes).toHaveLength(100);
  expect(Outcomes.filter(({ Status }) => Status !== 200)).toEqual([]);
  for (const member of members) expect((await member.points()).Available).toBe(250 + 5 * 6);
  const wrong = JSON.stringify([{ Kind: "purchase" }, { Kind: "gift" }, { Kind: "purchase", ...items[0] }]);
  const mixed = await till.call(calls.postBatch, { Items: wrong, SentAt: clock.now.toISOString() });
  expect(mixed.Outcomes.map(({ Status }) => Status)).toEqual([400, 400, 200]);
  for (const bad of ["{}", "[]", "no", JSON.stringify(Array(101).fill(items[0]))])
    expect((await refusalOf(till.call(calls.postBatch, { Items: bad, SentAt: clock.now.toISOString() }))).status).toBe(
      400,
    );
});

test("more than is left of a sale is refused; a line that a voucher paid gives back 0.00, once", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  const VoucherCodes = await member.obtain();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [{ Line: "1", Amount: "10.00" }], VoucherCodes });
  for (const lines of [[{ Line: "2" }], [{ Line: "1", Amount: "0.01" }]])
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
  expect(voided.Points).toEqual({ Taken: 40, Available: 250, Debt: 0 });
  expect(await till.call(calls.voidSale, { ReceiptNumber })).toEqual(voided);
  expect(await refusalOf(till.takeBack(ReceiptNumber))).toMatchObject({ code: "more_than_bought" });
  const yesterday = till.newNumber();
  await till.sell({ ReceiptNumber: yesterday, Amount: "5.00", SoldAt: later(-days(1)).toISOString() });
  expect(await refusalOf(till.call(calls.voidSale, { ReceiptNumber: yesterday }))).toMatchObject({
    code: "not_same_day",
  });
  expect(await refusalOf(till.call(calls.voidSale, { ReceiptNumber: "none" }))).toMatchObject({ status: 404 });
});

test("the till's clock is corrected, a time in the future becomes now, and more than 45 days back is too old", async () => {
  const till = await openShop();
  const member = await addMember();
  // An hour slow: what it sold "two hours ago" was sold an hour ago.
  await till.sell({
    CardNumber: member.card,
    Amount: "10.00",
    SoldAt: later(-2 * 3_600_000).toISOString(),
    SentAt: later(-3_600_000).toISOString(),
  });
  const [entry] = (await member.call(readHistory)).Entries;
  expect(entry?.Date).toBe(later(-3_600_000).toISOString());
  await till.sell({
    ReceiptNumber: "F-1",
    CardNumber: member.card,
    Amount: "10.00",
    SoldAt: later(days(3)).toISOString(),
  });
  const report = await till.call(calls.readReport, { Day: today() });
  expect(report.Conflicts).toContainEqual({
    ...{ ReceiptNumber: "F-1", Reason: "clock_in_future", OriginalReceiptNumber: null },
  });
  const old = till.sell({ Amount: "10.00", SoldAt: later(-days(46)).toISOString() });
  expect(await refusalOf(old)).toMatchObject({ status: 409, code: "too_old" });
});

test("the sixth purchase of a card in a day is kept, and its points wait for a person", async () => {
  const till = await openShop();
  const member = await addMember();
  for (let n = 0; n < 5; n += 1) await till.sell({ CardNumber: member.card, Amount: "10.00" });
  const sixth = await till.sell({ ReceiptNumber: "S-6", CardNumber: member.card, Amount: "10.00" });
  expect(sixth).toMatchObject({ Waiting: true, Points: { Earned: 0, Available: 300 } });
  const report = await till.call(calls.readReport, { Day: today() });
  expect(report.Conflicts).toContainEqual({
    ...{ ReceiptNumber: "S-6", Reason: "points_waiting", OriginalReceiptNumber: null },
  });
});

test("a sale that names nobody, or nobody who is a member, is kept and can be claimed once", async () => {
  const till = await openShop();
  const unnamed = await till.sell({ ReceiptNumber: "N-1", Amount: "40.00" });
  expect(unnamed).toMatchObject({ Points: { Earned: 0 }, ClaimCode: expect.stringMatching(/^A[2-9B-Z]{11}$/) });
  const unknown = await till.sell({ CardNumber: "2900000000001", Amount: "12.00" });
  expect(unknown).toMatchObject({ Customer: "unknown", ClaimCode: expect.any(String) });
  // Before joining, at the lowest tier.
  clock.now = later(days(3));
  const member = await addMember();
  await till.takeBack("N-1", undefined, { Amount: "10.00" });
  const ClaimCode = unnamed.ClaimCode ?? "";
  const claimed = await member.call(claimReceipt, { ClaimCode });
  expect(claimed.Points).toEqual({ Earned: 30, Available: 280, Debt: 0 });
  expect(await refusalOf(member.call(claimReceipt, { ClaimCode }))).toMatchObject({ status: 404 });
  // The till's answer stays as it was, and a return takes from who claimed.
  const again = { ReceiptNumber: "N-1", Amount: "40.00", SoldAt: later(-days(3)).toISOString() };
  expect(await till.sell(again)).toEqual(unnamed);
  // Also when a sixth purchase of the day makes the claimed points wait.
  for (let n = 0; n < 5; n += 1) await till.sell({ CardNumber: member.card, Amount: "1.00" });
  const late = await till.sell({ ReceiptNumber: "N-2", Amount: "40.00" });
  expect(await member.call(claimReceipt, { ClaimCode: late.ClaimCode ?? "" })).toMatchObject({ Waiting: true });
  expect(await till.sell({ ReceiptNumber: "N-2", Amount: "40.00" })).toEqual(late);
  expect((await till.takeBack("N-1")).Points).toEqual({ Taken: 30, Available: 255, Debt: 0 });
  const stranger = await addCustomer();
  const { ClaimCode: other = "" } = unknown;
  expect(await refusalOf(stranger.call(claimReceipt, { ClaimCode: other }))).toMatchObject({
    code: "not_a_member",
  });
});

test("a receipt is claimed by what it says; after ten wrong tries it is closed", async () => {
  const till = await openShop();
  const member = await addMember();
  await till.sell({ ReceiptNumber: "D-1", Amount: "40.00" });
  await till.sell({ ReceiptNumber: "D-2", Amount: "40.00" });
  const Day = today();
  const claim = { IdShop: String(till.shopId), ReceiptNumber: "D-1", Day, Amount: "40.00" };
  expect((await member.call(claimReceipt, claim)).Points.Earned).toBe(40);
  for (let n = 0; n < 10; n += 1)
    await refusalOf(member.call(claimReceipt, { ...claim, ReceiptNumber: "D-2", Amount: "41.00" }));
  expect(await refusalOf(member.call(claimReceipt, { ...claim, ReceiptNumber: "D-2" }))).toMatchObject({
    status: 404,
  });
});

test("each reason why a voucher cannot be used has its refusal; a quote says it and writes nothing", async () => {
  const till = await openShop();
  const [member, other] = [await addMember(), await addMember(250)];
  const [code, otherCode, spent] = [await member.obtain(), await other.obtain(), await other.obtain()];
  await till.sell({ CardNumber: other.card, Amount: "20.00", VoucherCodes: spent });
  const basket = { CardNumber: member.card, Amount: "20.00" };
  const reasons: [string, string, object][] = [
    ["voucher_unknown", "ZZZZZZZZZZZZ", {}],
    ["voucher_of_another", otherCode, {}],
    ["voucher_used", spent, { CardNumber: other.card }],
    ["basket_too_small", code, { Amount: "9.99" }],
  ];
  for (const [reason, VoucherCodes, more] of reasons) {
    expect(await refusalOf(till.sell({ ...basket, ...more, VoucherCodes }))).toMatchObject({
      status: 409,
      code: reason,
    });
    const quoted = await till.call(calls.quote, { ...basket, ...more, VoucherCodes });
    expect(quoted.Vouchers).toMatchObject([{ Code: VoucherCodes, Taken: "0.00", Reason: reason }]);
  }
  const quoted = await till.call(calls.quote, { ...basket, VoucherCodes: code });
  expect(quoted).toMatchObject({ Points: { Earned: 10 }, Vouchers: [{ Taken: "10.00", Reason: null }] });
  expect(await till.call(calls.quote, { ...basket, VoucherCodes: code })).toEqual(quoted);
  // Held before its end, it is used after it.
  await till.call(calls.holdVouchers, { VoucherCodes: code, ReceiptNumber: "H-1" });
  const held = { ...basket, VoucherCodes: code };
  expect((await till.call(calls.quote, held)).Vouchers).toMatchObject([{ Reason: "voucher_held" }]);
  expect(await till.call(calls.quote, { ...held, ReceiptNumber: "H-1" })).toEqual(quoted);
  const { CustomerRewards } = await member.call(listCustomerRewards);
  clock.now = new Date(new Date(CustomerRewards[0]?.ExpiresAt ?? "").getTime() + 60_000);
  const expired = await refusalOf(till.sell({ ...basket, VoucherCodes: code }));
  expect(expired).toMatchObject({ code: "voucher_expired" });
  const late = await till.sell({ ...basket, ReceiptNumber: "H-1", VoucherCodes: code });
  expect(late.Vouchers).toMatchObject([{ Taken: "10.00" }]);
});

test("no customer named: the sale is the voucher's owner's; only the holder releases", async () => {
  const till = await openShop();
  const member = await addMember();
  const VoucherCodes = await member.obtain();
  const second = await openShop("Cercle Lyon");
  await till.call(calls.holdVouchers, { VoucherCodes, ReceiptNumber: "O-1" });
  await second.call(calls.releaseVouchers, { VoucherCodes, ReceiptNumber: "O-1" });
  expect(await refusalOf(second.sell({ Amount: "30.00", VoucherCodes }))).toMatchObject({ code: "voucher_held" });
  await till.call(calls.releaseVouchers, { VoucherCodes, ReceiptNumber: "O-1" });
  await till.call(calls.releaseVouchers, { VoucherCodes, ReceiptNumber: "O-1" });
  const sold = await second.sell({ Amount: "30.00", VoucherCodes });
  expect(sold).toMatchObject({ Points: { Earned: 20, Available: 20 }, Vouchers: [{ Code: VoucherCodes }] });
});

test("who has left is clawed back all the same; who was erased owes nothing", async () => {
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

test("a purchase counts as a visit, also one that earned nothing", async () => {
  const till = await openShop();
  const member = await addMember();
  const Lines = [{ Line: "1", Amount: "50.00", Earns: false }];
  expect(await hasBoughtSince(database, member.id, later(-days(1)))).toBe(false);
  await till.sell({ CardNumber: member.card, Lines });
  expect(await hasBoughtSince(database, member.id, later(-days(1)))).toBe(true);
  expect(await hasBoughtSince(database, member.id, later(days(1)))).toBe(false);
});

test("a customer's day and the till's totals agree, or the difference is told", async () => {
  const till = await openShop();
  const member = await addMember();
  const VoucherCodes = await member.obtain();
  const ReceiptNumber = till.newNumber();
  const Day = today();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: [dress, scarf], VoucherCodes });
  await till.takeBack(ReceiptNumber, [{ Line: "2" }]);
  const totals = { Day, Count: "1", Amount: "119.85", VoucherAmount: "10.00", ReturnCount: "1", ReturnAmount: "36.87" };
  expect(await till.call(calls.closeDay, totals)).toEqual({ Differences: [] });
  clock.now = later(1_000);
  await till.sell({ ReceiptNumber: "late", Amount: "1.00" });
  expect(await till.call(calls.closeDay, { ...totals, Amount: "100.00" })).toEqual({
    Differences: [
      { Total: "Count", Till: "1", Cercle: "2" },
      { Total: "Amount", Till: "100.00", Cercle: "120.85" },
    ],
  });
  expect(await till.call(calls.readReport, { Day })).toMatchObject({
    Sales: { Count: 2, Amount: "120.85" },
    Returns: { Count: 1, Amount: "36.87" },
    Vouchers: { Count: 1, Amount: "10.00" },
  });
  expect((await member.call(readLoyalty)).Tier?.Multiplier).toBe(1);
});

test("sales that wait leave connections to look-ups: shops sell in turn, a few at once", async () => {
  const [busy, other] = [await openShop(), await openShop("Cercle Lyon")];
  const member = await addMember();
  const lock = await database.$client.connect();
  try {
    await lock.query("begin");
    await lock.query("select 1 from customer where id = $1 for update", [member.id]);
    // More than there are connections.
    const waiting = Array.from({ length: 12 }, () => busy.sell({ CardNumber: member.card, Amount: "10.00" }));
    expect((await other.call(calls.identify, { CardNumber: member.card })).Customers).toHaveLength(1);
    await lock.query("rollback");
    expect(await Promise.all(waiting)).toHaveLength(12);
  } finally {
    lock.release();
  }
});

test("a day of the year 0, which PostgreSQL does not know, is refused", async () => {
  const till = await openShop();
  expect(await refusalOf(till.call(calls.readReport, { Day: "0000-01-01" }))).toMatchObject({ status: 400 });
});
