import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { listCustomerRewards } from "#loyalty/calls.ts";
import * as calls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, addTill, clock, database, emails, openShop, runJobs } = await openTestShop();
const start = clock.now;
beforeEach(() => {
  clock.now = start;
});
const later = (milliseconds: number) => new Date(clock.now.getTime() + milliseconds);

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
  const invented = await addMember();
  const given = await invented.obtain();
  await database.update(customers).set({ emailVerifiedAt: null }).where(eq(customers.id, invented.id));
  reasons.push(["email_unconfirmed", given, { CardNumber: invented.card }]);
  const holding = till.call(calls.holdVouchers, { VoucherCodes: given, ReceiptNumber: "H-0" });
  expect(await refusalOf(holding)).toMatchObject({ status: 409, code: "email_unconfirmed" });
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

test("identify shows the end of a code and gives a token, which stands for the voucher wherever its code does", async () => {
  const till = await openShop();
  const member = await addMember(500);
  const [code, held, queued] = [await member.obtain(), await member.obtain(), await member.obtain()];
  const identify = async () =>
    (await till.call(calls.identify, { CardNumber: member.card })).Customers[0]?.Vouchers ?? [];
  const listed = await identify();
  expect(JSON.stringify(listed)).not.toMatch(new RegExp([code, held, queued].join("|")));
  const tokenOf = (of: string, vouchers = listed) =>
    vouchers.find(({ Code }) => Code === `••••••••${of.slice(-4)}`)?.VoucherToken ?? "";
  const basket = { CardNumber: member.card, Amount: "30.00" };

  const sold = { ...basket, ReceiptNumber: till.newNumber(), SoldAt: clock.now.toISOString() };
  const hold = { VoucherCodes: tokenOf(code), ReceiptNumber: sold.ReceiptNumber };
  const { Holds } = await till.call(calls.holdVouchers, hold);
  expect(Holds).toMatchObject([{ Code: tokenOf(code) }]);
  await till.call(calls.releaseVouchers, hold);
  expect(await refusalOf(till.sell({ ...basket, VoucherCodes: `${tokenOf(code)},${code}` }))).toMatchObject({
    status: 400,
  });
  const quoted = await till.call(calls.quote, { ...basket, VoucherCodes: tokenOf(code) });
  expect(quoted.Vouchers).toMatchObject([{ Code: tokenOf(code), Taken: "10.00", Reason: null }]);
  const answer = await till.sell({ ...sold, VoucherCodes: tokenOf(code) });
  expect(answer.Vouchers).toMatchObject([{ Taken: "10.00" }]);
  // The content names the voucher, whatever stood for it: the same token later, a fresh one, the code itself.
  const fresh = await identify();
  expect(await till.sell({ ...sold, VoucherCodes: code })).toEqual(answer);
  const other = till.sell({ ...sold, VoucherCodes: tokenOf(held, fresh) });
  expect(await refusalOf(other)).toMatchObject({ code: "receipt_known" });

  const elsewhere = await openShop("Cercle Lyon");
  const strange = elsewhere.sell({ ...basket, VoucherCodes: tokenOf(held) });
  expect(await refusalOf(strange)).toMatchObject({ status: 400, code: "invalid" });

  // Fifteen minutes later a token is over, unless its receipt has held the voucher.
  const heldBy = till.newNumber();
  await till.call(calls.holdVouchers, { VoucherCodes: tokenOf(held), ReceiptNumber: heldBy });
  clock.now = later(16 * 60_000);
  expect(await till.sell({ ...sold, VoucherCodes: tokenOf(code) })).toEqual(answer);
  for (const work of [
    () => till.sell({ ...basket, VoucherCodes: tokenOf(queued) }),
    () => till.call(calls.quote, { ...basket, VoucherCodes: tokenOf(queued) }),
    () => till.call(calls.holdVouchers, { VoucherCodes: tokenOf(queued), ReceiptNumber: till.newNumber() }),
  ])
    expect(await refusalOf(work())).toMatchObject({ status: 400, code: "invalid" });
  const Items = JSON.stringify([
    { Kind: "purchase", ReceiptNumber: heldBy, SoldAt: start.toISOString(), ...basket, VoucherCodes: tokenOf(held) },
    { Kind: "purchase", ReceiptNumber: till.newNumber(), SoldAt: start.toISOString(), ...basket, VoucherCodes: queued },
  ]);
  const { Outcomes } = await till.call(calls.postBatch, { Items, SentAt: clock.now.toISOString() });
  expect(Outcomes.map(({ Status }) => Status)).toEqual([200, 200]);
});

test("of a sale that is undone before its email was sent, one email tells: that the voucher is back", async () => {
  const till = await openShop();
  const told = async (undoneAt: "once" | "later") => {
    const member = await addMember();
    const [VoucherCodes, ReceiptNumber] = [await member.obtain(), till.newNumber()];
    await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "50.00", VoucherCodes });
    if (undoneAt === "later") await runJobs();
    await till.call(calls.voidSale, { ReceiptNumber });
    await runJobs();
    const causes = (await emails(member.email)).map(({ cause }) => cause.split(":")[0]);
    return causes.filter((cause) => cause?.startsWith("voucher")).sort();
  };
  // The first is the email with the code.
  expect(await told("once")).toEqual(["voucher", "voucher"]);
  expect(await told("later")).toEqual(["voucher", "voucher", "voucher-used"]);
});
