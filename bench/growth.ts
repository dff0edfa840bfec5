import type { Fresh, OpenFresh } from "./cluster.ts";
import { compare, ms, type Result } from "./measures.ts";
import { brokenInvariants, entriesEach, entryId, populate, tokenOf } from "./population.ts";
import { openProduct } from "./product.ts";

const most = 1.3;
const named = (size: number) => size.toLocaleString("en").replaceAll(",", " ");

const readings: [what: string, path: (cursor: string) => string][] = [
  ["GET customer", () => "customer"],
  ["card and balance", () => "loyalty/customer"],
  ["history, first page", () => "loyalty/history?Limit=5"],
  ["history, deep page", (cursor) => `loyalty/history?Limit=5&Cursor=${cursor}`],
];

/** The same requests with few customers and with many; each is of another customer, as in real use. */
export async function measureGrowth(fresh: OpenFresh, few: number, many: number): Promise<Result[]> {
  const small = await load(await fresh(), few);
  const large = await load(await fresh(), many);
  const results: Result[] = [];
  for (const [what, path] of readings) {
    const { one, other } = await compare(
      () => large(path),
      () => small(path),
      2_000,
    );
    results.push({
      what: `${what}: ${named(many)} customers to ${named(few)}`,
      metrics: `${ms(one)} to ${ms(other)}`,
      ratio: one / other,
      most,
    });
  }
  return results;
}

async function load({ database }: Fresh, size: number) {
  const startedAt = performance.now();
  await populate(database, size);
  const loadedAt = performance.now();
  const broken = await brokenInvariants(database);
  if (Object.keys(broken).length > 0) throw new Error(`What was loaded is wrong: ${JSON.stringify(broken)}`);
  const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(0)} s`;
  console.log(
    `${named(size)} customers with ${entriesEach} entries each: loaded in ${seconds(startedAt, loadedAt)}, ` +
      `every invariant holds (${seconds(loadedAt, performance.now())})`,
  );
  const ask = openProduct(database);
  // The entry before which a deep page begins: three quarters of the way back.
  const cursorOf = (customer: number) =>
    Buffer.from(String(entryId(size, customer, entriesEach / 4))).toString("base64url");
  const read = (path: (cursor: string) => string) => {
    const customer = 1 + Math.floor(Math.random() * size);
    return ask(path(cursorOf(customer)), { headers: { authorization: `Bearer ${tokenOf(customer)}` } });
  };
  // As after some hours of use: the pages of the tables that are read often are in PostgreSQL's buffers.
  for (let n = 0; n < size / 10; n += 8)
    await Promise.all(
      Array.from({ length: 8 }, (_, worker) => read(readings[worker % readings.length]?.[1] ?? (() => ""))),
    );
  return read;
}
