import { beforeEach, expect, test } from "vitest";
import { listCustomerRewards, readHistory, readLoyalty } from "#loyalty/calls.ts";
import * as calls from "#shop/calls.ts";
import { hasBoughtSince } from "#shop/privacy.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, clock, database, openShop } = await openTestShop();
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
    Points: { Earned: 149, Available: before + 149, Pending: 0, NextPending: null, ArrivesAt: null, Debt: 0 },
    Vouchers: [{ Code: code, Value: "10.00", Taken: "10.00" }],
    VoucherTotal: "10.00",
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

test("points are rounded down once for a receipt, never line by line", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const Lines = ["1", "2", "3"].map((Line) => ({ Line, Amount: "9.99" }));
  expect((await till.sell({ CardNumber: member.card, Lines })).Points.Earned).toBe(37);
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
  expect(sold.Points).toMatchObject({ Earned: 56, Taken: 46, Available: before + 10, Debt: 0 });
  expect(sold.Refunds).toEqual([{ Line: "2", Amount: "36.87" }]);
  expect(await till.sell(exchange)).toEqual(sold);
  const { Entries } = await member.call(readHistory);
  expect(Entries.slice(0, 2)).toMatchObject([
    { Kind: "return", Points: -46 },
    { Kind: "purchase", Points: 56 },
  ]);
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
  const wrong = JSON.stringify([{ Kind: "purchase" }, { Kind: "gift" }, null, 7, { Kind: "purchase", ...items[0] }]);
  const mixed = await till.call(calls.postBatch, { Items: wrong, SentAt: clock.now.toISOString() });
  expect(mixed.Outcomes.map(({ Status }) => Status)).toEqual([400, 400, 400, 400, 200]);
  for (const bad of ["{}", "[]", "no", JSON.stringify(Array(101).fill(items[0]))])
    expect((await refusalOf(till.call(calls.postBatch, { Items: bad, SentAt: clock.now.toISOString() }))).status).toBe(
      400,
    );
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

test("the report names what changed a day after it was closed: sales, returns, exchanges and voids", async () => {
  const till = await openShop();
  const Day = today();
  const sell = async (ReceiptNumber: string, more: object = {}) =>
    till.sell({ ReceiptNumber, Amount: "10.00", ...more });
  const takeBack = (original: string, ReceiptNumber: string, more: object = {}) =>
    till.takeBack(original, undefined, { ReceiptNumber, ...more });
  const close = () => till.call(calls.closeDay, { Day, Count: "0", Amount: "0", VoucherAmount: "0" });
  const named = async () => {
    const { ArrivedAfterClose, ReturnsAfterClose } = await till.call(calls.readReport, { Day });
    return [ArrivedAfterClose, ReturnsAfterClose.map(({ ReceiptNumber, Kind }) => `${Kind} ${ReceiptNumber}`)];
  };
  for (const number of ["a", "b", "c", "d"]) await sell(number);
  await takeBack("a", "back-in-time");
  await takeBack("late", "back-waits");
  expect(await named()).toEqual([[], []]);
  clock.now = later(1_000);
  await close();
  const closed = clock.now;
  expect(await named()).toEqual([[], []]);
  clock.now = later(1_000);
  const SoldAt = closed.toISOString();
  await takeBack("b", "back-late", { SoldAt });
  await till.call(calls.voidSale, { ReceiptNumber: "c" });
  await sell("swap", { SoldAt, ReturnOf: { OriginalReceiptNumber: "d" } });
  // Its return came before the day was closed, and takes effect only now.
  await sell("late", { SoldAt });
  expect(await named()).toEqual([
    ["late", "swap"],
    ["return back-late", "return back-waits", "void c", "exchange swap"],
  ]);
  // A day later: another day's.
  clock.now = later(days(1));
  await sell("e");
  await takeBack("e", "next-day");
  expect((await named())[1]).toHaveLength(4);
  await close();
  expect(await named()).toEqual([[], []]);
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

test("a receipt comes to 9 999 999.99 at most, as one amount does, and the refusal names the field", async () => {
  const till = await openShop();
  const lines = (...amounts: string[]) => JSON.stringify(amounts.map((Amount, n) => ({ Line: String(n + 1), Amount })));
  const quoted = (Lines: string) => till.call(calls.quote, { Lines });
  expect(await quoted(lines("9999999.98", "0.01"))).toMatchObject({
    Lines: [{ Paid: "9999999.98" }, { Paid: "0.01" }],
  });
  const refused = { problem: { status: 400, code: "invalid", errors: [{ field: "Lines" }] } };
  await expect(quoted(lines("9999999.98", "0.02"))).rejects.toMatchObject(refused);
  const sale = { CardNumber: (await addMember()).card, Lines: JSON.parse(lines("9999999.99", "9999999.99")) };
  await expect(till.sell(sale)).rejects.toMatchObject(refused);
});

test("a batch whose items are nested too deeply is refused, and others of it are sold", async () => {
  const till = await openShop();
  const [deep, sold] = [till.newNumber(), till.newNumber()];
  const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const SoldAt = clock.now.toISOString();
  const Items = `[{"Kind":"purchase","ReceiptNumber":"${deep}","SoldAt":"${SoldAt}","Lines":${nested}},
    {"Kind":"purchase","ReceiptNumber":"${sold}","SoldAt":"${SoldAt}","Amount":"10.00"}]`;
  const { Outcomes } = await till.call(calls.postBatch, { Items, SentAt: SoldAt });
  expect(Outcomes).toMatchObject([{ Status: 400 }, { Status: 200 }]);
});
