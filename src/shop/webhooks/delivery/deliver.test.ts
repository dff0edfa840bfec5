import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, expect, test } from "vitest";
import { addEndpoint, disableEndpoint, resendEvents, rotateSecret } from "#shop/webhooks/endpoints.server.ts";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { retrySeconds } from "./deliver.server.ts";
import { post } from "./post.server.ts";

const environment = { WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64") };
const { database, emails, openShop, product, runJobs, settings } = await openTestShop(environment);
const secrets = createSecrets(settings);
const till = await openShop();
const owner = "owner@partner.example";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
}
let received: Received[] = [];
let answer: (response: ServerResponse, request: Received) => void = (response) => response.end("thank you");

/** A partner's server that does whatever a test says. */
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { headers, url: path = "" } = request;
    const got = { headers, body: Buffer.concat(chunks).toString(), path };
    received.push(got);
    answer(response, got);
  });
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const { port } = receiver.address() as AddressInfo;
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const url = new URL(`http://localhost:${port}/hook`);
const message = { headers: {}, body: "{}" };
let endpoint = { id: 0, secret: "" };

beforeEach(async () => {
  await database.execute(sql`
    truncate webhook_endpoint, webhook_delivery, webhook_attempt, mail;
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs having count(*) > 0`);
  endpoint = await addEndpoint(database, secrets, { url, ownerEmail: owner, now: new Date() });
  received = [];
  answer = (response) => response.end("thank you");
});

/** One event: a sale that names no customer. */
const sell = () => till.sell({ Amount: "10.00" });

interface Row extends Record<string, unknown> {
  state: string;
  attempts: number;
  /** In seconds, from the last attempt on. */
  wait: number | null;
}
async function delivery(): Promise<Row | undefined> {
  const { rows } = await database.execute<Row>(sql`
    select state, attempts, extract(epoch from next_at - (
      select max(at) from webhook_attempt where delivery_id = webhook_delivery.id))::float8 as wait
    from webhook_delivery where endpoint_id = ${endpoint.id} order by id desc limit 1`);
  return rows[0];
}
async function attempts() {
  const { rows } = await database.execute<{ status: number | null; error: string | null; answer: string | null }>(
    sql`select status, error, answer from webhook_attempt order by id`,
  );
  return rows;
}
/** Lets the next attempt be due now. */
const hurry = () =>
  database.execute(sql`
    update webhook_delivery set next_at = now() where state = 'waiting';
    select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where task_identifier = 'shop:webhook' having count(*) > 0`);

test("a delivery is signed so that the library of the specification verifies it", async () => {
  await sell();
  await runJobs();
  expect(received.length).toBe(1);
  const { headers, body, path } = received[0] as Received;
  expect(path).toBe("/hook");
  const verified = new Webhook(endpoint.secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ type: "purchase.posted", data: { Paid: "10.00", IdShop: till.shopId } });
  const { data } = verified as { data: { IdEvent: number } };
  expect(headers["webhook-id"]).toBe(`evt_${data.IdEvent}`);
  expect(() => new Webhook(endpoint.secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
  expect(await delivery()).toMatchObject({ state: "delivered", attempts: 1, wait: null });
  expect(await attempts()).toEqual([{ status: 200, error: null, answer: "thank you" }]);
});

test("while a secret is rotated both verify, afterwards the new one alone", async () => {
  const fresh = await rotateSecret(database, secrets, endpoint.id, new Date());
  await sell();
  await runJobs();
  const { headers, body } = received[0] as Received;
  expect(String(headers["webhook-signature"]).split(" ").length).toBe(2);
  for (const secret of [endpoint.secret, fresh ?? ""])
    new Webhook(secret).verify(body, headers as Record<string, string>);
  await database.execute(sql`update webhook_endpoint set previous_ends_at = now() - interval '1 second'`);
  await sell();
  await runJobs();
  const later = received[1] as Received;
  new Webhook(fresh ?? "").verify(later.body, later.headers as Record<string, string>);
  expect(() => new Webhook(endpoint.secret).verify(later.body, later.headers as Record<string, string>)).toThrow();
});

test("secrets are encrypted in the database, and another key does not open them", async () => {
  const { rows } = await database.execute<{ secret: Buffer }>(sql`select secret from webhook_endpoint`);
  const sealed = rows[0]?.secret ?? Buffer.alloc(0);
  expect(sealed.includes(endpoint.secret)).toBe(false);
  expect(secrets.open(sealed)).toBe(endpoint.secret);
  const other = createSecrets({ ...settings, webhookKey: [Buffer.alloc(32, 8)] });
  expect(() => other.open(sealed)).toThrow();
});

test("a receiver that fails is tried again after each wait, then the delivery is dead and its owner is told once a day", async () => {
  answer = (response) => response.writeHead(500).end("no");
  await sell();
  for (const [made, seconds] of retrySeconds.entries()) {
    await runJobs();
    const row = await delivery();
    expect(row).toMatchObject({ state: "waiting", attempts: made + 1 });
    expect(row?.wait).toBeGreaterThanOrEqual(seconds);
    expect(row?.wait).toBeLessThan(seconds * 1.1 + 1);
    await hurry();
  }
  await runJobs();
  expect(await delivery()).toEqual({ state: "dead", attempts: 10, wait: null });
  expect(received.length).toBe(10);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect(await attempts()).toEqual(Array(10).fill({ status: 500, error: null, answer: "no" }));
  const told = await emails(owner);
  expect(told.map(({ subject }) => subject)).toEqual([`Webhooks to http://localhost:${port} fail`]);
  expect(told[0]?.plainText).toContain("10 attempts");
  await hurry();
  await runJobs();
  expect(received.length).toBe(10);
});

test("a dead letter is sent again by hand", async () => {
  await sell();
  await database.execute(sql`update webhook_delivery set state = 'dead', attempts = 10`);
  await runJobs();
  expect(received.length).toBe(0);
  const { rows } = await database.execute<{ id: string }>(sql`select max(id) as id from webhook_event`);
  const id = Number(rows[0]?.id);
  expect(await resendEvents(database, id - 1, id)).toBe(2);
  await runJobs();
  expect(received.length).toBe(2);
  expect(await resendEvents(database, id + 1, id + 9)).toBe(0);
});

test.each([
  ["in seconds", () => "7200"],
  ["as a date", () => new Date(Date.now() + 7_200_000).toUTCString()],
])("Retry-After is obeyed, %s", async (_, value) => {
  answer = (response) => response.writeHead(503, { "retry-after": value() }).end();
  await sell();
  await runJobs();
  const { wait = 0 } = (await delivery()) ?? {};
  expect(wait).toBeGreaterThan(7_100);
  expect(wait).toBeLessThan(7_201);
});

test.each(["99999999", "-1", "soon", "Tue, 01 Jan 1980 00:00:00 GMT"])(
  "a Retry-After of %s makes neither a loop nor a wait for ever",
  async (value) => {
    answer = (response) => response.writeHead(429, { "retry-after": value }).end();
    await sell();
    await runJobs();
    const { wait = 0 } = (await delivery()) ?? {};
    expect(wait).toBeGreaterThan(1);
    expect(wait).toBeLessThan(86_401);
  },
);

test("410 disables the endpoint, stops what waits for it and tells its owner", async () => {
  answer = (response) => response.writeHead(410).end();
  await sell();
  await runJobs();
  const { rows } = await database.execute(sql`select disabled_because from webhook_endpoint`);
  expect(rows).toEqual([{ disabled_because: "gone" }]);
  const states = await database.execute(sql`select distinct state from webhook_delivery`);
  expect(states.rows).toEqual([{ state: "stopped" }]);
  expect((await emails(owner)).at(-1)?.plainText).toContain("410");
  await sell();
  expect((await database.execute(sql`select from webhook_delivery`)).rows.length).toBe(1);
});

test("an endpoint that was disabled gets nothing, also not what waited or is written a moment later", async () => {
  await sell();
  expect(await disableEndpoint(database, endpoint.id, "owner", new Date())).toBe(true);
  expect(await disableEndpoint(database, endpoint.id, "owner", new Date())).toBe(false);
  expect(await delivery()).toMatchObject({ state: "stopped", wait: null });
  await database.execute(sql`update webhook_delivery set state = 'waiting', next_at = now()`);
  await runJobs();
  expect(received.length).toBe(0);
  expect(await delivery()).toMatchObject({ state: "stopped", wait: null });
});

test("a redirect is not followed", async () => {
  answer = (response) => response.writeHead(302, { location: `http://localhost:${port}/elsewhere` }).end();
  await sell();
  await runJobs();
  expect(received.map(({ path }) => path)).toEqual(["/hook"]);
  expect(await delivery()).toMatchObject({ state: "waiting", attempts: 1 });
});

test("of an endless answer a kilobyte is read, then the connection is cut", async () => {
  const cut = new Promise<void>((resolve) => {
    answer = (response) => {
      const write = () => {
        while (response.write("\0é".repeat(1_000)));
      };
      response.on("drain", write);
      response.on("close", resolve);
      write();
    };
  });
  await sell();
  await runJobs();
  await cut;
  expect(await delivery()).toMatchObject({ state: "delivered" });
  const [attempt] = await attempts();
  expect(Buffer.byteLength(attempt?.answer ?? "")).toBeLessThanOrEqual(3 * 1_024);
  expect(attempt?.answer?.length).toBeGreaterThan(500);
});

test("a receiver that never answers is cut after the limit, one that stalls after its status has answered", async () => {
  const rules = { sandbox: true, limitMs: 100 };
  answer = () => {};
  expect(await post(url, message, rules)).toMatchObject({ status: null, error: "TIMEOUT", text: null });
  answer = (response) => {
    response.writeHead(200);
    response.write("half");
  };
  // Long enough for the status on a busy machine.
  rules.limitMs = 2_000;
  expect(await post(url, message, rules)).toMatchObject({ status: 200, error: null, text: "half" });
});

test("a receiver that is down or hangs up is an attempt with its reason", async () => {
  const rules = { sandbox: true };
  expect(await post(new URL("http://127.0.0.1:1/"), message, rules)).toMatchObject({ error: "ECONNREFUSED" });
  answer = (response) => response.socket?.destroy();
  expect(await post(url, message, rules)).toMatchObject({ status: null, error: "ECONNRESET" });
  answer = (response) => response.socket?.end("this is not HTTP\r\n\r\n");
  expect((await post(url, message, rules)).error).toMatch(/^HPE_/);
});

test("killed between the answer and its record a delivery is repeated under the same id, and never lost", async () => {
  await sell();
  // The receiver answers, and at that moment the record cannot be written any more.
  const killed = Object.create(database, {
    transaction: { value: () => Promise.reject(new Error("killed")) },
  }) as typeof database;
  const job = product.jobs["shop:webhook"];
  await expect(job?.({ endpoint: endpoint.id }, killed)).rejects.toThrow("killed");
  expect(received.length).toBe(1);
  expect(await delivery()).toMatchObject({ state: "waiting", attempts: 0 });
  await runJobs();
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual(
    Array(2).fill(received[0]?.headers["webhook-id"]),
  );
  expect(await delivery()).toMatchObject({ state: "delivered", attempts: 1 });
  // The same job once more finds nothing to do.
  await job?.({ endpoint: endpoint.id }, database);
  expect(received.length).toBe(2);
});

test("while one process sends, others leave it what is due; what a killed one left is sent when its lease has ended", async () => {
  await database.execute(sql`update webhook_endpoint set busy_until = now() + interval '60 seconds'`);
  await sell();
  await sell();
  await runJobs();
  expect(received.length).toBe(0);
  const { rows } = await database.execute<{ left: number }>(sql`
    select extract(epoch from run_at - now())::float8 as left from graphile_worker.jobs
    where task_identifier = 'shop:webhook'`);
  expect(rows.length).toBe(1);
  expect(rows[0]?.left).toBeGreaterThan(55);
  await database.execute(sql`update webhook_endpoint set busy_until = now() - interval '1 second'`);
  await hurry();
  await runJobs();
  expect(received.length).toBe(2);
});

test("a job whose lease has ended does not end the lease that another took since", async () => {
  answer = (response) =>
    // While the receiver keeps the first job waiting, its lease ends and another job takes one.
    database
      .execute(sql`update webhook_endpoint set busy_until = now() + interval '1 hour'`)
      .then(() => response.end("thank you"));
  await sell();
  await runJobs();
  expect(received.length).toBe(1);
  const { rows } = await database.execute(sql`select busy_until > now() as busy from webhook_endpoint`);
  expect(rows).toEqual([{ busy: true }]);
});

test("a lease is free again when its job is done", async () => {
  await sell();
  await runJobs();
  expect((await database.execute(sql`select busy_until from webhook_endpoint`)).rows).toEqual([{ busy_until: null }]);
});

test("fifty events at once are each delivered once", async () => {
  await database.execute(sql`select webhook_write('programme.changed', null, null, '{}') from generate_series(1, 50)`);
  const job = product.jobs["shop:webhook"];
  await Promise.all(Array.from({ length: 4 }, () => job?.({ endpoint: endpoint.id }, database)));
  await runJobs();
  const ids = received.map(({ headers }) => headers["webhook-id"]);
  expect(ids.length).toBe(50);
  expect(new Set(ids).size).toBe(50);
});
