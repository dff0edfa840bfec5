import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unsubscribe } from "#loyalty/calls.ts";
import * as calls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, addTill, clock, fetch, openWebShop } = await openTestShop();
const read = (query: string, headers: Record<string, string> = {}) => fetch(`/api/embed?${query}`, { headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("what prices earn is the same for everybody, may be cached for a minute and read by any site", async () => {
  const response = await read("Amounts=89.90,abc,0.50,50&LanguageIsoCode=en");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "cache-control": "public, max-age=60",
    vary: "accept-language, authorization, cookie",
  });
  expect(await response.json()).toEqual({
    // What is no price in the club's currency has no line.
    Earn: [
      { Amount: "89.90", Points: 89, Text: "Earn 89 points" },
      { Amount: "0.50", Points: 0, Text: "Earn 0 points" },
    ],
    Join: { Text: expect.stringContaining("Join"), Url: expect.stringContaining("/en/") },
    Customer: null,
  });
  const etag = response.headers.get("etag") ?? "";
  const again = await read("Amounts=89.90,abc,0.50,50&LanguageIsoCode=en", { "if-none-match": etag });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect((await read("Amounts=89.90&LanguageIsoCode=de", { "if-none-match": etag })).status).toBe(200);
});

test("a token of the shop's server shows its customer for five minutes, and no cache stores it", async () => {
  const [shop, member] = [await openWebShop(), await addMember(2_000)];
  const { EmbedToken, ExpiresAt } = await shop.call(calls.openEmbed, { Sub: member.subject });
  expect(ExpiresAt).toBe(new Date(clock.now.getTime() + 5 * 60_000).toISOString());
  const response = await read("Amounts=100.00&LanguageIsoCode=en", bearer(EmbedToken));
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  const { Customer, Earn } = await response.json();
  expect(Customer).toMatchObject({ Name: "Camille L.", CardNumber: member.card, PointsText: "2,250 points" });
  expect(Customer.Bars.reduce((sum: number, width: number) => sum + width, 0)).toBe(95);
  // By the multiplier of the status.
  expect(Earn[0].Points).toBe(125);

  const start = clock.now;
  clock.now = new Date(start.getTime() + 5 * 60_000);
  const late = await read("LanguageIsoCode=en", bearer(EmbedToken));
  expect(late.headers.get("cache-control")).toBe("private, no-store");
  expect((await late.json()).Customer).toBeNull();
  clock.now = start;
  await member.call(unsubscribe);
  expect((await (await read("", bearer(EmbedToken))).json()).Customer).toBeNull();
});

test("a token opens nothing else, no other token opens the elements, and making one needs the scope", async () => {
  const [shop, member] = [await openWebShop(), await addMember()];
  const { EmbedToken } = await shop.call(calls.openEmbed, { Sub: member.subject });
  expect((await fetch("/api/loyalty/customer", { headers: bearer(EmbedToken) })).status).toBe(401);
  const sold = shop.sell({ CustomerToken: EmbedToken, Amount: "10.00", Currency: "EUR" });
  expect((await refusalOf(sold)).status).toBe(400);
  const [identified] = (await shop.call(calls.identify, { Sub: member.subject })).Customers;
  for (const token of [member.token, identified?.CustomerToken ?? "", "x"])
    expect((await (await read("", bearer(token))).json()).Customer).toBeNull();
  const limited = await addTill(shop.shopId, ["identify", "sell"], 2);
  expect((await refusalOf(limited.call(calls.openEmbed, { Sub: member.subject }))).code).toBe("scope_missing");
  const unknown = shop.call(calls.openEmbed, { Sub: "00000000-0000-4000-8000-000000000000" });
  expect((await refusalOf(unknown)).code).toBe("not_found");
});

test("texts are those of the language that the page names", async () => {
  for (const [language, words] of [
    ["fr", "Gagnez 89 points"],
    ["de", "89 Punkte sammeln"],
  ]) {
    const { Earn } = await (await read(`Amounts=89.90&LanguageIsoCode=${language}`)).json();
    expect(Earn[0].Text).toBe(words);
  }
});

test("script and style sheet are small, for any site, and the browser may ask before it sends a token", async () => {
  for (const [file, mostBytes] of [
    ["cercle.js", 6_000],
    ["cercle.css", 1_000],
  ] as const) {
    const response = await fetch(`/embed/${file}`, { headers: { "accept-encoding": "gzip" } });
    const zipped = Buffer.from(await response.arrayBuffer());
    expect(zipped.length).toBeLessThan(mostBytes);
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(gunzipSync(zipped).toString()).toBe(await (await fetch(`/embed/${file}`)).text());
  }
  const asked = await fetch("/api/embed", { method: "OPTIONS" });
  expect([asked.status, asked.headers.get("access-control-allow-headers")]).toEqual([204, "authorization"]);
});
