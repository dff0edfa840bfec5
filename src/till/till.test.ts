import { expect, test } from "vitest";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "./calls.ts";

const { openTill, addMember } = await openTestTill();

test("the till's own screen sells, takes back and voids as a till with a key does", async () => {
  const till = await openTill();
  const member = await addMember(500);
  const code = await member.obtain();
  const { Customers } = await till.call(calls.identify, { CardNumber: member.card, EntryMode: "scanned" });
  expect(Customers[0]).toMatchObject({
    ...{ Name: "Camille L.", Points: 500, BirthdayToday: false, Vouchers: [{ Code: code, State: "available" }] },
    NextReward: { Points: 250, Missing: 250, Value: "10.00" },
  });
  const CustomerToken = Customers[0]?.CustomerToken ?? "";
  const ReceiptNumber = till.newNumber();
  const goods = { CustomerToken, Lines: '[{"Line":"1","Amount":"89.90"},{"Line":"2","Amount":"39.95"}]' };
  const quoted = await till.call(calls.quote, { ...goods, VoucherCodes: code });
  expect(quoted).toMatchObject({ Points: { Earned: 119 }, Vouchers: [{ Code: code, Taken: "10.00", Reason: null }] });
  await till.call(calls.holdVouchers, { VoucherCodes: code, ReceiptNumber });
  await till.call(calls.releaseVouchers, { VoucherCodes: code, ReceiptNumber });
  const sold = await till.sell({ ReceiptNumber, ...goods, VoucherCodes: code });
  expect(sold).toMatchObject({ Points: { Earned: 119, Available: 619 }, NextReward: { Points: 250, Missing: 131 } });
  const back = { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: ReceiptNumber, Lines: '[{"Line":"2"}]' };
  expect(await till.call(calls.postReturn, back)).toMatchObject({ Points: { Taken: 37 } });
  const queued = { Kind: "purchase", ReceiptNumber: till.newNumber(), SoldAt: till.moments().SoldAt, Amount: "20.00" };
  const { Outcomes } = await till.call(calls.postBatch, {
    Items: JSON.stringify([{ ...queued, CardNumber: member.card }]),
    SentAt: till.moments().SentAt,
  });
  expect(Outcomes).toMatchObject([{ Status: 200, Answer: { Points: { Earned: 20 } } }]);
  expect(await till.call(calls.voidSale, { ReceiptNumber: queued.ReceiptNumber })).toMatchObject({
    Points: { Taken: 20 },
  });
});
