import { expect, test } from "vitest";
import { createTraces } from "#platform/traces.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const sent: { url: string; body: string }[] = [];
const collector = async (url: unknown, init?: RequestInit) => {
  sent.push({ url: String(url), body: String(init?.body) });
  return new Response();
};
const traces = createTraces({ endpoint: "http://collector.example:4318", release: "1.0.0+abc", fetch: collector });
const { fetch } = await openTestProduct({}, { traces });

const spans = async () => {
  await traces.flush();
  return sent.splice(0).flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
};

test("a request is one span, a child of its caller's, with route and status and nothing personal", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  await fetch("/api/customer?token=secret", { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } });
  await traces.flush();
  expect(sent[0]?.url).toBe("http://collector.example:4318/v1/traces");
  expect(sent[0]?.body).toContain('"service.version","value":{"stringValue":"1.0.0+abc"}');
  expect(sent[0]?.body).not.toContain("secret");
  const [span] = await spans();
  expect(span).toMatchObject({ traceId, parentSpanId: "00f067aa0ba902b7", name: "GET /api/customer", kind: 2 });
  expect(span.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: "401" } });
  expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
});

test("a page with its calls in process is one span; one that is not sampled is none", async () => {
  await fetch("/loyalty");
  expect((await spans()).map(({ name }) => name)).toEqual(["page loyalty"]);
  await fetch("/healthz", { headers: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-00` } });
  expect(await spans()).toEqual([]);
});

test("a collector that is away holds up nobody, and what cannot be sent is dropped", async () => {
  const away = createTraces({ endpoint: "http://127.0.0.1:1", release: "1.0.0+abc" });
  for (let n = 0; n < 5_000; n += 1)
    away.start(undefined).end({ method: "GET", route: "x", status: 200, requestId: "y" });
  await away.flush();
});
