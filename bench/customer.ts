import { hash, verify } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import pg from "pg";
import { customers } from "#identity/customer.tables.server.ts";
import type { Database } from "#platform/database.server.ts";
import { createFigures } from "#platform/figures.server.ts";
import { createLog } from "#platform/log.server.ts";
import { readSettings } from "#platform/settings.server.ts";
import { createServer } from "../src/server.ts";
import { median, rate } from "./measures.ts";

const publicUrl = "http://localhost:3000";
const secret = "secret-42";
const cost = { memoryCost: 19 * 1_024, timeCost: 2, parallelism: 1 };
const readers = 8;
const hashers = 8;

type Ask = () => Promise<unknown>;

/** The whole product, or the whole product with its logs and figures on. */
function openProduct(database: Database, observed: boolean) {
  const settings = readSettings({ RATE_LIMITS: "off", LOG_LEVEL: observed ? "info" : "silent" });
  return createServer({
    settings,
    database,
    // Written to a file that keeps nothing: the cost of making the line counts, not the terminal's.
    log: observed ? createLog("info", "/dev/null") : createLog("silent"),
    figures: observed ? createFigures() : undefined,
    assetsOf: () => ({ script: "", styles: [], preload: [], fonts: [] }),
  });
}

async function ask(product: ReturnType<typeof openProduct>, path: string, init: RequestInit = {}) {
  const response = await product.fetch(new Request(`${publicUrl}/api/${path}`, init));
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** The same questions to the database, and nothing around them: the session, the customer, the membership. */
function bareHandler(pool: pg.Pool, tokenHash: Buffer): Ask {
  const app = new Hono();
  app.get("/api/customer", async (c) => {
    const session = await pool.query({
      name: "bare_session",
      text: `select s.customer_id from session_token t join session s on s.customer_id = t.customer_id and s.id = t.session_id
             join customer c on c.id = t.customer_id where t.token_hash = $1 and s.expires_at > now()`,
      values: [tokenHash],
    });
    const id = session.rows[0].customer_id;
    const [found, member] = await Promise.all([
      pool.query({
        name: "bare_customer",
        text: `select id, email, firstname, lastname, civility, birthday, mobile_phone, language, guest, email_verified_at,
               password_hash is not null as has_password, newsletter, newsletter_sms,
               array(select provider from social_login where customer_id = customer.id order by provider desc) as social
               from customer where id = $1`,
        values: [id],
      }),
      pool.query({
        name: "bare_member",
        text: "select state from loyalty_account where customer_id = $1",
        values: [id],
      }),
    ]);
    return c.json({ ...found.rows[0], member: member.rows[0]?.state === "active" });
  });
  return async () => (await app.fetch(new Request(`${publicUrl}/api/customer`))).json();
}

/** In turns, so that whatever slows the machine down slows both; the middle of the rounds. */
async function race(one: (n: number) => Promise<unknown>, other: (n: number) => Promise<unknown>, atOnce: number) {
  const rates = { one: [] as number[], other: [] as number[] };
  for (let round = 0; round < 5; round += 1) {
    const [a, b] = [await rate(atOnce, 1, one), await rate(atOnce, 1, other)];
    // The first round warms up the code and the plans.
    if (round > 0) rates.one.push(a);
    if (round > 0) rates.other.push(b);
  }
  return { one: median(rates.one), other: median(rates.other) };
}

/** The slowest hundredth of a reading while passwords are being hashed beside it. */
async function slowest(read: Ask, hashing: Ask, seconds = 4): Promise<number> {
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

export async function measureCustomer(database: Database, url: string) {
  const quiet = openProduct(database, false);
  const observed = openProduct(database, true);
  const form = { Email: "mesure@exemple.fr", Password: secret, Firstname: "Ada", Lastname: "Mesure" };
  const entered = await ask(quiet, "customer", {
    method: "POST",
    body: new URLSearchParams({ ...form, Birthday: "1990-05-17", LoyaltySubscribe: "true" }),
  });
  const { Token, Customer } = entered.AuthData;
  const tokens = await database.$client.query("select token_hash from session_token where customer_id = $1", [
    Customer.IdCustomer,
  ]);
  const [{ passwordHash } = { passwordHash: null }] = await database
    .select({ passwordHash: customers.passwordHash })
    .from(customers)
    .where(eq(customers.id, Customer.IdCustomer));
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const bare = bareHandler(pool, tokens.rows[0].token_hash);
  const headers = { authorization: `Bearer ${Token}` };
  const ours: Ask = () => ask(quiet, "customer", { headers });
  const watched: Ask = () => ask(observed, "customer", { headers });
  const signIn: Ask = () => ask(quiet, "authentification/email", { method: "POST", body: new URLSearchParams(form) });
  // No more at once than there are cores, as the product does: a floor that trips over itself would be no floor.
  const cores = 2;
  const bareHash: Ask = () => verify(passwordHash ?? "", secret);
  await hash(secret, cost);

  const reading = await race(ours, bare, readers);
  const observing = await race(watched, ours, readers);
  const bareRates: number[] = [];
  const signInRates: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    bareRates.push(await rate(cores, 2, bareHash));
    signInRates.push(await rate(hashers, 2, signIn));
  }
  const inTurn = limited(bareHash, cores);
  const p99 = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    p99.ours.push(await slowest(ours, signIn));
    p99.bare.push(await slowest(bare, inTurn));
  }
  const heap = await measureHeap(ours);
  await pool.end();
  return { reading, observing, signIn: median(signInRates), bareHash: median(bareRates), p99: both(p99), heap };
}

const both = (times: { ours: number[]; bare: number[] }) => ({ ours: median(times.ours), bare: median(times.bare) });

/** As many at once and no more; the others wait. */
function limited(work: Ask, atOnce: number): Ask {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async () => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** What stays in memory after a thousand requests, and after twenty thousand. */
async function measureHeap(read: Ask) {
  const used = async (requests: number) => {
    for (let n = 0; n < requests; n += 10) await Promise.all(Array.from({ length: 10 }, read));
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  return { early: await used(1_000), late: await used(19_000) };
}
