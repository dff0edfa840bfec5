import { sql } from "drizzle-orm";
import { campaigns } from "#loyalty/ledger/campaign.tables.server.ts";
import { segments, segmentVersions } from "#loyalty/segments/segment.tables.server.ts";
import type { Segment } from "#loyalty/segments/segment.ts";
import { writeStatement } from "#loyalty/segments/segment-statement.server.ts";
import { keyScopes } from "#shop/keys/key-scopes.ts";
import { addShop, createKey } from "#shop/keys/keys.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import { type BareCampaign, barePurchase } from "./bare-purchase.ts";
import type { Fresh } from "./cluster.ts";
import { openSide, requests } from "./http.ts";
import { compare, median, ms, perSecond, type Result, race, rate } from "./measures.ts";
import { createProduct, publicUrl, registerMember } from "./product.ts";

const workers = 8;
/** So many that none of them buys as often in a day as a person would have to look at. */
const members = 160;
const dayMs = 24 * 3_600_000;
const lines = [
  { Line: "1", Amount: "89.90" },
  { Line: "2", Amount: "39.95" },
];
const codedLines = [
  { ...lines[0], PriceType: "full", Codes: ["knitwear", "winter"] },
  { ...lines[1], PriceType: "sale", Codes: ["denim"] },
];

/** Purchases one after the other: each with a number of its own, spread over members and days, since more than five wait. */
export function createPurchases(cards: string[]) {
  let count = 0;
  return (sold: readonly object[] = lines) => {
    count += 1;
    const now = Date.now();
    return {
      ReceiptNumber: `B-${count}-${now}`,
      CardNumber: cards[count % cards.length] ?? "",
      SoldAt: new Date(now - (Math.floor(count / cards.length / 5) % 44) * dayMs).toISOString(),
      SentAt: new Date(now).toISOString(),
      Lines: JSON.stringify(sold),
    };
  };
}

export async function openShop(database: Fresh["database"], name: string) {
  const shopId = await addShop(database, { name, city: "Paris", kind: "boutique" });
  // A till for each worker, as in a shop.
  const keys: string[] = [];
  for (let n = 0; n < workers; n += 1)
    keys.push(await createKey(database, { shopId, name: `Till ${n}`, scopes: keyScopes, now: new Date() }));
  return {
    shopId,
    prefix: keys[0]?.split("_")[1] ?? "",
    headersOf: (worker: number) => ({ authorization: `Bearer ${keys[worker]}` }),
  };
}

export async function measureShop({ database, pool }: Fresh): Promise<Result[]> {
  const product = createProduct(database);
  await product.changes.start();
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await product.fetch(new Request(`${publicUrl}/api/${path}`, init));
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const cards: string[] = [];
  for (let n = 0; n < members; n += 1) {
    const { headers } = await registerMember(ask, `shop-${n}`);
    cards.push((await ask("loyalty/customer", { headers })).Card.Number);
  }
  const [small, bareShop, large] = [
    await openShop(database, "Small"),
    await openShop(database, "Bare"),
    await openShop(database, "Large"),
  ];
  await pool.query(
    `with receipts as (
       insert into shop_receipt select $1, 'old-' || n, '\\x00', now() from generate_series(1, 100000) n returning number)
     insert into shop_sale (shop_id, number, key_prefix, sold_at, whole, lines, vouchers, earned)
     select $1, number, $2, now(), true, '[]', '[]', 0 from receipts`,
    [large.shopId, large.prefix],
  );
  await pool.query("analyze");

  const next = createPurchases(cards);
  const post =
    ({ headersOf }: typeof small, sold?: readonly object[]) =>
    (worker = 0) =>
      ask("shop/purchase", { method: "POST", body: new URLSearchParams(next(sold)), headers: headersOf(worker) });
  const sellBare = barePurchase(pool);
  const bare = () => sellBare(next(), bareShop.prefix);
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (const work of [post(small), bare]) await rate(workers, 0.5, work);
  for (let round = 0; round < 8; round += 1) {
    rates.bare.push(await rate(workers, 0.4, bare));
    rates.ours.push(await rate(workers, 0.4, post(small)));
  }
  const withCampaign = await measureCampaign({
    database,
    post: post(small, codedLines),
    bareWith: (campaign) => {
      const sell = barePurchase(pool, campaign);
      return () => sell(next(codedLines), bareShop.prefix);
    },
  });
  const grown = await compare(post(large), post(small), 150);

  const url = String(database.$client.options.connectionString);
  const [ours, bareSide] = [await openSide("product", url), await openSide("shop", url)];
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const lookUp = (side: typeof ours) =>
    requests(side, (worker) => ({
      method: "POST",
      path: "/api/shop/identify",
      headers: { ...small.headersOf(worker), ...form },
      body: `CardNumber=${cards[Math.floor(Math.random() * cards.length)]}&EntryMode=scanned`,
    }));
  const identifying = await race(lookUp(ours), lookUp(bareSide));
  const selling = (side: typeof ours) =>
    requests(side, (worker) => ({
      method: "POST",
      path: "/api/shop/purchase",
      headers: { ...small.headersOf(worker), ...form },
      body: new URLSearchParams(next()).toString(),
    }));
  const p99 = { idle: [] as number[], busy: [] as number[], bareIdle: [] as number[], bareBusy: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    p99.idle.push(await percentile99(lookUp(ours)));
    p99.bareIdle.push(await percentile99(lookUp(bareSide)));
    p99.busy.push(await percentile99(lookUp(ours), selling(ours)));
    p99.bareBusy.push(await percentile99(lookUp(bareSide), selling(bareSide)));
  }
  const [idle, busy] = [median(p99.idle), median(p99.busy)];
  const [bareIdle, bareBusy] = [median(p99.bareIdle), median(p99.bareBusy)];
  for (const side of [ours, bareSide]) side.close();
  await product.changes.stop();
  return [
    {
      what: `purchase with two lines, ${workers} at once: API to bare SQL with the same writes`,
      metrics: `${perSecond(median(rates.ours))} to ${perSecond(median(rates.bare))}`,
      ratio: median(rates.ours.map((one, round) => one / (rates.bare[round] ?? 1))),
      least: 0.4,
    },
    withCampaign,
    { what: "identify by card, over HTTP: API to a bare handler with the same SELECT", ...identifying, least: 0.6 },
    {
      what: "identify, p99 beside 8 connections that sell: to idle",
      metrics: `${ms(busy)} to ${ms(idle)}`,
      ratio: busy / idle,
    },
    {
      what: "identify, p99 beside 8 connections that sell: to idle, bare handlers",
      metrics: `${ms(bareBusy)} to ${ms(bareIdle)}`,
      ratio: bareBusy / bareIdle,
    },
    {
      what: "identify, p99 beside selling to idle: API to bare handlers",
      metrics: `${(busy / idle).toFixed(1)} to ${(bareBusy / bareIdle).toFixed(1)}`,
      ratio: busy / idle / (bareBusy / bareIdle),
      most: 1.5,
    },
    {
      what: "purchase: a shop with 100 000 receipts to a new one",
      metrics: `${ms(grown.one)} to ${ms(grown.other)}`,
      ratio: grown.one / grown.other,
      most: 1.2,
    },
  ];
}

/** The same with codes, while a campaign counts for full-price lines of members of a segment, who have bought before. */
async function measureCampaign({
  database,
  post,
  bareWith,
}: {
  database: Fresh["database"];
  post: () => Promise<unknown>;
  bareWith: (campaign: BareCampaign) => () => Promise<unknown>;
}): Promise<Result> {
  const id = await beginCampaign(database);
  // Of the full-price line alone, at the lowest tier.
  const bare = bareWith({ id, points: 90, lines: ["1"] });
  const sold = (await post()) as { Campaign: object | null };
  if (!sold.Campaign) throw new Error("The campaign does not count.");
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (const work of [post, bare]) await rate(workers, 0.5, work);
  for (let round = 0; round < 8; round += 1) {
    rates.bare.push(await rate(workers, 0.4, bare));
    rates.ours.push(await rate(workers, 0.4, post));
  }
  await expectEachEarned(database, id);
  return {
    what: `purchase with two lines, codes and a campaign with a segment, ${workers} at once: API to bare SQL with the same writes`,
    metrics: `${perSecond(median(rates.ours))} to ${perSecond(median(rates.bare))}`,
    ratio: median(rates.ours.map((one, round) => one / (rates.bare[round] ?? 1))),
    least: 0.4,
  };
}

/** A sale whose points wait for a person, or which the campaign left out, would have been less work. */
async function expectEachEarned(database: Fresh["database"], campaignId: number): Promise<void> {
  const { rows } = await database.execute<{ waiting: number; campaign: number }>(sql`
    select count(*) filter (where waiting)::integer as waiting,
      count(*) filter (where campaign_id = ${campaignId})::integer as campaign from shop_sale`);
  if (rows[0]?.waiting !== 0 || !rows[0].campaign) throw new Error(`Not each sale earned: ${JSON.stringify(rows)}`);
}

/** A campaign for members who bought at least once, approved by another person. */
async function beginCampaign(database: Fresh["database"]): Promise<number> {
  const now = new Date();
  const from = new Date(now.getTime() - 60 * dayMs);
  const definition: Segment = { fact: "purchases", min: 1 };
  const [author = 0, approver = 0] = [
    await addStaff(database, {
      email: "marketing@exemple.fr",
      firstname: "Ada",
      lastname: "Morel",
      role: "marketing",
      shopId: null,
    }),
    await addStaff(database, {
      email: "owner@exemple.fr",
      firstname: "Lou",
      lastname: "Garnier",
      role: "owner",
      shopId: null,
    }),
  ];
  const [segment] = await database.insert(segments).values({ name: "Bench", sends: false, version: 1 }).returning();
  if (!segment) throw new Error("The segment was not written.");
  const version = { segmentId: segment.id, version: 1, definition, savedBy: author, savedAt: now };
  await database.insert(segmentVersions).values(version);
  await writeStatement(database, segment.id, 1, definition);
  const words = { fr: "Double", en: "Double", de: "Doppelt" };
  const begun = await database
    .insert(campaigns)
    .values({
      ...{ name: words, text: words, multiplierHundredths: 200, lineRule: { priceTypes: ["full"] } },
      ...{ segmentId: segment.id, segmentVersion: 1, controlPercent: 0, controlNote: "bench" },
      ...{ startsAt: from, endsAt: new Date(now.getTime() + dayMs), createdAt: from, createdBy: author },
      ...{ approvedAt: from, approvedBy: approver },
    })
    .returning({ id: campaigns.id });
  return begun[0]?.id ?? 0;
}

/** The 99th percentile of one look-up at a time, alone or beside connections that do other work. */
async function percentile99(read: ReturnType<typeof requests>, beside?: ReturnType<typeof requests>): Promise<number> {
  const times: number[] = [];
  const endsAt = performance.now() + 4_000;
  const others = Array.from({ length: beside ? workers : 0 }, async (_, worker) => {
    while (performance.now() < endsAt) await beside?.(worker);
  });
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    await read(0);
    times.push(performance.now() - startedAt);
  }
  await Promise.all(others);
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}
