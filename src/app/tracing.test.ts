import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { register } from "#identity/calls.ts";
import { startTracing } from "#platform/tracing-sdk.server.ts";
import { addEndpoint } from "#shop/webhooks/endpoints.server.ts";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  links: { traceId: string; spanId: string }[];
}

/** A collector that takes OTLP over HTTP, and a partner's server that takes webhooks. */
const received: { path: string | undefined; body: string }[] = [];
const hooks: IncomingHttpHeaders[] = [];
const collector = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  if (request.url === "/hook") hooks.push(request.headers);
  else received.push({ path: request.url, body });
  response.setHeader("content-type", "application/json").end("{}");
}).listen(0, "127.0.0.1");
await once(collector, "listening");
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const tracing = startTracing({ endpoint, release: "1.0.0+abc" });
const { fetch, call, runJobs, database, settings, openShop } = await openTestShop({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64"),
});
afterAll(async () => {
  await tracing.stop();
  collector.close();
});
beforeEach(async () => {
  await tracing.flush();
  received.length = 0;
});

async function spans(): Promise<SentSpan[]> {
  await tracing.flush();
  return received.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
}

const attributeOf = (span: SentSpan | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value;

const server = 2;
const client = 3;
const consumer = 5;

test("a request is a child of its caller's span, with route and status and without its query", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  await fetch("/api/customer?token=secret", { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } });
  const span = (await spans()).find(({ kind }) => kind === server);
  expect(span).toMatchObject({ traceId, parentSpanId: "00f067aa0ba902b7", name: "GET /api/customer" });
  expect(attributeOf(span, "http.response.status_code")).toEqual({ intValue: 401 });
  expect(BigInt(span?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(span?.startTimeUnixNano ?? 1));
  expect(received[0]?.path).toBe("/v1/traces");
  expect(received[0]?.body).toContain('"service.version","value":{"stringValue":"1.0.0+abc"}');
  expect(received[0]?.body).not.toContain("secret");
});

test("a registration is a span, its statements are children, its email's job is linked, and nothing personal is sent", async () => {
  const form = {
    Email: "traced@exemple.fr",
    Password: "hidden-42",
    Firstname: "Gwendoline",
    Lastname: "Quatremère",
    Birthday: "1987-03-09",
    LoyaltySubscribe: "true",
  };
  const { AuthData } = await call(register, form);
  await runJobs();
  const sent = await spans();

  const request = sent.find(({ name }) => name === "POST /api/customer");
  const statements = sent.filter(({ kind, traceId }) => kind === client && traceId === request?.traceId);
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(["begin", "insert customer", "commit"]));
  expect(new Set(statements.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request?.spanId]));
  const insert = statements.find(({ name }) => name === "insert customer");
  expect(attributeOf(insert, "db.query.text")?.stringValue).toContain("$1");

  const job = sent.find(({ name }) => name === "job mail:send");
  expect(job).toMatchObject({ kind: consumer, links: [{ traceId: request?.traceId, spanId: request?.spanId }] });
  expect(job?.traceId).not.toBe(request?.traceId);
  expect(sent.filter(({ parentSpanId }) => parentSpanId === job?.spanId)).not.toEqual([]);

  const everything = received.map(({ body }) => body).join();
  for (const value of [...Object.values(form).filter((each) => each !== "true"), AuthData.Token])
    expect(everything).not.toContain(value);
});

test("a webhook's delivery names its span to the receiver", async () => {
  const url = new URL(`${endpoint.replace("127.0.0.1", "localhost")}/hook`);
  await addEndpoint(database, createSecrets(settings), { url, ownerEmail: "owner@partner.example", now: new Date() });
  const till = await openShop();
  await till.sell({ Amount: "10.00" });
  await runJobs();
  const sent = await spans();
  const delivery = sent.find(({ name }) => name === "POST localhost");
  expect(hooks[0]?.["traceparent"]).toBe(`00-${delivery?.traceId}-${delivery?.spanId}-01`);
  expect(sent.find(({ spanId }) => spanId === delivery?.parentSpanId)?.name).toBe("job shop:webhook");
});

test("statements that wait for a connection stay with the request that sent them", async () => {
  await Promise.all(Array.from({ length: 40 }, () => fetch("/readyz")));
  const sent = await spans();
  const requests = sent.filter(({ kind }) => kind === server);
  expect(requests.length).toBe(40);
  const parents = sent.filter(({ name }) => name === "select").map(({ parentSpanId }) => parentSpanId);
  expect(new Set(parents)).toEqual(new Set(requests.map(({ spanId }) => spanId)));
});

test("a statement that shares its connection with those of other requests is a child of its own", async () => {
  const read = () => fetch("/api/customer", { headers: { authorization: `Bearer ${"a".repeat(43)}` } });
  // While the shared connections are being opened, the pool's are used.
  for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 40 }, read));
  await tracing.flush();
  received.length = 0;
  await Promise.all(Array.from({ length: 10 }, read));
  const sent = await spans();
  const requests = sent.filter(({ kind }) => kind === server);
  const parents = sent.filter(({ name }) => name === "select session").map(({ parentSpanId }) => parentSpanId);
  expect(parents.toSorted()).toEqual(requests.map(({ spanId }) => spanId).toSorted());
});

test("a page with its calls in process is one request; one that is not sampled is none", async () => {
  await fetch("/loyalty");
  expect((await spans()).filter(({ kind }) => kind === server).map(({ name }) => name)).toEqual(["page loyalty"]);
  received.length = 0;
  await fetch("/readyz", { headers: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-00` } });
  expect(await spans()).toEqual([]);
});
