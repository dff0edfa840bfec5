import { context, isValidTraceId, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from "@opentelemetry/semantic-conventions";
import type { ErrorHandler, MiddlewareHandler } from "hono";
import { installedBrand } from "#brand/brand.server.ts";
import { defaultLocale, type Locale } from "#i18n/locale.ts";
import { errorCode, unavailableRefusal } from "#platform/database/database.server.ts";
import type { Log } from "#platform/log.server.ts";
import type { RequestMetrics } from "#platform/metrics.server.ts";
import { problemResponse } from "#platform/problem.server.ts";
import { takeRandom } from "#platform/random.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { contextOf, tracer } from "#platform/tracing.server.ts";

/** What every request carries through the app. */
export interface RequestEnv {
  Bindings: { address?: string; requestId?: string };
  Variables: { requestId: string; locale: Locale; address: string; route: string; nonce: string };
}

/** Other hosts that our pages load from, as sources of a content security policy: a script, a folder or an origin. */
export interface TrustedHosts {
  script: readonly string[];
  connect: readonly string[];
  frame: readonly string[];
}

/** Responses that were made with the fixed headers and the request's id: the middleware has nothing to add. */
export const withFixedHeaders = new WeakSet<Response>();

/** The headers of every response of the API, which is data: nothing in it may be run or framed. */
export const apiHeaders = (secure: boolean): Record<string, string> => ({
  ...Object.fromEntries(securityHeaders(secure)),
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
});

/** Middleware: headers on every response, and one log line for each request, with nothing personal in it. */
export function withRequest(options: {
  log: Log;
  secure: boolean;
  trustProxy: boolean;
  development: boolean;
  /** Called after every response, for the metrics. */
  onResponse?: ((request: RequestMetrics) => void) | undefined;
  trusted?: TrustedHosts;
}): MiddlewareHandler<RequestEnv> {
  const policyWith = contentPolicy(options);
  const fixedHeaders = securityHeaders(options.secure);
  return async (c, next) => {
    const startedAt = performance.now();
    const inner = c.env?.requestId;
    // Nine random bytes are the twelve characters of the id, twelve bytes the nonce.
    const random = takeRandom(21).toString("base64url");
    const requestId = inner ?? random.slice(0, 12);
    const nonce = random.slice(12);
    c.set("requestId", requestId);
    c.set("locale", defaultLocale());
    c.set("nonce", nonce);
    c.set("address", clientAddress(c.env?.address, options.trustProxy ? c.req.header("x-forwarded-for") : undefined));
    // A page calls the API in process, inside its own request: one span and one log line are enough.
    if (inner) return next();
    const caller = contextOf(c.req.raw.headers);
    const span = tracer().startSpan("request", { kind: SpanKind.SERVER }, caller);
    await context.with(trace.setSpan(caller, span), next);
    const { status } = c.res;
    if (!withFixedHeaders.has(c.res)) {
      const { headers } = c.res;
      headers.set("x-request-id", requestId);
      // A response may set a policy of its own, as the sandbox's emails do.
      if (!headers.has("content-security-policy")) headers.set("content-security-policy", policyWith(nonce));
      for (const [name, value] of fixedHeaders) if (!headers.has(name)) headers.set(name, value);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const { method } = c.req;
    const route = c.get("route");
    options.onResponse?.({ method, route, status, seconds });
    endRequestSpan(span, { method, route, status, requestId });
    // Without a collector this is the caller's own, or none.
    const { traceId } = span.spanContext();
    const ms = Math.round(seconds * 10_000) / 10;
    const fields = { requestId, ...(isValidTraceId(traceId) && { traceId }), method, route, status, ms };
    options.log.info(fields, "request");
  };
}

function endRequestSpan(
  span: Span,
  { method, route, status, requestId }: { method: string; route: string; status: number; requestId: string },
): void {
  span.updateName(route ?? method);
  span.setAttributes({
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
    [ATTR_HTTP_ROUTE]: route,
    "cercle.request_id": requestId,
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const noHosts: TrustedHosts = { script: [], connect: [], frame: [] };

/** Everything but the nonce is built once, because every response carries it. */
function contentPolicy(options: { development: boolean; trusted?: TrustedHosts }): (nonce: string) => string {
  const { development, trusted = noHosts } = options;
  const own = (kind: string, others: readonly string[]) => [`${kind} 'self'`, ...others].join(" ");
  const rest = [
    own("connect-src", development ? ["ws:", ...trusted.connect] : trusted.connect),
    ...(trusted.frame.length > 0 ? [`frame-src ${trusted.frame.join(" ")}`] : []),
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const scripts = ["", ...trusted.script].join(" ");
  const { sheetSource } = installedBrand();
  return (nonce) => {
    // Vite's development server injects styles and speaks over a socket.
    const styles = development ? "'unsafe-inline'" : `'nonce-${nonce}' ${sheetSource}`;
    return `default-src 'none'; script-src 'self' 'nonce-${nonce}'${scripts}; style-src 'self' ${styles}; ${rest}`;
  };
}

function securityHeaders(secure: boolean): [string, string][] {
  const headers: [string, string][] = [
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "strict-origin-when-cross-origin"],
    ["permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), screen-wake-lock=(self)"],
    ["cross-origin-opener-policy", "same-origin-allow-popups"],
  ];
  if (secure) headers.push(["strict-transport-security", "max-age=63072000; includeSubDomains"]);
  return headers;
}

/** The last address in X-Forwarded-For, which our proxy added; the client can forge those before it. */
function clientAddress(socket: string | undefined, forwarded: string | undefined): string {
  return forwarded?.split(",").at(-1)?.trim() || socket || "unknown";
}

/** Turns what was thrown into problem+json: a refusal with its own status, an unavailable database as 503, the rest as 500. */
export function problemHandler(
  log: Log,
  onRefused?: (code: string, route: string | undefined) => void,
): ErrorHandler<RequestEnv> {
  return (error, c) => {
    const requestId = c.get("requestId");
    const refusal = refusalOf(error, log, requestId);
    onRefused?.(refusal.code, c.get("route"));
    return problemResponse(refusal, c.get("locale"), requestId);
  };
}

/** The refusal that a thrown error is to the client; an error of ours is logged. */
export function refusalOf(error: unknown, log: Log, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  // A statement that took too long says nothing about the request, which may be made again.
  const tookTooLong = errorCode(error) === "57014";
  const refusal =
    unavailableRefusal(error) ??
    (tookTooLong ? new Refusal("unavailable", { retryAfterSeconds: 2 }) : new Refusal("broken"));
  if (refusal.status >= 500) logFault(log, error, requestId);
  return refusal;
}

export function logFault(log: Log, error: unknown, requestId: string): void {
  // A failed query's message carries its values: the stack starts after it, the SQLSTATE says enough.
  const frames = error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const state = errorCode(error);
  log.error(
    { requestId, errorCode: state, error: state ? "query failed" : String(error), frames: frames.slice(0, 12) },
    "fault",
  );
}
