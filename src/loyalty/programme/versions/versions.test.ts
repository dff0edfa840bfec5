import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createServer } from "#app/server.ts";
import { listCustomerRewards, obtainReward, readHistory, readLoyalty, readProgramme } from "#loyalty/calls.ts";
import { queryProgramme } from "#loyalty/programme/programme.server.ts";
import { createCall } from "#platform/api/client/client.ts";
import { openDatabase } from "#platform/database/database.server.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { lockVersions, rulesOf, withdrawVersion } from "./versions.server.ts";

const shop = await openTestShop();
const { addMember, call, clock, database, databaseUrl, log, openShop, product, settings } = shop;
const after = (seconds: number) => new Date(clock.now.getTime() + seconds * 1_000);

const original = rulesOf(await queryProgramme(database, 4, clock.now));
beforeEach(async () => {
  clock.now = after(3_600);
  await publishNow(database, original, { now: clock.now });
});

/** A second process of the product, on the same database and the same clock. */
function openSecond() {
  const own = openDatabase(databaseUrl);
  const assetsOf = () => ({ script: "/browser.js", styles: [], preload: [], fonts: [] });
  const second = createServer({ settings, database: own, log, assetsOf, now: () => clock.now });
  afterAll(() => own.$client.end());
  const fetch = (path: string, init?: RequestInit) =>
    second.fetch(new Request(new URL(path, settings.publicUrl), init), { address: "192.0.2.2" });
  return { second, call: createCall(async (path, init) => fetch(path, init)), fetch };
}

test("a version published a minute ahead is in force at that minute in two processes at once", async () => {
  const { second, call: secondCall, fetch: secondFetch } = openSecond();
  await Promise.all([product.changes.start(), second.changes.start()]);
  const gifts = async () => [
    (await call(readProgramme)).WelcomePoints,
    (await secondCall(readProgramme)).WelcomePoints,
  ];
  expect(await gifts()).toEqual([250, 250]);
  const start = after(60);
  await publishNow(database, { welcomePoints: 321 }, { now: clock.now, startsAt: start });
  const told = async () => {
    const response = await secondFetch("/api/loyalty/programme");
    return response.headers.get("cache-control");
  };
  clock.now = new Date(start.getTime() - 20_000);
  // Both have heard of it; caches on the way are told to ask again when it begins.
  await expect.poll(() => told()).toBe("public, max-age=20");
  clock.now = new Date(start.getTime() - 1);
  expect(await gifts()).toEqual([250, 250]);
  // From here on the database is not asked: what begins later was read with the rest.
  clock.now = start;
  expect(await gifts()).toEqual([321, 321]);
  expect(await (await secondFetch("/loyalty")).text()).toContain("321");
  expect(await told()).toBe("public, max-age=60");
  await Promise.all([product.changes.stop(), second.changes.stop()]);
});

test("a purchase a second before keeps the old rule, also when it arrives later and when it is returned", async () => {
  const till = await openShop();
  const member = await addMember();
  const start = after(60);
  await publishNow(database, { pointsPerEuro: 3 }, { now: clock.now, startsAt: start });
  clock.now = after(90);
  const sell = (SoldAt: Date, ReceiptNumber: string) =>
    till.sell({ CardNumber: member.card, Amount: "100.00", SoldAt: SoldAt.toISOString(), ReceiptNumber });
  const before = new Date(start.getTime() - 1_000);
  expect((await sell(before, "V-before")).Points.Earned).toBe(100);
  expect((await sell(start, "V-after")).Points.Earned).toBe(300);
  const quoted = await till.call(shopCalls.quote, { CardNumber: member.card, Amount: "100.00" });
  expect(quoted.Points.Earned).toBe(300);
  expect((await till.takeBack("V-before")).Points.Taken).toBe(100);
  expect((await till.takeBack("V-after")).Points.Taken).toBe(300);
});

test("thresholds, rewards and their price change at the start; what was obtained stays", async () => {
  const member = await addMember(700);
  const [one] = (await member.call(listCustomerRewards)).CustomerRewards;
  expect(one).toBeUndefined();
  await member.call(obtainReward, { IdLoyaltyReward: "1" });
  const tierOf = async () => (await member.call(readLoyalty)).Tier?.Name;
  expect(await tierOf()).toBe("Coton");
  const start = after(60);
  await publishNow(
    database,
    ({ tiers, rewards }) => ({
      tiers: tiers.map((tier) => (tier.id === 2 ? { ...tier, pointsRequired: 500 } : tier)),
      rewards: rewards.filter(({ id }) => id !== 1).map((reward) => ({ ...reward, points: reward.points + 50 })),
    }),
    { now: clock.now, startsAt: start },
  );
  expect(await tierOf()).toBe("Coton");
  clock.now = start;
  expect(await tierOf()).toBe("Soie");
  expect(await refusalOf(member.call(obtainReward, { IdLoyaltyReward: "1" }))).toMatchObject({ code: "not_found" });
  const { Points } = await member.call(obtainReward, { IdLoyaltyReward: "2" });
  // 250 of joining, 700, less 250 and 550.
  expect(Points.Available).toBe(150);
  const vouchers = await member.call(listCustomerRewards);
  expect(vouchers.CustomerRewards.map(({ Value }) => Value.Amount)).toEqual(["10.00", "20.00"]);
  const { Entries } = await member.call(readHistory);
  expect(Entries.map(({ Label }) => Label)).toContain(vouchers.CustomerRewards[0]?.Name);
  const till = await openShop();
  const code = vouchers.CustomerRewards[0]?.Code ?? "";
  const sold = await till.sell({ CardNumber: member.card, Amount: "60.00", VoucherCodes: code });
  expect(sold.Vouchers).toMatchObject([{ Taken: "10.00" }]);
});

test("who was in a tier that a version removes has the next below; a receipt still names the tier it was sold at", async () => {
  const member = await addMember(4_000);
  const till = await openShop();
  const sale = {
    CardNumber: member.card,
    Amount: "10.00",
    ReceiptNumber: "V-removed",
    SoldAt: clock.now.toISOString(),
  };
  expect((await till.sell(sale)).Tier?.Name).toBe("Cachemire");
  clock.now = after(60);
  await publishNow(database, ({ tiers }) => ({ tiers: tiers.filter(({ id }) => id !== 3) }), { now: clock.now });
  expect((await member.call(readLoyalty)).Tier?.Name).toBe("Soie");
  expect((await till.sell(sale)).Tier?.Name).toBe("Cachemire");
});

test.each([
  "update loyalty_tier set points_required = points_required + 1 where programme_id = 4",
  "update loyalty_programme set welcome_points = 1 where id = 4",
  "delete from loyalty_event where programme_id = 4",
  "update loyalty_programme set withdrawn_at = now() where id = 4",
  `insert into loyalty_reward (programme_id, id, points, amount_cents, valid_days, name, description)
   select 4, 99, 1, 1, 1, name, description from loyalty_reward where programme_id = 4 and id = 1`,
])("a version is never edited: %s", async (statement) => {
  const refused = await database.execute(sql.raw(statement)).then(
    () => undefined,
    (error: Error) => error.cause ?? error,
  );
  expect(refused).toMatchObject({ code: "23001" });
});

test("a version is withdrawn before it begins, and not after", async () => {
  const start = after(60);
  const withdraw = (number: number) => withdrawVersion(database, 4, number, { now: clock.now, startsAfter: clock.now });
  const version = await publishNow(database, { welcomePoints: 999 }, { now: clock.now, startsAt: start });
  expect(await withdraw(version)).toBe(true);
  expect(await withdraw(version)).toBe(false);
  clock.now = start;
  expect((await call(readProgramme)).WelcomePoints).not.toBe(999);
  const other = await publishNow(database, { welcomePoints: 260 }, { now: clock.now });
  expect(await withdraw(other)).toBe(false);
});

test("when a version begins, every pass is looked at again", async () => {
  const member = await addMember();
  await database.execute(sql`insert into google_pass (customer_id, issued_at) values (${member.id}, now())`);
  await publishNow(database, {}, { now: clock.now });
  const jobs = async (key: string | null, name: string) =>
    (
      await database.execute(sql`
        select from graphile_worker.jobs where task_identifier = ${name} and key is not distinct from ${key}`)
    ).rowCount;
  expect(await jobs(null, "loyalty:version-begins")).toBeGreaterThan(0);
  await product.jobs["loyalty:version-begins"]?.({}, database);
  expect(await jobs(`wallet:${member.id}`, "loyalty:wallet")).toBe(1);
});

test("of two who publish at once each gets a number of its own", async () => {
  const numbers = await Promise.all([1, 2, 3].map(() => publishNow(database, {}, { now: clock.now })));
  expect(new Set(numbers).size).toBe(3);
  const { next } = await database.transaction((tx) => lockVersions(tx, 4));
  expect(next).toBe(Math.max(...numbers) + 1);
});
