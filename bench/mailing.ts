import { setTimeout as sleep } from "node:timers/promises";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { tokenCookieName } from "#identity/session/cookies.ts";
import type { Fresh } from "./cluster.ts";
import { openSide, requests, type Sent, type Side } from "./http.ts";
import { arrivals, climb, createMix, highestHeld, limitMs, type Served, seeded, sendOnSchedule } from "./load.ts";
import { perSecond, type Result } from "./measures.ts";
import { cardOf, emailOf, populate, tokenOf } from "./population.ts";
import { password } from "./product.ts";
import { createPurchases, openShop } from "./shop.ts";

/** Of everybody, within an hour. */
const openingPart = 0.05;
/** Of a hundred requests after the mailing; tills go on beside it. */
const shares = { page: 60, signIn: 10, voucher: 5, identify: 15, sale: 10 };
const stepSeconds = 15;
/** The first step, in requests a second. */
const slowest = 5;
/** Of the rate that the bare handlers lose. */
const productPart = 0.6;
/** Members who come to the tills. */
const buyers = 5_000;
const form = { "content-type": "application/x-www-form-urlencoded" };

/** The requests one after the other, each of another member, as far apart as the members of a mailing. */
function createRequests(size: number, shop: Awaited<ReturnType<typeof openShop>>): () => Sent {
  const next = createMix(shares);
  const cards = Array.from({ length: buyers }, (_, n) => cardOf(1 + Math.floor((n * size) / buyers)));
  const purchase = createPurchases(cards);
  let count = 0;
  return () => {
    count += 1;
    // It has no factor in common with a round number: everybody once before anybody again.
    const customer = 1 + ((count * 7_654_321) % size);
    const till = { ...shop.headersOf(count % 8), ...form };
    switch (next()) {
      case "page":
        return { path: pagePaths.memberPage, headers: { cookie: `${tokenCookieName}=${tokenOf(customer)}` } };
      case "signIn": {
        const body = new URLSearchParams({ Email: emailOf(customer), Password: password }).toString();
        return { method: "POST", path: "/api/authentification/email", headers: form, body };
      }
      case "voucher": {
        const headers = { authorization: `Bearer ${tokenOf(customer)}`, ...form };
        return { method: "POST", path: "/api/loyalty/reward/1/obtain", headers, body: "IdLoyaltyReward=1" };
      }
      case "identify": {
        const body = `CardNumber=${cards[count % cards.length]}&EntryMode=scanned`;
        return { method: "POST", path: "/api/shop/identify", headers: till, body };
      }
      case "sale": {
        const body = new URLSearchParams(purchase()).toString();
        return { method: "POST", path: "/api/shop/purchase", headers: till, body };
      }
    }
  };
}

/** Sends to one side; the moments of a rate are the same for both. */
function createLoad(name: string, side: Side, next: () => Sent) {
  const sent: Sent[] = [];
  const send = requests(side, (slot) => sent[slot] as Sent);
  const run = (moments: number[], options: { untilLost?: boolean } = {}) =>
    sendOnSchedule(
      moments,
      (slot) => {
        sent[slot] = next();
        return send(slot);
      },
      options,
    );
  /** Twice at most: whatever else the machine does for a moment loses no rate. */
  const holds = async (rate: number) => {
    for (const seed of [1, 2]) {
      const served = await run(arrivals(rate, stepSeconds, seeded(seed)), { untilLost: true });
      const held = served.errors.length === 0 && served.sent === served.due && served.p99 <= limitMs;
      console.log(`${name} at ${perSecond(rate)}: ${held ? "held" : "lost"}, ${described(served)}`);
      if (held) return true;
    }
    return false;
  };
  return { run, holds };
}

const described = ({ sent, due, p99, inTime, errors }: Served) =>
  `${sent} of ${due} sent, ${(inTime * 100).toFixed(2)} % in time, p99 ${p99.toFixed(0)} ms, ${errors.length} errors${
    errors[0] ? `, the first: ${errors[0].slice(0, 300)}` : ""
  }`;

/** What a run costs the side in processor time for each request, and the memory that it holds after a quarter and at the end. */
async function during(side: Side, work: () => Promise<Served>, seconds: number) {
  const before = await side.cpu();
  const memory = { quarter: 0, end: 0 };
  const quarter = sleep(seconds * 250).then(side.rss);
  const served = await work();
  memory.quarter = await quarter;
  memory.end = await side.rss();
  return { ...served, memory, cost: ((await side.cpu()) - before) / served.sent };
}

/**
 * The hour after a mailing to everybody, compressed to some seconds: 5 % open it. Members open their page, sign in and turn
 * points into vouchers; tills look members up and sell. Requests are sent on schedule and timed from then, to the product
 * and to bare handlers that do the same work. First the rate at which each side's 99th percentile passes 300 ms, then the
 * hour at what the product should bear, or at the mailing's own rate where that is less.
 */
export async function measureMailing(
  { database }: Fresh,
  { members, seconds }: { members: number; seconds: number },
): Promise<Result[]> {
  await populate(database, members, { passwordHash: await createPasswordHashes().hash(password) });
  const next = createRequests(members, await openShop(database, "Mailing"));
  const url = String(database.$client.options.connectionString);
  const sides = { product: await openSide("product", url), bare: await openSide("mailing", url) };
  const ours = createLoad("product", sides.product, next);
  const bare = createLoad("bare handlers", sides.bare, next);
  for (const side of [bare, ours]) await side.run(arrivals(slowest, 10, seeded(3)));

  const limit = await climb(slowest, 1.25, bare.holds);
  if (limit.held === 0)
    console.log(`Not even ${perSecond(slowest)} is served in time here: the machine is too busy to compare rates.`);
  const parts = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];
  const held = await highestHeld(
    parts.map((part) => part * limit.lost),
    ours.holds,
  );

  const own = (members * openingPart) / seconds;
  const rate = Math.min(own, productPart * limit.lost);
  const hour = arrivals(rate, seconds, seeded(4));
  const bareHour = await during(sides.bare, () => bare.run(hour), seconds);
  const hourOfOurs = await during(sides.product, () => ours.run(hour), seconds);
  console.log(`bare handlers, the hour at ${perSecond(rate)}: ${described(bareHour)}`);
  console.log(`product, the hour at ${perSecond(rate)}: ${described(hourOfOurs)}`);
  for (const side of Object.values(sides)) side.close();
  const size = members.toLocaleString("en").replaceAll(",", " ");
  const what = `mailing to ${size} members`;
  const percent = ({ inTime }: Served) => `${(inTime * 100).toFixed(2)} %`;
  const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  return [
    {
      what: `${what}: highest rate held to the rate at which bare handlers' p99 passes ${limitMs} ms`,
      metrics: `${held.toFixed(1)}/s to ${limit.lost.toFixed(1)}/s`,
      ratio: held / limit.lost,
      byProcessor: bareHour.cost / hourOfOurs.cost,
      least: productPart,
    },
    {
      what: `${what}, its hour in ${seconds} s, ${perSecond(rate)}${rate < own ? ` instead of ${perSecond(own)}` : ""}: served within ${limitMs} ms, API to bare handlers`,
      metrics: `${percent(hourOfOurs)} to ${percent(bareHour)}`,
      ratio: hourOfOurs.inTime / bareHour.inTime,
      least: 0.99,
    },
    {
      what: `${what}: errors of ${hourOfOurs.sent} requests`,
      metrics: `${hourOfOurs.errors.length}`,
      ratio: hourOfOurs.errors.length,
      most: 0,
    },
    {
      what: `${what}: memory of the process at the end to after the first quarter`,
      metrics: `${mb(hourOfOurs.memory.end)} to ${mb(hourOfOurs.memory.quarter)}`,
      ratio: hourOfOurs.memory.end / hourOfOurs.memory.quarter,
      most: 1.15,
    },
  ];
}
