import { randomBytes } from "node:crypto";
import type { ErrorHandler, MiddlewareHandler } from "hono";
import { defaultLocale, type Locale } from "#i18n/locale.ts";
import { asUnavailable, errorCode } from "#platform/database/database.server.ts";
import type { Log } from "#platform/log.server.ts";
import type { Answered } from "#platform/metrics.server.ts";
import { problemResponse } from "#platform/problem.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** What every request carries through the app. */
export interface RequestEnv {
  Bindings: { address?: string; requestId?: string };
  Variables: { requestId: string; locale: Locale; address: string; route: string; nonce: string };
}

/** What our pages use of others' hosts, as sources of a content security policy: a script, a folder or an origin. */
export interface TrustedHosts {
  script: readonly string[];
  connect: readonly string[];
  frame: readonly string[];
}

/** Headers on every answer, and one log line for each request, with nothing personal in it. */
export function withRequest(options: {
  log: Log;
  secure: boolean;
  trustProxy: boolean;
  development: boolean;
  /** Told of every answer, for the metrics. */
  answered?: ((what: Answered) => void) | undefined;
  trusted?: TrustedHosts;
}): MiddlewareHandler<RequestEnv> {
  const policyWith = contentPolicy(options);
  const sameForAll = securityHeaders(options.secure);
  return async (c, next) => {
    const startedAt = performance.now();
    const inner = c.env?.requestId;
    // Drawn once for both, since each draw costs: nine bytes are twelve letters, the other twelve the nonce.
    const drawn = randomBytes(21).toString("base64url");
    const requestId = inner ?? drawn.slice(0, 12);
    const nonce = drawn.slice(12);
    c.set("requestId", requestId);
    c.set("locale", defaultLocale);
    c.set("nonce", nonce);
    const traceId = traceIdOf(c.req.header("traceparent"));
    c.set("address", clientAddress(c.env?.address, options.trustProxy ? c.req.header("x-forwarded-for") : undefined));
    await next();
    // A page's own call to the API travels inside the page's request: one line is enough.
    if (inner) return;
    const { headers, status } = c.res;
    headers.set("x-request-id", requestId);
    // An answer may bring a policy of its own, as the sandbox's letters do.
    if (!headers.has("content-security-policy")) headers.set("content-security-policy", policyWith(nonce));
    for (const [name, value] of sameForAll) if (!headers.has(name)) headers.set(name, value);
    const seconds = (performance.now() - startedAt) / 1_000;
    const { method } = c.req;
    const route = c.get("route");
    options.answered?.({ method, route, status, seconds });
    const ms = Math.round(seconds * 10_000) / 10;
    const what = { requestId, ...(traceId && { traceId }), method, route, status, ms };
    options.log.info(what, "request");
  };
}

const nobody: TrustedHosts = { script: [], connect: [], frame: [] };

/** All but the nonce is written once: this stands in front of every answer. */
function contentPolicy(options: { development: boolean; trusted?: TrustedHosts }): (nonce: string) => string {
  const { development, trusted = nobody } = options;
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
  return (nonce) => {
    // Vite's development server injects styles and speaks over a socket.
    const styles = development ? "'unsafe-inline'" : `'nonce-${nonce}'`;
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

/** The trace a request belongs to, by W3C Trace Context. Whatever else stands in the header reaches no log. */
function traceIdOf(header: string | undefined): string | undefined {
  const id = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-|$)/.exec(header ?? "")?.[1];
  return id && /[^0]/.test(id) ? id : undefined;
}

/** The last address a proxy of ours added; what the client itself wrote before it proves nothing. */
function clientAddress(socket: string | undefined, forwarded: string | undefined): string {
  return forwarded?.split(",").at(-1)?.trim() || socket || "unknown";
}

/** Turns what was thrown into a problem: refusals as they are, a database away as 503, anything else as 500. */
export function asProblem(log: Log): ErrorHandler<RequestEnv> {
  return (error, c) => {
    const requestId = c.get("requestId");
    const refusal = error instanceof Refusal ? error : (asUnavailable(error) ?? new Refusal("broken"));
    if (refusal.status >= 500 && !(error instanceof Refusal)) logFault(log, error, requestId);
    return problemResponse(refusal, c.get("locale"), requestId);
  };
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
