import type pg from "pg";
import { addShop, createKey, keyScopes } from "#shop/keys/keys.server.ts";
import type { Fresh } from "./cluster.ts";
import { openSide, requests } from "./http.ts";
import { compare, median, ms, perSecond, type Result, race, rate } from "./measures.ts";
import { createProduct, publicUrl, registerMember } from "./product.ts";

const workers = 8;
const members = 40;
const dayMs = 24 * 3_600_000;
const lines = [
  { Line: "1", Amount: "89.90" },
  { Line: "2", Amount: "39.95" },
];

/** Purchases one after the other: each with a number of its own, spread over members and days, since more than five wait. */
function createPurchases(cards: string[]) {
  let count = 0;
  return () => {
    count += 1;
    const now = Date.now();
    return {
      ReceiptNumber: `B-${count}-${now}`,
      CardNumber: cards[count % cards.length] ?? "",
      SoldAt: new Date(now - (Math.floor(count / cards.length / 5) % 44) * dayMs).toISOString(),
      SentAt: new Date(now).toISOString(),
      Lines: JSON.stringify(lines),
    };
  };
}

/** The same writes as hand-written SQL: receipt, sale, entry, lot, the day's points and the balance, each prepared. */
function barePurchase(pool: pg.Pool, shopId: number, prefix: string, next: ReturnType<typeof createPurchases>) {
  return async () => {
    const { ReceiptNumber: number, CardNumber: card, SoldAt: soldAt } = next();
    await pool.query({ name: "key", text: "select shop_id, scopes from shop_key where prefix = $1", values: [prefix] });
    const client = await pool.connect();
    const run = async (name: string, text: string, ...values: unknown[]) =>
      (await client.query({ name, text, values })).rows[0];
    await client.query("begin");
    await run("receipt", "insert into shop_receipt values ($1, $2, '\\x00', now())", shopId, number);
    const { customer_id: id } = await run("card", "select customer_id from loyalty_card where number = $1", card);
    await run("customer", "select id from customer where id = $1 for no key update", id);
    const account = await run("account", "select * from loyalty_account where customer_id = $1 for update", id);
    const { earned } = await run("tier", "select loyalty_earned($1, 12, club_day($2)) as earned", id, soldAt);
    const points = Math.floor(12_985 * (earned >= 1_000 ? 1.25 : 1)) / 100;
    const after = account.balance + Math.floor(points);
    const entry = await run(
      "entry",
      `insert into loyalty_entry (customer_id, at, kind, points, balance, cause, expires_at)
       values ($1, $2, 'purchase', $3, $4, $5, $2::timestamptz + interval '24 months') returning id, expires_at`,
      id,
      soldAt,
      Math.floor(points),
      after,
      `purchase:${shopId}:${number}`,
    );
    const lot = "insert into loyalty_lot (customer_id, entry_id, expires_at, remaining) values ($1, $2, $3, $4)";
    await run("lot", lot, id, entry.id, entry.expires_at, Math.floor(points));
    await run(
      "day",
      `insert into loyalty_earned_day as d (customer_id, day, points, through) values ($1, club_day($2), $3, $3)
       on conflict (customer_id, day) do update set points = d.points + $3, through = d.through + $3`,
      id,
      soldAt,
      Math.floor(points),
    );
    await run("balance", "update loyalty_account set balance = $2 where customer_id = $1", id, after);
    await run(
      "sale",
      `insert into shop_sale (shop_id, number, key_prefix, sold_at, customer_id, whole, lines, vouchers, points_per_euro,
         multiplier_hundredths, tier_id, earned, available, debt, entry_id)
       values ($1, $2, $3, $4, $5, false, $6, '[]', 1, 100, 1, $7, $8, 0, $9)`,
      shopId,
      number,
      prefix,
      soldAt,
      id,
      JSON.stringify(lines),
      Math.floor(points),
      after,
      entry.id,
    );
    await client.query("commit");
    client.release();
  };
}

async function openShop(database: Fresh["database"], name: string) {
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
    ({ headersOf }: typeof small) =>
    (worker = 0) =>
      ask("shop/purchase", { method: "POST", body: new URLSearchParams(next()), headers: headersOf(worker) });
  const bare = barePurchase(pool, bareShop.shopId, bareShop.prefix, next);
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (const work of [post(small), bare]) await rate(workers, 0.5, work);
  for (let round = 0; round < 8; round += 1) {
    rates.bare.push(await rate(workers, 0.4, bare));
    rates.ours.push(await rate(workers, 0.4, post(small)));
  }
  const grown = await compare(post(large), post(small), 150);

  const url = String(database.$client.options.connectionString);
  const [ours, bareSide] = [await openSide("product", url), await openSide("identify", url)];
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const lookUp = (side: typeof ours) =>
    requests(side, (worker) => ({
      method: "POST",
      path: "/api/shop/identify",
      headers: { ...small.headersOf(worker), ...form },
      body: `CardNumber=${cards[Math.floor(Math.random() * cards.length)]}&EntryMode=scanned`,
    }));
  const identifying = await race(lookUp(ours), lookUp(bareSide));
  const selling = requests(ours, (worker) => ({
    method: "POST",
    path: "/api/shop/purchase",
    headers: { ...small.headersOf(worker), ...form },
    body: new URLSearchParams(next()).toString(),
  }));
  const idle = await percentile99(lookUp(ours));
  const busy = await percentile99(lookUp(ours), selling);
  for (const side of [ours, bareSide]) side.close();
  await product.changes.stop();
  return [
    {
      what: `purchase with two lines, ${workers} at once: API to bare SQL with the same writes`,
      metrics: `${perSecond(median(rates.ours))} to ${perSecond(median(rates.bare))}`,
      ratio: median(rates.ours.map((one, round) => one / (rates.bare[round] ?? 1))),
      least: 0.4,
    },
    { what: "identify by card, over HTTP: API to a bare handler with the same SELECT", ...identifying, least: 0.6 },
    {
      what: "identify, p99 beside 8 connections that sell: to idle",
      metrics: `${ms(busy)} to ${ms(idle)}`,
      ratio: busy / idle,
      most: 3,
    },
    {
      what: "purchase: a shop with 100 000 receipts to a new one",
      metrics: `${ms(grown.one)} to ${ms(grown.other)}`,
      ratio: grown.one / grown.other,
      most: 1.2,
    },
  ];
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
