import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { refusalOf } from "#testing/club.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addManager, addMember, clock, database, fetch, newCode, openBrowser, openShop, openTill, pairTill, product } =
  await openTestTill({
    RATE_LIMITS: "on",
    PUBLIC_URL: "https://cercle.example",
    SANDBOX: "on",
  });

beforeEach(async () => {
  await database.execute(sql`delete from rate_limit`);
});

test("a code makes one browser a till; the cookie is for the server alone", async () => {
  const { shopId } = await openShop("Cercle Lyon");
  const Code = await newCode(shopId, "Cabines");
  expect(Code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
  const browser = openBrowser();
  const never = { Paired: false, Revoked: false, Staff: [], SignedIn: null };
  expect(await browser.call(calls.readState)).toMatchObject(never);
  const body = new URLSearchParams({ Code: ` ${Code.slice(0, 4).toLowerCase()}-${Code.slice(4)} ` });
  const paired = await browser.browse("/api/till/pair", { method: "POST", body });
  expect(await paired.json()).toEqual({ IdShop: shopId, ShopName: "Cercle Lyon", TillName: "Cabines" });
  const [cookie] = paired.headers.getSetCookie();
  expect(cookie).toMatch(/^till\.device=.*; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  const till = { Paired: true, Revoked: false, IdShop: shopId, TillName: "Cabines" };
  expect(await browser.call(calls.readState)).toMatchObject(till);
  const again = openBrowser();
  expect(await refusalOf(again.call(calls.pair, { Code }))).toMatchObject({ code: "pairing_invalid", status: 409 });
  const { rows } = await database.execute(sql`select * from till_pairing`);
  expect(JSON.stringify(rows)).not.toContain(Code);
});

test("of ten browsers that enter one code at once, one is a till", async () => {
  const { shopId } = await openShop();
  const Code = await newCode(shopId);
  const tried = Array.from({ length: 10 }, async () =>
    openBrowser()
      .call(calls.pair, { Code })
      .then(
        () => 1,
        () => 0,
      ),
  );
  expect((await Promise.all<number>(tried)).reduce((a, b) => a + b)).toBe(1);
  const { rows } = await database.execute(sql`select from shop_key where shop_id = ${shopId} and kind = 'till'`);
  expect(rows).toHaveLength(1);
});

test("a code works for ten minutes", async () => {
  const { shopId } = await openShop();
  const [good, late] = [await newCode(shopId), await newCode(shopId)];
  const start = clock.now;
  clock.now = new Date(start.getTime() + 599_000);
  expect(await openBrowser().call(calls.pair, { Code: good })).toMatchObject({ TillName: "Caisse 1" });
  clock.now = new Date(start.getTime() + 600_000);
  expect(await refusalOf(openBrowser().call(calls.pair, { Code: late }))).toMatchObject({ code: "pairing_invalid" });
  clock.now = start;
});

/** Tries a code from an address. */
const tryFrom = async (address: string, code: string) => {
  const request = new Request("https://cercle.example/api/till/pair", {
    method: "POST",
    body: new URLSearchParams({ Code: code }),
  });
  return (await product.fetch(request, { address })).status;
};

test("strangers with a few networks do not keep everybody from pairing", async () => {
  const { shopId } = await openShop();
  for (let network = 0; network < 11; network += 1)
    for (let n = 0; n < 10; n += 1) expect(await tryFrom(`198.18.7.${network}`, "ZZZZZZZZ")).not.toBe(200);
  expect(await tryFrom("198.18.8.1", await newCode(shopId))).toBe(200);
});

test("wrong codes are limited by address and everywhere; right ones are not counted", async () => {
  const { shopId } = await openShop();
  for (let n = 0; n < 12; n += 1) expect(await tryFrom("198.51.100.1", await newCode(shopId))).toBe(200);
  for (let n = 0; n < 10; n += 1) expect(await tryFrom("198.51.100.1", "ZZZZZZZZ")).toBe(409);
  expect(await tryFrom("198.51.100.1", await newCode(shopId))).toBe(429);
  expect(await tryFrom("198.51.100.2", await newCode(shopId))).toBe(200);
  await database.execute(sql`update rate_limit set points = 10000 where key like 'pair-everywhere:%'`);
  expect(await tryFrom("198.51.100.3", await newCode(shopId))).toBe(429);
  await database.execute(sql`delete from rate_limit where key like 'pair-everywhere:%'`);
});

test("a revoked till is out at once, and so are its person and what it holds; it learns why, and no more", async () => {
  const till = await openTill();
  const [prefix] = till.cookies.get("till.device")?.split(".") ?? [];
  await till.sell({ Amount: "10.00" });
  await database.execute(sql`update shop_key set revoked_at = ${clock.now.toISOString()} where prefix = ${prefix}`);
  expect(await refusalOf(till.sell({ Amount: "10.00" }))).toMatchObject({ code: "not_paired", status: 401 });
  const none = { Paired: false, IdShop: null, ShopName: null, TillName: null, Staff: [], SignedIn: null };
  expect(await till.call(calls.readState)).toMatchObject({ ...none, Revoked: true });
  // Who knows the till's prefix alone learns nothing.
  const guessed = { headers: { cookie: `till.device=${prefix}.${"A".repeat(43)}` } };
  expect(await (await fetch("/api/till/state", guessed)).json()).toMatchObject({ ...none, Revoked: false });
});

test("what waited on a till that was revoked is sent by the till that the device is next, and counts once", async () => {
  const till = await openTill();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  const item = { Kind: "purchase", ReceiptNumber, ...till.moments(), Amount: "40.00", CardNumber: member.card };
  const batch = { Items: JSON.stringify([{ ...item, IdStaff: till.person.id }]), SentAt: till.moments().SentAt };
  const [prefix] = till.cookies.get("till.device")?.split(".") ?? [];
  // The server has counted it, but the response was lost.
  await till.call(calls.postBatch, batch);
  await database.execute(sql`update shop_key set revoked_at = ${clock.now.toISOString()} where prefix = ${prefix}`);
  expect(await refusalOf(till.call(calls.postBatch, batch))).toMatchObject({ code: "not_paired" });
  await till.call(calls.pair, { Code: await newCode(till.shopId) });
  await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
  const { Outcomes } = await till.call(calls.postBatch, batch);
  expect(Outcomes).toMatchObject([{ Status: 200, Answer: { Points: { Earned: 40, Available: 290 } } }]);
});

test("a browser that is paired again is the new till alone; one that unpairs itself is none", async () => {
  const { shopId } = await openShop();
  const browser = await pairTill(shopId);
  const before = browser.cookies.get("till.device") ?? "";
  await browser.call(calls.pair, { Code: await newCode(shopId) });
  const old = await fetch("/api/till/state", { headers: { cookie: `till.device=${before}` } });
  expect(await old.json()).toMatchObject({ Paired: false });
  const till = await openTill(shopId);
  const copied = `till.device=${till.cookies.get("till.device")}`;
  // An assistant's PIN is not enough, nor is a wrong one; five wrong ones lock that person as at the sign-in.
  const assistant = { IdStaff: till.person.id, Pin: till.person.pin };
  expect(await refusalOf(till.call(calls.unpair, assistant))).toMatchObject({ code: "forbidden" });
  const manager = await addManager(shopId);
  const decide = (Pin: string) => till.call(calls.unpair, { IdStaff: manager.id, Pin });
  expect(await refusalOf(decide(manager.pin === "135790" ? "135791" : "135790"))).toMatchObject({ code: "wrong_pin" });
  expect(await till.call(calls.readState)).toMatchObject({ Paired: true });
  await decide(manager.pin);
  expect([...till.cookies.keys()]).toEqual([]);
  expect(await (await fetch("/api/till/state", { headers: { cookie: copied } })).json()).toMatchObject({
    Paired: false,
  });
});
