import { brotliDecompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { readProgramme } from "#loyalty/calls.ts";
import type { Changes } from "#platform/database/changes.server.ts";
import { enter, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { createFindProgramme } from "./programme.server.ts";

const { call, fetch, database, product } = await openTestProduct();

test("the programme is the specification's: 250 welcome points, three tiers, 250 points for 10 euros", async () => {
  const programme = await call(readProgramme, { LanguageIsoCode: "de-DE" });
  expect(programme.IdLoyaltyProgram).toBe(4);
  expect(programme.WelcomePoints).toBe(250);
  expect(programme.Tiers.map((tier) => [tier.Name, tier.PointsRequired])).toEqual([
    ["Baumwolle", 0],
    ["Seide", 1000],
    ["Kaschmir", 3000],
  ]);
  expect(programme.Rewards.map((reward) => [reward.Points, reward.Value.Amount])).toEqual([
    [250, "10.00"],
    [500, "20.00"],
    [1250, "50.00"],
  ]);
});

test("the programme is compressed as the client accepts it; what belongs to one customer never is", async () => {
  const headers = { "accept-encoding": "gzip, br" };
  const plain = await (await fetch("/api/loyalty/programme")).text();
  const response = await fetch("/api/loyalty/programme", { headers });
  expect(response.headers.get("content-encoding")).toBe("br");
  expect(response.headers.get("vary")).toBe("accept-language, cookie, accept-encoding");
  expect(brotliDecompressSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(plain);
  const { Token } = await enter(call, registrationForm({ LoyaltySubscribe: true }));
  const own = await fetch("/api/loyalty/customer", { headers: { ...headers, authorization: `Bearer ${Token}` } });
  expect((await own.text()).length).toBeGreaterThan(1_024);
  expect(own.headers.get("content-encoding")).toBeNull();
});

test.each(["0", "-1", "4.0", "1e9", "NaN", "9007199254740993", "4'"])(
  "the id %s is refused as malformed",
  async (id) => {
    const response = await fetch(`/api/loyalty/programme?IdLoyaltyProgram=${encodeURIComponent(id)}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid",
      errors: [{ field: "IdLoyaltyProgram", code: "invalid" }],
    });
  },
);

test.each(["5", "2147483648", "9007199254740991"])("programme %s is unknown", async (id) => {
  expect((await fetch(`/api/loyalty/programme?IdLoyaltyProgram=${id}`)).status).toBe(404);
});

test("unknown programmes are not kept in memory", async () => {
  const asked: unknown[] = [];
  const changes: Changes = {
    ...product.changes,
    cache: (_, load) => (key) => {
      asked.push(key);
      return load(key);
    },
  };
  const find = createFindProgramme(database, changes);
  for (const id of [5, 4, 6]) await find(id, new Date()).catch(() => {});
  expect(asked).toEqual([4]);
});

test("another currency is refused, and both spellings of the query are accepted", async () => {
  const refused = await fetch("/api/loyalty/programme?currency=USD&languageIsoCode=en");
  expect(refused.status).toBe(400);
  expect((await refused.json()).errors).toEqual([
    { field: "CurrencyIsoCode", code: "currency", message: "Amounts are in euros here" },
  ]);
});

test.each([
  ["fr", "Coton"],
  ["en-US", "Cotton"],
  ["de", "Baumwolle"],
  ["xx", "Coton"],
])("the response is in the caller's language: %s", async (language, name) => {
  const response = await fetch("/api/loyalty/programme", { headers: { "accept-language": language } });
  expect((await response.json()).Tiers[0].Name).toBe(name);
});

test("a change of the programme is shown at once, by the API and by the pages", async () => {
  await product.changes.start();
  afterAll(() => product.changes.stop());
  const shown = async () => [
    (await call(readProgramme)).WelcomePoints,
    (await (await fetch("/loyalty")).text()).includes("275"),
  ];
  expect(await shown()).toEqual([250, false]);
  await publishNow(database, { welcomePoints: 275 });
  await expect.poll(() => shown()).toEqual([275, true]);
  await publishNow(database, { welcomePoints: 250 });
  await expect.poll(() => shown()).toEqual([250, false]);
});
