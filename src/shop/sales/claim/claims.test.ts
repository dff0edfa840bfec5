import { beforeEach, expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import { readReport } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addCustomer, addMember, clock, database, openShop } = await openTestShop();
const start = clock.now;
beforeEach(() => {
  clock.now = start;
});
const today = () => clock.now.toLocaleDateString("sv-SE", { timeZone: "Europe/Paris" });
const days = (count: number) => count * 24 * 3_600_000;
const later = (milliseconds: number) => new Date(clock.now.getTime() + milliseconds);

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
  expect(claimed.Points).toMatchObject({ Earned: 30, Available: 280, Debt: 0 });
  // Only the customer who claimed it hears that it is claimed.
  expect(await refusalOf(member.call(claimReceipt, { ClaimCode }))).toMatchObject({ code: "receipt_yours" });
  expect(await refusalOf((await addMember()).call(claimReceipt, { ClaimCode }))).toMatchObject({ code: "not_found" });
  // The till's answer stays as it was, and a return takes from who claimed.
  const again = { ReceiptNumber: "N-1", Amount: "40.00", SoldAt: later(-days(3)).toISOString() };
  expect(await till.sell(again)).toEqual(unnamed);
  // Also when a sixth purchase of the day makes the claimed points wait.
  for (let n = 0; n < 5; n += 1) await till.sell({ CardNumber: member.card, Amount: "1.00" });
  const late = await till.sell({ ReceiptNumber: "N-2", Amount: "40.00" });
  expect(await member.call(claimReceipt, { ClaimCode: late.ClaimCode ?? "" })).toMatchObject({ Waiting: true });
  expect(await till.sell({ ReceiptNumber: "N-2", Amount: "40.00" })).toEqual(late);
  expect((await till.takeBack("N-1")).Points).toMatchObject({ Taken: 30, Available: 255, Debt: 0 });
  const stranger = await addCustomer();
  const { ClaimCode: other = "" } = unknown;
  // Of a receipt that exists as of one that does not.
  for (const code of [other, "A22222222222"])
    expect(await refusalOf(stranger.call(claimReceipt, { ClaimCode: code }))).toMatchObject({ code: "not_a_member" });
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

test("guesses at what a receipt says do not close it for the person who holds its code", async () => {
  const till = await openShop();
  const member = await addMember();
  const { ClaimCode = "" } = await till.sell({ ReceiptNumber: "D-3", Amount: "40.00" });
  const claim = { IdShop: String(till.shopId), ReceiptNumber: "D-3", Day: today(), Amount: "41.00" };
  for (let n = 0; n < 10; n += 1) await refusalOf(member.call(claimReceipt, claim));
  expect(await refusalOf(member.call(claimReceipt, { ...claim, Amount: "40.00" }))).toMatchObject({ status: 404 });
  expect((await member.call(claimReceipt, { ClaimCode })).Points.Earned).toBe(40);
});

test.each([0, 2])(
  "the report of the day has the points of receipts that were claimed later, which arrive after %i days, and the return's day what it took",
  async (pendingDays) => {
    await publishNow(database, { pendingDays }, { now: start });
    const till = await openShop();
    const [member, other] = [await addMember(), await addMember()];
    const sold = today();
    const report = (Day: string) => till.call(readReport, { Day });
    const points = async (day = sold) => (await report(day)).Points;
    await till.sell({ CardNumber: other.card, Amount: "5.00" });
    const ReceiptNumber = till.newNumber();
    const { ClaimCode = "" } = await till.sell({ ReceiptNumber, Amount: "40.00" });
    const large = await till.sell({ Amount: "4000.00" });
    await till.takeBack(ReceiptNumber, undefined, { Amount: "10.00" });
    expect(await points()).toEqual({ Earned: 5, Taken: 0 });
    clock.now = later(days(1));
    await member.call(claimReceipt, { ClaimCode });
    expect((await refusalOf(other.call(claimReceipt, { ClaimCode }))).code).toBe("not_found");
    expect(await points()).toEqual({ Earned: 35, Taken: 0 });
    // Points of a large one wait for a person, and the report of its day says so.
    await member.call(claimReceipt, { ClaimCode: large.ClaimCode ?? "" });
    expect(await report(sold)).toMatchObject({ Points: { Earned: 35 }, Conflicts: [{ Reason: "points_waiting" }] });
    const returned = today();
    await till.takeBack(ReceiptNumber, undefined, { Amount: "20.00" });
    expect(await points(returned)).toEqual({ Earned: 0, Taken: 20 });
    clock.now = later(days(5));
    expect((await member.points()).Pending).toBe(0);
    expect(await points()).toEqual({ Earned: 35, Taken: 0 });
    expect(await points(today())).toEqual({ Earned: 0, Taken: 0 });
    await publishNow(database, { pendingDays: 0 }, { now: start });
  },
);
