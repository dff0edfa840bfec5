import { verify } from "@node-rs/argon2";
import type { Fresh } from "./cluster.ts";
import { openSide, requests, type Side } from "./http.ts";
import { limited, median, ms, perSecond, type Result, race, rate } from "./measures.ts";
import { openProduct, password, publicUrl, registerMember } from "./product.ts";
import { bareCustomer } from "./sides.ts";

const hashers = 8;
// As many at once as there are cores, as in the product: more would slow the baseline down.
const cores = 2;

type Read = () => Promise<unknown>;

/** The 99th percentile of a request's time while passwords are being hashed. */
async function percentile99(read: Read, hashing: Read, seconds = 4): Promise<number> {
  const times: number[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  const beside = Array.from({ length: hashers }, async () => {
    while (performance.now() < endsAt) await hashing();
  });
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    await read();
    times.push(performance.now() - startedAt);
  }
  await Promise.all(beside);
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Heap size after a thousand requests, and after a hundred thousand. */
async function measureHeap(read: Read) {
  const used = async (requests: number) => {
    for (let n = 0; n < requests; n += 10) await Promise.all(Array.from({ length: 10 }, read));
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  return { early: await used(1_000), late: await used(99_000) };
}

export async function measureCustomer({ database, pool }: Fresh): Promise<Result[]> {
  const quiet = openProduct(database);
  const observed = openProduct(database, { observed: true });
  const { headers } = await registerMember(quiet, "mesure");
  // Another person signs in: of too many sessions of one customer the oldest is ended.
  const { id } = await registerMember(quiet, "entree");
  const hashes = await database.$client.query("select password_hash from customer where id = $1", [id]);
  const ours: Read = () => quiet("customer", { headers });
  const watched: Read = () => observed("customer", { headers });
  const login = { Email: "entree@exemple.fr", Password: password };
  const signIn: Read = () => quiet("authentification/email", { method: "POST", body: new URLSearchParams(login) });
  const bareHash: Read = () => verify(hashes.rows[0].password_hash, password);

  const url = String(database.$client.options.connectionString);
  const [product, customer, loyalty] = await Promise.all(
    ["product", "customer", "loyalty"].map((side) => openSide(side, url)),
  );
  if (!product || !customer || !loyalty) throw new Error("A side did not open.");
  const ask = (side: Side, path: string) => requests(side, () => ({ path, headers }));
  const reading = await race(ask(product, "/api/customer"), ask(customer, "/api/customer"));
  const standing = await race(ask(product, "/api/loyalty/customer"), ask(loyalty, "/api/loyalty/customer"));
  for (const side of [product, customer, loyalty]) side.close();
  const app = bareCustomer(pool);
  const bare: Read = async () => (await app.fetch(new Request(`${publicUrl}/api/customer`, { headers }))).json();
  const observing = await race(watched, ours);
  const bareRates: number[] = [];
  const signInRates: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    bareRates.push(await rate(cores, 2, bareHash));
    signInRates.push(await rate(hashers, 2, signIn));
  }
  const p99 = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    p99.ours.push(await percentile99(ours, signIn));
    p99.bare.push(await percentile99(bare, limited(bareHash, cores)));
  }
  const heap = await measureHeap(ours);
  return [
    {
      what: "GET customer, over HTTP: API to a bare handler with one SELECT",
      ...reading,
      least: 0.65,
    },
    {
      what: "card and balance, over HTTP: API to a bare handler with the same SELECT",
      ...standing,
      least: 0.5,
    },
    {
      what: "GET customer: with logs and metrics to without",
      ...observing,
      least: 0.9,
    },
    {
      what: "sign-in: API to bare argon2id",
      metrics: `${perSecond(median(signInRates))} to ${perSecond(median(bareRates))}`,
      ratio: median(signInRates) / median(bareRates),
      least: 0.8,
    },
    {
      what: "GET customer, p99 beside hashing: API to bare handler",
      metrics: `${ms(median(p99.ours))} to ${ms(median(p99.bare))}`,
      ratio: median(p99.ours) / median(p99.bare),
      most: 2,
    },
    {
      what: "heap after 100 000 requests to after 1 000",
      metrics: `${heap.late.toFixed(1)} to ${heap.early.toFixed(1)} MiB`,
      ratio: heap.late / heap.early,
      most: 1.15,
    },
  ];
}
