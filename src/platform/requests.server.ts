import { randomBytes } from "node:crypto";
import type { ErrorHandler, MiddlewareHandler } from "hono";
import { defaultLocale, type Locale } from "#i18n/locale.ts";
import { asUnavailable, sqlState } from "./database.server.ts";
import type { Answered } from "./figures.server.ts";
import type { Log } from "./log.server.ts";
import { problemResponse } from "./problem.server.ts";
import { Refusal } from "./refusal.ts";

/** What every request carries through the app. */
export interface RequestEnv {
  Bindings: { address?: string; requestId?: string };
  Variables: { requestId: string; locale: Locale; address: string; route: string; nonce: string };
}

/** Hosts of others that our pages work with, as origins. */
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
  /** Told of every answer, for the figures. */
  answered?: ((what: Answered) => void) | undefined;
  trusted?: TrustedHosts;
}): MiddlewareHandler<RequestEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    const inner = c.env?.requestId;
    const requestId = inner ?? randomBytes(9).toString("base64url");
    const nonce = randomBytes(12).toString("base64url");
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
    for (const [name, value] of securityHeaders(nonce, options)) if (!headers.has(name)) headers.set(name, value);
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

function securityHeaders(
  nonce: string,
  { secure, development, trusted = nobody }: { secure: boolean; development: boolean; trusted?: TrustedHosts },
) {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", `'nonce-${nonce}'`, ...trusted.script].join(" "),
    // Vite's development server injects styles and speaks over a socket.
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    [development ? "connect-src 'self' ws:" : "connect-src 'self'", ...trusted.connect].join(" "),
    ...(trusted.frame.length > 0 ? [`frame-src ${trusted.frame.join(" ")}`] : []),
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const headers: [string, string][] = [
    ["content-security-policy", policy.join("; ")],
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
  const state = sqlState(error);
  log.error(
    { requestId, sqlState: state, error: state ? "query failed" : String(error), frames: frames.slice(0, 12) },
    "fault",
  );
}
