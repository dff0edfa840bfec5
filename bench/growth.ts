import type { Fresh, OpenFresh } from "./cluster.ts";
import { compare, ms, type Result } from "./measures.ts";
import { brokenInvariants, entriesEach, entryId, populate, tokenOf } from "./population.ts";
import { openProduct, publicUrl } from "./product.ts";
import { bareCustomer } from "./sides.ts";

const most = 1.3;
const named = (size: number) => size.toLocaleString("en").replaceAll(",", " ");

const readings: [what: string, path: (cursor: string) => string][] = [
  ["GET customer", () => "customer"],
  ["card and balance", () => "loyalty/customer"],
  ["history, first page", () => "loyalty/history?Limit=5"],
  ["history, deep page", (cursor) => `loyalty/history?Limit=5&Cursor=${cursor}`],
];

/** What no way of reading can avoid: the same SELECT by a bare handler, and one row by its primary key. */
const bareReadings: [what: string, of: (fresh: Fresh) => (customer: number) => Promise<unknown>][] = [
  [
    "GET customer by a bare handler",
    ({ pool }) => {
      const app = bareCustomer(pool);
      return async (customer) =>
        (await app.fetch(new Request(`${publicUrl}/api/customer`, { headers: bearer(customer) }))).json();
    },
  ],
  [
    "one row by its primary key",
    ({ pool }) =>
      (customer) =>
        pool.query({ name: "row", text: "select * from customer where id = $1", values: [customer] }),
  ],
];

const bearer = (customer: number) => ({ authorization: `Bearer ${tokenOf(customer)}` });
const anybody = (size: number) => 1 + Math.floor(Math.random() * size);

/** The same requests with few customers and with many; each is of another customer, as in real use. */
export async function measureGrowth(fresh: OpenFresh, few: number, many: number): Promise<Result[]> {
  const [smallOne, largeOne] = [await fresh(), await fresh()];
  const small = await load(smallOne, few);
  const large = await load(largeOne, many);
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
  for (const [what, of] of bareReadings) {
    const [ofLarge, ofSmall] = [of(largeOne), of(smallOne)];
    const { one, other } = await compare(
      () => ofLarge(anybody(many)),
      () => ofSmall(anybody(few)),
      2_000,
    );
    results.push({
      what: `${what}: ${named(many)} customers to ${named(few)}`,
      metrics: `${ms(one)} to ${ms(other)}`,
      ratio: one / other,
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
    const customer = anybody(size);
    return ask(path(cursorOf(customer)), { headers: bearer(customer) });
  };
  // As after some hours of use: the pages of the tables that are read often are in PostgreSQL's buffers.
  for (let n = 0; n < size / 10; n += 8)
    await Promise.all(
      Array.from({ length: 8 }, (_, worker) => read(readings[worker % readings.length]?.[1] ?? (() => ""))),
    );
  return read;
}
