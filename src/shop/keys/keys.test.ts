import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readCustomer } from "#identity/calls.ts";
import * as calls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { revokeKey } from "./keys.server.ts";

const { addMember, addCustomer, as, fetch, clock, database, openShop, openWebShop } = await openTestShop({
  RATE_LIMITS: "on",
});

test("a member is found by card, voucher, address and phone; vouchers are listed for what is held in hand", async () => {
  const till = await openShop();
  const member = await addMember(250);
  const code = await member.obtain();
  await member.call("PUT customer", { Firstname: "Camille", Lastname: "Laurent", MobilePhone: "+33612345001" });
  const found = {
    CustomerToken: expect.any(String),
    IdCustomer: member.subject,
    Name: "Camille L.",
    ...{ Confirmed: true, JoinedMonth: "2026-03", CardEnding: member.card.slice(-2) },
    Tier: { IdLoyaltyTier: 1, Name: "Coton", Multiplier: 1 },
    ...{ Points: 250, Pending: 0, NextPending: null, Debt: 0, BirthdayToday: false },
    NextReward: { Points: 250, Missing: 250, Value: "10.00" },
  };
  const voucher = {
    ...{ Code: `••••••••${code.slice(-4)}`, VoucherToken: expect.stringMatching(/^vt_[\w-]{70,}$/) },
    ...{ Value: "10.00", ExpiresAt: expect.any(String), State: "available" },
  };
  for (const named of [{ CardNumber: member.card, EntryMode: "scanned" as const }, { VoucherCode: code }])
    expect(await till.call(calls.identify, named)).toEqual({ Customers: [{ ...found, Vouchers: [voucher] }] });
  for (const named of [{ Email: member.email.toUpperCase() }, { MobilePhone: "06 12 34 50 01" }])
    expect(await till.call(calls.identify, named)).toEqual({ Customers: [{ ...found, Vouchers: [] }] });
  for (const named of [{ CardNumber: "2900000000001" }, { VoucherCode: "ZZZZZZZZZZZZ" }, { Email: "x" }])
    expect(await refusalOf(till.call(calls.identify, named))).toMatchObject({ status: 404 });
  for (const named of [{}, { CardNumber: member.card, Email: member.email }])
    expect(await refusalOf(till.call(calls.identify, named))).toMatchObject({ status: 400 });
  const exported = await (
    await fetch("/api/customer/export", { headers: { authorization: `Bearer ${member.token}` } })
  ).json();
  expect(JSON.stringify(exported)).toContain('"by":"voucher"');
  const { rows } = await database.execute(
    sql`select found_by, entry_mode from shop_look_up where customer_id = ${member.id} order by id`,
  );
  expect(rows).toEqual([
    { found_by: "card", entry_mode: "scanned" },
    ...["voucher", "email", "phone"].map((found_by) => ({ found_by, entry_mode: null })),
  ]);
});

test("only members are found, and of four who share a phone nobody", async () => {
  const till = await openShop();
  const nobody = await addCustomer();
  expect(await refusalOf(till.call(calls.identify, { Email: nobody.email }))).toMatchObject({ status: 404 });
  const phone = { Firstname: "Camille", Lastname: "Laurent", MobilePhone: "+33612345002" };
  for (let n = 0; n < 3; n += 1) await (await addMember()).call("PUT customer", phone);
  const three = await till.call(calls.identify, { MobilePhone: phone.MobilePhone });
  expect(three.Customers).toHaveLength(3);
  await (await addMember()).call("PUT customer", phone);
  expect(await refusalOf(till.call(calls.identify, { MobilePhone: phone.MobilePhone }))).toMatchObject({ status: 404 });
});

test("a token stands for its customer in its own shop for 15 minutes", async () => {
  const till = await openShop();
  const other = await openShop("Cercle Lyon");
  const member = await addMember();
  const { Customers } = await till.call(calls.identify, { CardNumber: member.card });
  const CustomerToken = Customers[0]?.CustomerToken ?? "";
  expect(CustomerToken).not.toContain(member.card);
  const ReceiptNumber = till.newNumber();
  const sold = { ReceiptNumber, CustomerToken, Amount: "10.00", SoldAt: clock.now.toISOString() };
  expect((await till.sell(sold)).Points.Earned).toBe(10);
  const invalid = { status: 400, code: "invalid" };
  expect(await refusalOf(other.sell({ CustomerToken, Amount: "10.00" }))).toMatchObject(invalid);
  expect(await refusalOf(till.sell({ CustomerToken: "x", Amount: "10.00" }))).toMatchObject(invalid);
  clock.now = new Date(clock.now.getTime() + 16 * 60_000);
  expect(await refusalOf(till.sell({ CustomerToken, Amount: "10.00" }))).toMatchObject(invalid);
  // What has arrived before is recognised before the token is judged.
  expect((await till.sell(sold)).Points.Earned).toBe(10);
});

test("a web shop names its signed-in customer by the sub; after an erasure the sale is kept, unnamed", async () => {
  const shop = await openShop();
  const member = await addMember();
  const sold = { Sub: member.subject, Amount: "10.00" };
  expect(await shop.sell(sold)).toMatchObject({ Points: { Earned: 10 } });
  await database.execute(sql`delete from customer where id = ${member.id}`);
  expect(await shop.sell(sold)).toMatchObject({ Customer: "unknown", ClaimCode: expect.any(String) });
});

test("a key that is unknown, revoked or past its end opens nothing; one without the scope is told so", async () => {
  const till = await openShop();
  const member = await addMember();
  const invalid = { status: 401, code: "key_invalid" };
  const identify = (key?: string) => refusalOf(as(key)(calls.identify, { CardNumber: member.card }));
  const [, prefix = ""] = till.key.split("_");
  for (const key of [undefined, "x", member.token, `${till.key.slice(0, -1)}_`, till.key.replace("cercle_", "other_")])
    expect(await identify(key)).toMatchObject(invalid);
  expect(await refusalOf(as(member.token)(calls.quote, { Amount: "1.00" }))).toMatchObject(invalid);
  expect(await refusalOf(as(till.key)(readCustomer))).toMatchObject({ status: 401, code: "not_signed_in" });
  const looks = await openShop("Look-up", ["identify"]);
  expect(await refusalOf(looks.sell({ Amount: "1.00" }))).toMatchObject({ status: 403, code: "scope_missing" });
  const sells = await openShop("Sells", ["sell"]);
  const ReturnOf = { OriginalReceiptNumber: "1" };
  expect(await refusalOf(sells.sell({ Amount: "1.00", ReturnOf }))).toMatchObject({ status: 403 });
  const Items = JSON.stringify([{ Kind: "return", ReceiptNumber: "1", OriginalReceiptNumber: "2" }]);
  const { Outcomes } = await sells.call(calls.postBatch, { Items, SentAt: clock.now.toISOString() });
  expect(Outcomes).toMatchObject([{ Status: 403, Problem: { code: "scope_missing" } }]);
  await database.execute(sql`update shop_key set ends_at = ${clock.now.toISOString()} where prefix = ${prefix}`);
  expect(await identify(till.key)).toMatchObject(invalid);
  await database.execute(sql`update shop_key set ends_at = null where prefix = ${prefix}`);
  expect(await identify(till.key)).toMatchObject({ status: undefined });
  expect(await revokeKey(database, prefix, clock.now)).toBe(true);
  expect(await identify(till.key)).toMatchObject(invalid);
});

test("guessing cards or vouchers is stopped after 30 failed attempts in a minute, look-ups by address after 60", async () => {
  const [guesser, looker] = [await openShop(), await openShop()];
  const member = await addMember();
  const guess = () => refusalOf(guesser.call(calls.identify, { CardNumber: "2900000000001" }));
  for (let n = 0; n < 28; n += 1) expect((await guess()).status).toBe(404);
  const VoucherCodes = "ZZZZZZZZZZZZ";
  await guesser.call(calls.quote, { Amount: "10.00", VoucherCodes });
  expect((await refusalOf(guesser.sell({ Amount: "10.00", VoucherCodes }))).code).toBe("voucher_unknown");
  const many = { status: 429, code: "too_many" };
  expect(await guess()).toMatchObject(many);
  expect(await refusalOf(guesser.call(calls.identify, { CardNumber: member.card }))).toMatchObject(many);
  expect(await refusalOf(guesser.sell({ Amount: "10.00", VoucherCodes }))).toMatchObject(many);
  // Selling goes on.
  expect((await guesser.sell({ CardNumber: member.card, Amount: "10.00" })).Points.Earned).toBe(10);
  const looks = () => refusalOf(looker.call(calls.identify, { Email: member.email }));
  for (let n = 0; n < 60; n += 1) expect((await looks()).status).toBeUndefined();
  expect(await looks()).toMatchObject(many);
  clock.now = new Date(clock.now.getTime() + 60_000);
  expect((await looks()).status).toBeUndefined();
});

test("a key makes 600 calls a minute, and no more", async () => {
  const till = await openShop();
  const ask = () => refusalOf(till.call(calls.quote, { Amount: "1.00" }));
  const results = [];
  for (let n = 0; n < 13; n += 1) results.push(...(await Promise.all(Array.from({ length: 50 }, ask))));
  expect(results.filter(({ code }) => code === "too_many")).toHaveLength(50);
});

test("the key of a web shop makes 3 000 calls a minute", async () => {
  const shop = await openWebShop();
  const member = await addMember();
  const find = () => shop.call(calls.identify, { CardNumber: member.card });
  await find();
  await database.execute(sql`update shop_key_use set calls = 2999`);
  await find();
  expect((await refusalOf(find())).code).toBe("too_many");
});

/** A voucher that has been used: anyone who has one can send it beside the cards they guess. */
async function usedVoucher() {
  const member = await addMember(250);
  const VoucherCodes = await member.obtain();
  await (await openShop()).sell({ CardNumber: member.card, Amount: "60.00", VoucherCodes });
  return { member, VoucherCodes };
}
const unknownCard = (n: number) => String(2_900_000_100_000 + n);

test("a voucher beside the card is no way to guess cards: neither in a quote nor in a sale that is refused", async () => {
  const { member, VoucherCodes } = await usedVoucher();
  const stranger = await addMember();
  const many = { status: 429, code: "too_many" };
  const [quoter, seller] = [await openShop(), await openShop()];
  const quote = (CardNumber: string) =>
    refusalOf(quoter.call(calls.quote, { Amount: "10.00", CardNumber, VoucherCodes }));
  const sell = (CardNumber: string) => refusalOf(seller.sell({ Amount: "10.00", CardNumber, VoucherCodes }));
  // The owner's own card is no guess, however often the voucher is tried.
  for (let n = 0; n < 31; n += 1) {
    expect((await quote(member.card)).status).toBeUndefined();
    expect(await sell(member.card)).toMatchObject({ code: "voucher_used" });
  }
  for (let n = 0; n < 30; n += 1) {
    expect((await quote(unknownCard(n))).status).toBeUndefined();
    expect(await sell(unknownCard(n))).toMatchObject({ code: "voucher_used" });
  }
  for (const card of [unknownCard(30), stranger.card]) {
    expect(await quote(card)).toMatchObject(many);
    expect(await sell(card)).toMatchObject(many);
  }
  // Selling without a voucher goes on.
  expect((await seller.sell({ CardNumber: stranger.card, Amount: "10.00" })).Points.Earned).toBe(10);
});

test.each(["cards", "vouchers"])("a batch is no way to guess %s either", async (what) => {
  const { VoucherCodes } = await usedVoucher();
  const { card } = await addMember();
  const shop = await openShop();
  const guess = (n: number) =>
    what === "cards"
      ? { CardNumber: unknownCard(n), VoucherCodes }
      : { VoucherCodes: `ZZZZZZZZZZ${"BCDFGHJKLM"[Math.floor(n / 10)]}${"BCDFGHJKLM"[n % 10]}` };
  const SentAt = clock.now.toISOString();
  const purchase = (fields: object) => ({
    ...{ Kind: "purchase", ReceiptNumber: shop.newNumber(), SoldAt: SentAt, Amount: "10.00" },
    ...fields,
  });
  const send = async (items: object[]) =>
    (await shop.call(calls.postBatch, { Items: JSON.stringify(items), SentAt })).Outcomes;
  const guesses = Array.from({ length: 99 }, (_, n) => purchase(guess(n)));
  const outcomes = await send([...guesses, purchase({ CardNumber: card })]);
  expect(outcomes.filter(({ Status }) => Status === 409)).toHaveLength(30);
  expect(outcomes.filter(({ Status }) => Status === 429)).toHaveLength(69);
  expect(outcomes.at(-1)).toMatchObject({ Status: 200, Answer: { Points: { Earned: 10 } } });
  expect(await send([purchase(guess(0))])).toMatchObject([{ Status: 429, Problem: { code: "too_many" } }]);
});

test("of a hundred quotes of a key at once with unknown cards no more than a few are answered beyond thirty", async () => {
  const till = await openShop();
  const quotes = Array.from({ length: 100 }, (_, n) =>
    refusalOf(till.call(calls.quote, { Amount: "10.00", CardNumber: String(2_900_000_002_000 + n) })),
  );
  const answered = (await Promise.all(quotes)).filter(({ status }) => status === undefined);
  // Four calls of a key run at once.
  expect(answered.length).toBeGreaterThanOrEqual(30);
  expect(answered.length).toBeLessThan(34);
});

test("no statement of shops and tills numbers its parameters by hand", () => {
  const sources = ["src/shop", "src/till"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const numbered = sources.filter((file) => file.endsWith(".server.ts") && /[ (]\$\d/.test(readFileSync(file, "utf8")));
  expect(numbered).toEqual([]);
});
