import { randomBytes } from "node:crypto";

/** One request, from its start to its response. */
interface Span {
  traceId: string;
  end(of: { method: string; route: string | undefined; status: number; requestId: string }): void;
}

export interface Traces {
  /** `parent` is the caller's W3C `traceparent` header. */
  start(parent: string | undefined): Span;
  /** Sends what waits. */
  flush(): Promise<void>;
}

const sendEveryMs = 5_000;
const sendAtOnce = 512;
/** While the collector is away, later spans are dropped: they must not fill the memory. */
const maxWaiting = 4_096;
const timeoutMs = 5_000;
const serverKind = 2;
const errorStatus = 2;

/**
 * Sends a span for each request to an OpenTelemetry collector: OTLP over HTTP, as JSON. Written here because it is all that
 * is used of the OpenTelemetry packages, which would be forty more to ship.
 */
export function createTraces(options: { endpoint: string; release: string; fetch?: typeof fetch }): Traces {
  const { endpoint, release, fetch: send = fetch } = options;
  const resource = { attributes: attributesOf({ "service.name": "cercle", "service.version": release }) };
  let waiting: object[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();

  async function post(spans: object[]): Promise<void> {
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "cercle" }, spans }] }] });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    // Traces are not worth a retry, and no request waits for them.
    await send(`${endpoint}/v1/traces`, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(() => {});
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const spans = waiting;
    waiting = [];
    if (spans.length > 0) sending = sending.then(() => post(spans));
    return sending;
  }

  return {
    flush,
    start(header) {
      const parent = parentOf(header);
      const traceId = parent?.traceId ?? randomBytes(16).toString("hex");
      const startedAt = Date.now();
      const startedMs = performance.now();
      return {
        traceId,
        end({ method, route, status, requestId }) {
          if (parent?.sampled === false || waiting.length >= maxWaiting) return;
          waiting.push({
            traceId,
            spanId: randomBytes(8).toString("hex"),
            ...(parent && { parentSpanId: parent.spanId }),
            name: route ?? method,
            kind: serverKind,
            startTimeUnixNano: nanoseconds(startedAt),
            endTimeUnixNano: nanoseconds(startedAt + performance.now() - startedMs),
            attributes: attributesOf({
              "http.request.method": method,
              "http.response.status_code": status,
              "cercle.request_id": requestId,
              ...(route && { "http.route": route }),
            }),
            ...(status >= 500 && { status: { code: errorStatus } }),
          });
          if (waiting.length >= sendAtOnce) void flush();
          else timer ??= setTimeout(() => void flush(), sendEveryMs).unref();
        },
      };
    },
  };
}

/** OTLP writes 64-bit numbers as text. */
const nanoseconds = (ms: number) => `${Math.floor(ms)}${String(Math.floor((ms % 1) * 1e6)).padStart(6, "0")}`;

function attributesOf(values: Record<string, string | number>) {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** The parts of a W3C `traceparent` header; a malformed one is ignored. */
export function parentOf(header: string | undefined) {
  const [, traceId = "", spanId = "", flags = ""] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(header ?? "") ?? [];
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
