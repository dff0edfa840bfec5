import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { listCustomerRewards } from "#loyalty/calls.ts";
import * as calls from "#shop/calls.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { openShop, addMember, database, clock, runJobs, emails } = await openTestShop();
const pendingDays = 14;
const afterDays = (days: number) => new Date(clock.now.getTime() + days * 24 * 3_600_000);

beforeAll(async () => {
  await publishNow(database, { pendingDays }, { now: clock.now });
});

test("an unused voucher is cancelled before a debt arises, its owner is told why, and the voucher is refused", async () => {
  const till = await openShop();
  const member = await addMember();
  const sale = till.newNumber();
  await till.sell({ ReceiptNumber: sale, CardNumber: member.card, Amount: "149.00" });
  clock.now = afterDays(pendingDays);
  // 399 points: a voucher leaves 149; another way to spend leaves 19.
  const code = await member.obtain();
  await database.execute(sql`select loyalty_move(${member.id}, -130, 'adjust', 'spent', '{}', now(), ${clock.now})`);
  const back = await till.takeBack(sale);
  expect(back.Points).toMatchObject({ Taken: 149, Available: 120, Debt: 0 });
  expect(back.CancelledVouchers).toEqual([{ Value: "10.00" }]);
  const { CustomerRewards } = await member.call(listCustomerRewards, { LoyaltyRewardState: "cancelled" });
  expect(CustomerRewards).toMatchObject([{ Code: code, LoyaltyRewardState: "cancelled" }]);
  await expect(till.sell({ CardNumber: member.card, Amount: "50.00", VoucherCodes: code })).rejects.toMatchObject({
    problem: { code: "voucher_cancelled" },
  });
  await runJobs();
  const subjects = (await emails(member.email)).map(({ subject }) => subject);
  expect(subjects.some((subject) => subject !== null && /bon de 10\s€ a été annulé/.test(subject))).toBe(true);
});

test("a held voucher stays good for its receipt, is not held anew, and is cancelled when the hold ends unused", async () => {
  const till = await openShop();
  const member = await addMember();
  const sale = till.newNumber();
  await till.sell({ ReceiptNumber: sale, CardNumber: member.card, Amount: "250.00" });
  clock.now = afterDays(pendingDays);
  const [code, second] = [await member.obtain(), await member.obtain()];
  const holding = till.newNumber();
  for (const VoucherCodes of [code, second])
    await till.call(calls.holdVouchers, { VoucherCodes, ReceiptNumber: holding });
  const back = await till.takeBack(sale);
  expect(back.Points).toMatchObject({ Taken: 0, Available: 0, Debt: 250 });
  expect(back.CancelledVouchers).toEqual([]);
  const until = new Date(clock.now.getTime() + 15 * 60_000).toISOString();
  clock.now = new Date(clock.now.getTime() + 60_000);
  const again = await till.call(calls.holdVouchers, { VoucherCodes: code, ReceiptNumber: holding });
  expect(again.Holds).toEqual([{ Code: code, Until: until }]);
  const elsewhere = till.sell({ CardNumber: member.card, Amount: "50.00", VoucherCodes: second });
  await expect(elsewhere).rejects.toMatchObject({ problem: { code: "voucher_cancelled" } });
  // Used by the receipt that holds it: the debt stays. The other is released, and settles it.
  await till.sell({ ReceiptNumber: holding, CardNumber: member.card, Amount: "10.00", VoucherCodes: code });
  expect((await member.points()).Debt).toBe(250);
  await till.call(calls.releaseVouchers, { VoucherCodes: second, ReceiptNumber: holding });
  expect(await member.points()).toMatchObject({ Available: 0, Debt: 0 });
});

test("with a debt no voucher is obtained, and a used voucher comes back as points that settle it", async () => {
  const till = await openShop();
  const member = await addMember();
  const [first, second] = [till.newNumber(), till.newNumber()];
  await till.sell({ ReceiptNumber: first, CardNumber: member.card, Amount: "250.00" });
  clock.now = afterDays(pendingDays);
  const codes = [await member.obtain(), await member.obtain()];
  await till.sell({
    ...{ ReceiptNumber: second, CardNumber: member.card, Amount: "20.00", VoucherCodes: codes.join(",") },
  });
  expect((await till.takeBack(first)).Points).toMatchObject({ Taken: 0, Debt: 250 });
  const back = await till.takeBack(second);
  // The first voucher's 250 points settle the debt; the second comes back as a voucher.
  expect(back.Points).toMatchObject({ Available: 0, Debt: 0 });
  expect(back.ReissuedVouchers).toHaveLength(1);
});

test("a reissued voucher keeps its points, and is cancelled like the one it replaces", async () => {
  const till = await openShop();
  const member = await addMember();
  const [first, second] = [till.newNumber(), till.newNumber()];
  await till.sell({ ReceiptNumber: first, CardNumber: member.card, Amount: "250.00" });
  clock.now = afterDays(pendingDays);
  const codes = [await member.obtain(), await member.obtain()].join(",");
  await till.sell({ ReceiptNumber: second, CardNumber: member.card, Amount: "20.00", VoucherCodes: codes });
  expect((await till.takeBack(second)).ReissuedVouchers).toHaveLength(2);
  const back = await till.takeBack(first);
  expect(back.Points).toMatchObject({ Taken: 250, Available: 0, Debt: 0 });
  expect(back.CancelledVouchers).toEqual([{ Value: "10.00" }]);
});
