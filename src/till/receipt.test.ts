import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { refusalOf } from "#testing/club.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "./calls.ts";

const { addMember, clock, database, openTill } = await openTestTill({ RATE_LIMITS: "on" });

test("a receipt shows what was paid, what is left, and what a return of the chosen lines would take", async () => {
  const till = await openTill();
  const member = await addMember(250);
  const VoucherCodes = await member.obtain();
  const ReceiptNumber = till.newNumber();
  const Lines =
    '[{"Line":"1","Amount":"89.90"},{"Line":"2","Amount":"39.95"},{"Line":"3","Amount":"50.00","Earns":false}]';
  await till.sell({ ReceiptNumber, CardNumber: member.card, Lines, VoucherCodes });
  const shown = await till.call(calls.readReceipt, { ReceiptNumber, Lines: '[{"Line":"2"}]' });
  expect(shown).toMatchObject({
    ...{ IdShop: till.shopId, ShopName: "Cercle Marais", ReceiptNumber, SoldAt: clock.now.toISOString() },
    ...{ Customer: "Camille L.", Whole: false, Earned: 119, Voidable: true },
    Lines: [
      { Line: "1", Paid: "82.98", VoucherShare: "6.92", Left: "82.98", Returned: false },
      { Line: "2", Paid: "36.87", VoucherShare: "3.08", Left: "36.87", Returned: false },
      { Line: "3", Paid: "50.00", VoucherShare: "0.00", Left: "50.00", Returned: false },
    ],
    Vouchers: [{ Code: VoucherCodes, Value: "10.00", Taken: "10.00" }],
    Return: { Points: { Taken: 37 }, Refunds: [{ Line: "2", Amount: "36.87" }], ReissuedVouchers: [] },
  });
  const all = await till.call(calls.readReceipt, { ReceiptNumber });
  expect(all.Return).toMatchObject({ Points: { Taken: 119 }, ReissuedVouchers: [{ Value: "10.00" }] });
  await till.call(calls.postReturn, { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: ReceiptNumber });
  const after = await till.call(calls.readReceipt, { ReceiptNumber });
  expect(after).toMatchObject({ Return: null, Voidable: false });
  expect(after.Lines.map(({ Left, Returned }) => [Left, Returned])).toEqual(Array(3).fill(["0.00", true]));
  const asked = { ReceiptNumber: till.newNumber(), Lines: '[{"Line":"9"}]' };
  await till.sell({ ReceiptNumber: asked.ReceiptNumber, Amount: "10.00" });
  expect(await refusalOf(till.call(calls.readReceipt, asked))).toMatchObject({ code: "more_than_bought" });
});

test("a receipt is found by its claim code and from another shop, and voided only in its own, on its day", async () => {
  const [till, other] = [await openTill(), await openTill()];
  const ReceiptNumber = till.newNumber();
  const { ClaimCode = "" } = await till.sell({ ReceiptNumber, Amount: "20.00" });
  expect(await other.call(calls.readReceipt, { ClaimCode: ClaimCode.toLowerCase() })).toMatchObject({
    ...{ IdShop: till.shopId, ReceiptNumber, Customer: null, Whole: true, Voidable: false },
    Return: { Points: { Taken: 0 }, Refunds: [{ Line: "1", Amount: "20.00" }] },
  });
  // By its number only with proof: without it a known receipt is as an unknown one.
  const byNumber = { ReceiptNumber, IdShop: till.shopId };
  const unproved = [
    { ReceiptNumber },
    byNumber,
    { ...byNumber, OriginalAmount: "20.00" },
    { ...byNumber, ReceiptNumber: "x" },
  ];
  for (const input of unproved)
    expect(await refusalOf(other.call(calls.readReceipt, input))).toMatchObject({ code: "receipt_not_found" });
  const proof = { OriginalAmount: "20.00", OriginalDay: "2026-03-10" };
  expect(await other.call(calls.readReceipt, { ...byNumber, ...proof })).toMatchObject({ ReceiptNumber });
  const { Shops } = await other.call(calls.listOtherShops);
  expect(Shops.map(({ IdShop }) => IdShop)).toContain(till.shopId);
  expect(Shops.map(({ IdShop }) => IdShop)).not.toContain(other.shopId);
  for (const input of [{}, { ReceiptNumber, ClaimCode }])
    expect(await refusalOf(other.call(calls.readReceipt, input))).toMatchObject({ status: 400 });
  const start = clock.now;
  clock.now = new Date(start.getTime() + 24 * 3_600_000);
  await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
  expect(await till.call(calls.readReceipt, { ReceiptNumber })).toMatchObject({ Voidable: false });
  clock.now = start;
});

test("unknown receipts are limited as guesses", async () => {
  const till = await openTill();
  for (let n = 0; n < 30; n += 1)
    expect((await refusalOf(till.call(calls.readReceipt, { ReceiptNumber: `X-${n}` }))).status).toBe(404);
  expect(await refusalOf(till.call(calls.readReceipt, { ReceiptNumber: "X-30" }))).toMatchObject({ status: 429 });
});

const stateOf = async () =>
  (
    await database.execute(sql`
      select (select json_agg(e order by e.customer_id, e.id) from loyalty_entry e) as entries,
        (select json_agg(l order by l.customer_id, l.entry_id) from loyalty_lot l) as lots,
        (select json_agg(d order by d.customer_id, d.id) from loyalty_debt d) as debts,
        (select count(*) from shop_return) as returns, (select count(*) from loyalty_voucher) as vouchers,
        (select count(*) from mail) as mails, (select count(*) from webhook_event) as events`)
  ).rows[0];

test("the preview is what the return then does, whatever was sold, spent and returned before, and leaves nothing", async () => {
  const cents = fc.integer({ min: 1, max: 20_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(cents, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.boolean(),
      async (amounts, picks, withVoucher, spends) => {
        const till = await openTill();
        const member = await addMember(250);
        const total = amounts.reduce((sum, amount) => sum + amount, 0);
        const code = withVoucher && total >= 1_000 ? await member.obtain() : undefined;
        const ReceiptNumber = till.newNumber();
        const euros = (amount: number) => (amount / 100).toFixed(2);
        const Lines = JSON.stringify(amounts.map((amount, n) => ({ Line: String(n + 1), Amount: euros(amount) })));
        await till.sell({ ReceiptNumber, CardNumber: member.card, Lines, ...(code && { VoucherCodes: code }) });
        if (spends && (await member.points()).Available >= 250) await member.obtain();
        for (const pick of picks) {
          const asked = { Lines: JSON.stringify([{ Line: String((pick % amounts.length) + 1) }]) };
          const before = await stateOf();
          const shown = await till.call(calls.readReceipt, { ReceiptNumber, ...asked }).catch(() => undefined);
          expect(await stateOf()).toEqual(before);
          const done = till.call(calls.postReturn, {
            ...{ ReceiptNumber: till.newNumber(), OriginalReceiptNumber: ReceiptNumber, ...asked },
          });
          if (!shown?.Return) {
            expect(await refusalOf(done)).toMatchObject({ code: "more_than_bought" });
            continue;
          }
          expect(shown.Return).toEqual(await done);
        }
      },
    ),
    { numRuns: 15 },
  );
});

test("a receipt number that is typed in small letters finds the one in capitals; an exact one goes first", async () => {
  const till = await openTill();
  const number = till.newNumber().toUpperCase();
  const [capitals, small] = [`R${number}`, `r${number.toLowerCase()}`];
  await till.sell({ ReceiptNumber: capitals, Amount: "10.00" });
  expect((await till.call(calls.readReceipt, { ReceiptNumber: small })).ReceiptNumber).toBe(capitals);
  await till.sell({ ReceiptNumber: small, Amount: "20.00" });
  expect((await till.call(calls.readReceipt, { ReceiptNumber: small })).ReceiptNumber).toBe(small);
});
