import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createMetrics } from "#platform/metrics.server.ts";
import { enter, form, freshEmail, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { createMetricsListener } from "./metrics.server.ts";

const metrics = createMetrics();
const { call, fetch, database } = await openTestProduct({ RATE_LIMITS: "on" }, { metrics });
const listener = createMetricsListener(metrics.text);
listener.listen(0, "127.0.0.1");
await once(listener, "listening");
afterAll(() => listener.close());
const { port } = listener.address() as AddressInfo;

const ask = async () => (await globalThis.fetch(`http://127.0.0.1:${port}/metrics`)).text();
/** The metric of a name and its labels. */
async function metric(line: string): Promise<number | undefined> {
  const found = (await ask()).split("\n").find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

test("requests are counted by route, method and status, and a path invented by a client becomes no label", async () => {
  const { Token } = await enter(call);
  await fetch("/api/customer", { headers: { authorization: `Bearer ${Token}` } });
  await fetch("/api/customer");
  await fetch("/api/invented-1");
  await fetch("/invented-2");
  await fetch("/invented.3");
  await fetch("/api/customer/session/12345", { method: "INVENTED4" });
  await fetch("/loyalty");
  const count = (labels: string) => metric(`cercle_request_seconds_count{${labels}}`);
  expect(await count('method="GET",route="GET /api/customer",status="200"')).toBe(1);
  expect(await count('method="GET",route="GET /api/customer",status="401"')).toBe(1);
  expect(await count('method="GET",route="page loyalty",status="200"')).toBe(1);
  const text = await ask();
  expect(text).not.toMatch(/invented|INVENTED|12345/);
  expect(text).toMatch(/cercle_request_seconds_bucket\{le="0\.25",method="GET",route="GET \/api\/customer"/);
});

test("the pool, the hashing, jobs, emails and limits have their metrics", async () => {
  await enter(call, registrationForm());
  await database.$client.query("update mail set queued_at = now() - interval '2 hours'");
  expect(await metric('cercle_database_connections{state="open"}')).toBeGreaterThan(0);
  expect(await metric('cercle_database_connections{state="waiting"}')).toBe(0);
  expect(await metric('cercle_password_hashes{state="waiting"}')).toBe(0);
  expect(await metric('cercle_jobs{state="due"}')).toBeGreaterThan(0);
  expect(await metric('cercle_mail_oldest_seconds{state="waiting"}')).toBeGreaterThan(7_000);
  for (let n = 0; n < 62; n += 1) await fetch("/api/customer/email/available", form({ Email: freshEmail() }));
  expect(await metric('cercle_limit_refusals_total{limit="email-available"}')).toBe(2);
});

test("a violated invariant shows as a metric: a job checks, a scrape reads what it found", async () => {
  const own = createMetrics();
  const other = await openTestProduct({}, { metrics: own, release: "1.2.3+abc" });
  const { Customer } = await enter(other.call, registrationForm({ LoyaltySubscribe: true }));
  await other.runJobs();
  expect(await own.text()).not.toContain("cercle_invariant_violations{");
  await other.database.$client.query("update loyalty_account set balance = balance + 1 where customer_id = $1", [
    Customer.IdCustomer,
  ]);
  const check = other.product.jobs["loyalty:invariants"];
  await check?.({}, other.database);
  const text = await own.text();
  expect(text).toContain('cercle_invariant_violations{invariant="1"} 1');
  expect(text).toContain('cercle_invariant_violations{invariant="2"} 0');
  expect(text).toMatch(/cercle_invariant_age_seconds\{state="oldest"\} \d/);
  expect(text).toContain('cercle_release{release="1.2.3+abc"} 1');

  // A check that took long is not repeated soon.
  await other.database.$client.query("update loyalty_account set balance = balance - 1");
  await other.database.$client.query("update invariant_check set seconds = 60");
  await check?.({}, other.database);
  expect(await own.text()).toContain('cercle_invariant_violations{invariant="1"} 1');
  await other.database.$client.query("update invariant_check set seconds = 0");
  await check?.({}, other.database);
  expect(await own.text()).toContain('cercle_invariant_violations{invariant="1"} 0');
});

test("a query that hangs leaves out its own metric, and scrapes do not pile up behind it", async () => {
  const own = createMetrics();
  const other = await openTestProduct({}, { metrics: own });
  const holder = await other.database.$client.connect();
  await holder.query("begin; lock table mail in access exclusive mode");
  const [text] = await Promise.all([own.text(), own.text(), own.text()]);
  expect(text).not.toContain("cercle_mail_oldest_seconds{");
  expect(text).toContain("cercle_jobs{");
  const waiting = await holder.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  expect(waiting.rowCount).toBe(1);
  await holder.query("rollback");
  holder.release();
  await expect.poll(own.text).toContain("cercle_mail_oldest_seconds{");
});

test("without its database the process still has its own metrics", async () => {
  const own = createMetrics();
  const other = await openTestProduct({}, { metrics: own });
  await other.database.$client.query("alter table mail rename to letters");
  const text = await own.text();
  expect(text).toContain("process_cpu_seconds_total");
  expect(text).not.toContain("cercle_mail_oldest_seconds{");
});

test("the metrics port serves nothing else", async () => {
  for (const path of ["/", "/api/customer", "/metrics?x"])
    expect((await globalThis.fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
  expect((await fetch("/metrics")).status).toBe(404);
});
