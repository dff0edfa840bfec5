import { expect, test } from "vitest";
import { listCustomerRewards } from "#loyalty/calls.ts";
import { createMetrics } from "#platform/metrics.server.ts";
import * as calls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const metrics = createMetrics();
const { addMember, clock, database, emails, openShop } = await openTestShop({ RATE_LIMITS: "on" }, { metrics });
const today = () => clock.now.toLocaleDateString("sv-SE", { timeZone: "Europe/Paris" });
const notFound = { status: 404, code: "receipt_not_found" };

/** A sale of another shop, and how that shop's receipt can be proved. */
async function sellElsewhere(CardNumber?: string) {
  const shop = await openShop("Cercle Lyon");
  const ReceiptNumber = shop.newNumber();
  const Lines = [
    { Line: "1", Amount: "30.00" },
    { Line: "2", Amount: "12.50", Earns: false },
  ];
  const { ClaimCode } = await shop.sell({ ReceiptNumber, Lines, ...(CardNumber && { CardNumber }) });
  return { ReceiptNumber, ClaimCode, OriginalIdShop: shop.shopId };
}

test("a return of another shop's receipt needs proof; without it, a known receipt is refused as an unknown one is", async () => {
  const [till, exchanges] = [await openShop(), await openShop()];
  const [member, stranger] = [await addMember(), await addMember()];
  const sale = await sellElsewhere(member.card);
  const unnamed = await sellElsewhere();
  const { OriginalIdShop } = sale;
  const byDetails = { OriginalAmount: "42.50", OriginalDay: today() };
  const wrong: [string, object][] = [
    [sale.ReceiptNumber, {}],
    [sale.ReceiptNumber, { OriginalAmount: "42.50" }],
    [sale.ReceiptNumber, { ...byDetails, OriginalAmount: "30.00" }],
    [sale.ReceiptNumber, { ...byDetails, OriginalDay: "2026-01-01" }],
    [sale.ReceiptNumber, { CardNumber: member.card, EntryMode: "typed" }],
    [sale.ReceiptNumber, { CardNumber: stranger.card, EntryMode: "scanned" }],
    [sale.ReceiptNumber, { OriginalClaimCode: unnamed.ClaimCode }],
    ["unknown", byDetails],
  ];
  for (const [number, proof] of wrong) {
    const back = till.takeBack(number, undefined, { OriginalIdShop, ...proof });
    expect(await refusalOf(back)).toMatchObject(notFound);
    const ReturnOf = { OriginalReceiptNumber: number, OriginalIdShop, ...proof };
    expect(await refusalOf(exchanges.sell({ Amount: "5.00", ReturnOf }))).toMatchObject(notFound);
  }
  expect((await member.points()).Available).toBe(280);

  const back = { ReceiptNumber: till.newNumber(), OriginalIdShop, ...byDetails };
  const taken = await till.takeBack(sale.ReceiptNumber, [{ Line: "1", Amount: "10.00" }], back);
  expect(taken.Points.Taken).toBe(10);
  expect(await till.takeBack(sale.ReceiptNumber, [{ Line: "1", Amount: "10.00" }], back)).toEqual(taken);
  // The proof is part of the content.
  const other = till.takeBack(sale.ReceiptNumber, [{ Line: "1", Amount: "10.00" }], {
    ...back,
    OriginalDay: "2026-01-01",
  });
  expect(await refusalOf(other)).toMatchObject({ code: "receipt_known" });
  const card = { CardNumber: member.card, EntryMode: "scanned" };
  const ReturnOf = { OriginalReceiptNumber: sale.ReceiptNumber, OriginalIdShop, Lines: [{ Line: "1" }], ...card };
  expect((await till.sell({ CardNumber: member.card, Amount: "5.00", ReturnOf })).Points.Taken).toBe(20);
  const Items = JSON.stringify([
    {
      ...{ Kind: "return", ReceiptNumber: till.newNumber(), OriginalReceiptNumber: unnamed.ReceiptNumber },
      ...{ OriginalIdShop: unnamed.OriginalIdShop, OriginalClaimCode: unnamed.ClaimCode?.toLowerCase() },
    },
  ]);
  const { Outcomes } = await till.call(calls.postBatch, { Items, SentAt: clock.now.toISOString() });
  expect(Outcomes).toMatchObject([{ Status: 200 }]);
  expect(await refusalOf(till.call(calls.voidSale, { ReceiptNumber: sale.ReceiptNumber }))).toMatchObject({
    status: 404,
  });
});

test("guessed receipts are limited by key and by receipt, and a limit tells nothing about the receipt", async () => {
  const till = await openShop();
  const sale = await sellElsewhere();
  const { OriginalIdShop } = sale;
  const guess = (number: string, proof = {}) => till.takeBack(number, undefined, { OriginalIdShop, ...proof });
  for (const number of [sale.ReceiptNumber, "unknown"]) {
    for (let n = 0; n < 10; n += 1)
      expect(await refusalOf(guess(number, { OriginalAmount: `${n}.00`, OriginalDay: today() }))).toMatchObject(
        notFound,
      );
    expect(await refusalOf(guess(number))).toMatchObject({ status: 429 });
  }
  // The right proof is too late for this key.
  const late = guess(sale.ReceiptNumber, { OriginalClaimCode: sale.ClaimCode });
  expect(await refusalOf(late)).toMatchObject({ status: 429 });

  const batch = Array.from({ length: 100 }, (_, n) => ({
    ...{ Kind: "return", ReceiptNumber: `G-${n}`, OriginalReceiptNumber: `guess-${n}`, OriginalIdShop },
  }));
  const SentAt = clock.now.toISOString();
  const { Outcomes } = await till.call(calls.postBatch, { Items: JSON.stringify(batch), SentAt });
  // Twenty were used up above.
  expect(Outcomes.map(({ Status }) => Status)).toEqual([...Array(10).fill(404), ...Array(90).fill(429)]);
});

test("a reissued voucher's code goes to the customer, never to the caller", async () => {
  const till = await openShop();
  const member = await addMember(750);
  const reissued = [{ Value: "10.00", ExpiresAt: expect.any(String) }];
  const sellWithVoucher = async () => {
    const ReceiptNumber = till.newNumber();
    await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "20.00", VoucherCodes: await member.obtain() });
    return ReceiptNumber;
  };
  const returned = await till.takeBack(await sellWithVoucher());
  const voided = await till.call(calls.voidSale, { ReceiptNumber: await sellWithVoucher() });
  const ReturnOf = { OriginalReceiptNumber: await sellWithVoucher() };
  const exchanged = await till.sell({ CardNumber: member.card, Amount: "5.00", ReturnOf });
  for (const { ReissuedVouchers } of [returned, voided, exchanged]) expect(ReissuedVouchers).toEqual(reissued);
  const { CustomerRewards } = await member.call(listCustomerRewards, { LoyaltyRewardState: "available" });
  expect(CustomerRewards).toHaveLength(3);
  const mails = JSON.stringify(await emails(member.email));
  for (const { Code } of CustomerRewards) expect(mails).toContain(Code);
});

test("every return of another shop's receipt is in the audit log, and counted by key for an alarm", async () => {
  const till = await openShop();
  const member = await addMember();
  const prefix = till.key.split("_")[1] ?? "";
  const sale = await sellElsewhere(member.card);
  const of = { OriginalIdShop: sale.OriginalIdShop, OriginalAmount: "42.50", OriginalDay: today() };
  await till.takeBack(sale.ReceiptNumber, [{ Line: "2" }], of);
  const ReturnOf = { OriginalReceiptNumber: sale.ReceiptNumber, Lines: [{ Line: "1" }], ...of };
  await till.sell({ CardNumber: member.card, Amount: "5.00", ReturnOf });
  const { rows } = await database.$client.query(
    "select action, customer_id::integer, shop_id, after from audit_log where key_prefix = $1 order by id",
    [prefix],
  );
  const line = { action: "return_other_shop", customer_id: member.id, shop_id: till.shopId };
  const after = { ofShop: sale.OriginalIdShop, ofReceipt: sale.ReceiptNumber };
  expect(rows).toMatchObject([
    { ...line, after: { ...after, taken: 0 } },
    { ...line, after: { ...after, taken: 30 } },
  ]);
  expect(await metrics.text()).toContain(`cercle_returns_other_shop{key="${prefix}"} 2`);
});
