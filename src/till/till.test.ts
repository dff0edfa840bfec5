import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "./calls.ts";

const { addMember, addPerson, clock, database, openShop, openTill } = await openTestTill();

test("the till's own screen sells, takes back and voids as a till with a key does", async () => {
  const till = await openTill();
  const member = await addMember(500);
  const code = await member.obtain();
  const { Customers } = await till.call(calls.identify, { CardNumber: member.card, EntryMode: "scanned" });
  expect(Customers[0]).toMatchObject({
    ...{ Name: "Camille L.", Points: 500, BirthdayToday: false, Vouchers: [{ State: "available" }] },
    NextReward: { Points: 250, Missing: 250, Value: "10.00" },
  });
  const CustomerToken = Customers[0]?.CustomerToken ?? "";
  expect(Customers[0]?.Vouchers[0]?.Code).toBe(`••••••••${code.slice(-4)}`);
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

test("nobody rings up their own card, by number, token, voucher or claim; a colleague does", async () => {
  const till = await openTill();
  const own = await addMember(500);
  const code = await own.obtain();
  await database.execute(sql`update staff set own_customer_id = ${own.id} where id = ${till.person.id}`);
  const { Customers } = await till.call(calls.identify, { CardNumber: own.card });
  const CustomerToken = Customers[0]?.CustomerToken ?? "";
  const refused = { code: "own_card", status: 409 };
  for (const named of [{ CardNumber: own.card }, { CustomerToken }, { VoucherCodes: code }])
    expect(await refusalOf(till.sell({ Amount: "50.00", ...named }))).toMatchObject(refused);
  const hold = { VoucherCodes: code, ReceiptNumber: till.newNumber() };
  expect(await refusalOf(till.call(calls.holdVouchers, hold))).toMatchObject(refused);
  const item = {
    Kind: "purchase",
    ReceiptNumber: till.newNumber(),
    ...till.moments(),
    Amount: "50.00",
    CardNumber: own.card,
  };
  const batch = { Items: JSON.stringify([item]), SentAt: till.moments().SentAt };
  expect((await till.call(calls.postBatch, batch)).Outcomes).toMatchObject([
    { Status: 409, Problem: { code: "own_card" } },
  ]);
  const { ClaimCode = "" } = await till.sell({ Amount: "50.00" });
  expect(await refusalOf(own.call(claimReceipt, { ClaimCode }))).toMatchObject(refused);

  const colleague = await addPerson(till.shopId);
  await till.call(calls.signIn, { IdStaff: colleague.id, Pin: colleague.pin });
  expect(await till.sell({ Amount: "50.00", CardNumber: own.card })).toMatchObject({ Points: { Earned: 50 } });
  const sold = await till.sell({ Amount: "20.00" });
  expect(await own.call(claimReceipt, { ClaimCode: sold.ClaimCode ?? "" })).toMatchObject({ Points: { Earned: 20 } });
});

test("a sale that waited on the till is of the person who made it, also when a colleague sends it", async () => {
  const till = await openTill();
  const own = await addMember();
  await database.execute(sql`update staff set own_customer_id = ${own.id} where id = ${till.person.id}`);
  const colleague = await addPerson(till.shopId);
  const send = async (sale: object) => {
    const item = { Kind: "purchase", ReceiptNumber: till.newNumber(), ...till.moments(), Amount: "50.00", ...sale };
    const batch = { Items: JSON.stringify([item]), SentAt: till.moments().SentAt };
    const [outcome] = (await till.call(calls.postBatch, batch)).Outcomes;
    return { code: outcome?.Problem?.code, answer: outcome?.Answer as { ClaimCode?: string } | undefined };
  };
  const claim = (sent: Awaited<ReturnType<typeof send>>) =>
    refusalOf(own.call(claimReceipt, { ClaimCode: sent.answer?.ClaimCode ?? "" }));
  await till.call(calls.signIn, { IdStaff: colleague.id, Pin: colleague.pin });
  const mine = { IdStaff: till.person.id };
  expect(await send({ ...mine, CardNumber: own.card })).toMatchObject({ code: "own_card" });
  expect(await claim(await send(mine))).toMatchObject({ code: "own_card" });
  const { rows } = await database.execute(sql`
    select s.staff_id, l.staff_id as sent_by, l.after ->> 'soldBy' as sold_by from shop_sale s
    join audit_log l on l.shop_id = s.shop_id and l.after ->> 'receipt' = s.number where s.shop_id = ${till.shopId}`);
  expect(rows).toEqual([{ staff_id: till.person.id, sent_by: colleague.id, sold_by: String(till.person.id) }]);

  // No sale is lost for what the till says of its seller.
  for (const IdStaff of [0, "x", 2 ** 40, 999_999_999])
    expect(await send({ IdStaff })).toMatchObject({ code: undefined, answer: { ClaimCode: expect.any(String) } });

  // A seller of another shop, or one of head office without a PIN, cannot have sold here: the sale is of its sender.
  const elsewhere = await addPerson((await openTill()).shopId);
  const withoutPin = await addPerson(null);
  await database.execute(sql`update staff set pin_hash = null where id = ${withoutPin.id}`);
  const headOffice = await addPerson(null);
  for (const [named, sellerId] of [
    [elsewhere.id, colleague.id],
    [withoutPin.id, colleague.id],
    [headOffice.id, headOffice.id],
  ]) {
    const ReceiptNumber = till.newNumber();
    await send({ IdStaff: named, ReceiptNumber });
    const sold = await database.execute(
      sql`select staff_id from shop_sale where shop_id = ${till.shopId} and number = ${ReceiptNumber}`,
    );
    expect(sold.rows).toEqual([{ staff_id: sellerId }]);
  }

  // Anyone who names a colleague for it has sent it all the same.
  await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
  const forged = { IdStaff: colleague.id };
  expect(await send({ ...forged, CardNumber: own.card })).toMatchObject({ code: "own_card" });
  expect(await claim(await send(forged))).toMatchObject({ code: "own_card" });
});

test("of two tills that hold one voucher at once, one has it", async () => {
  const [first, second] = [await openTill(), await openTill()];
  const VoucherCodes = await (await addMember(250)).obtain();
  const hold = (till: typeof first) =>
    till.call(calls.holdVouchers, { VoucherCodes, ReceiptNumber: till.newNumber() }).then(
      () => 200,
      ({ problem }) => problem.code,
    );
  expect((await Promise.all([hold(first), hold(second)])).sort()).toEqual([200, "voucher_held"]);
});

test("it is somebody's birthday on the day in Paris, on 28 February for one of the 29th; an address does not tell", async () => {
  const till = await openTill();
  const member = await addMember();
  const start = clock.now;
  const isBirthday = async (birthday: string, at: string) => {
    clock.now = new Date(at);
    await database.execute(sql`update customer set birthday = ${birthday} where id = ${member.id}`);
    await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
    const { Customers } = await till.call(calls.identify, { CardNumber: member.card });
    return Customers[0]?.BirthdayToday;
  };
  expect(await isBirthday("1990-07-14", "2026-07-13T22:30:00Z")).toBe(true);
  const { Customers } = await till.call(calls.identify, { Email: member.email });
  expect(Customers[0]?.BirthdayToday).toBe(false);
  expect(await isBirthday("1990-07-14", "2026-07-14T22:30:00Z")).toBe(false);
  expect(await isBirthday("1992-02-29", "2027-02-28T10:00:00Z")).toBe(true);
  expect(await isBirthday("1992-02-29", "2028-02-28T10:00:00Z")).toBe(false);
  clock.now = start;
});

test("of those who share a phone, confirmed members come first, and unconfirmed ones never hide them", async () => {
  const [till, shop] = [await openTill(), await openShop()];
  const MobilePhone = "+33612345077";
  const share = async (confirmed: boolean) => {
    const member = await addMember();
    await database.execute(sql`
      update customer set mobile_phone = ${MobilePhone}, email_verified_at = case when ${confirmed} then now() end
      where id = ${member.id}`);
    return { Confirmed: confirmed, JoinedMonth: "2026-03", CardEnding: member.card.slice(-2) };
  };
  const found = async () => {
    const answers = [
      await till.call(calls.identify, { MobilePhone }).catch(() => undefined),
      await shop.call(shopCalls.identify, { MobilePhone }).catch(() => undefined),
    ];
    const [atTill, byKey] = answers.map((answer) =>
      answer?.Customers.map(({ Confirmed, JoinedMonth, CardEnding }) => ({ Confirmed, JoinedMonth, CardEnding })),
    );
    expect(atTill).toEqual(byKey);
    return byKey;
  };
  const strangers = [await share(false), await share(false)];
  const member = await share(true);
  expect(await found()).toEqual([member, ...strangers]);
  await share(false);
  expect(await found()).toEqual([member]);
  for (let n = 0; n < 3; n += 1) await share(true);
  expect(await found()).toBeUndefined();
});
