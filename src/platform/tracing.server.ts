import {
  context,
  defaultTextMapSetter,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent, W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
} from "@opentelemetry/semantic-conventions";

/*
 * OpenTelemetry's API alone: until `tracing-sdk.server.ts` has registered the SDK, spans are empty objects and no context is
 * kept. Nothing personal goes into a span: no values of a query, no path or query of an address, no message of an error.
 */

const propagator = new W3CTraceContextPropagator();
const headerGetter = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};

/** The span that the caller's `traceparent` names. */
export const contextOf = (headers: Headers) => propagator.extract(ROOT_CONTEXT, headers, headerGetter);

/** Asked for each time: tests register an SDK and remove it again. */
export const tracer = () => trace.getTracer("cercle");

/** The `traceparent` that makes what receives it a child of the active span; none without one. */
export function traceHeaders(): { traceparent?: string } {
  const headers: { traceparent?: string } = {};
  propagator.inject(context.active(), headers, defaultTextMapSetter);
  return headers.traceparent ? { traceparent: headers.traceparent } : {};
}

/** A link to the span that a `traceparent` names. */
export function linksTo(traceparent: unknown): Link[] {
  const linked = typeof traceparent === "string" ? parseTraceParent(traceparent) : null;
  return linked ? [{ context: linked }] : [];
}

/** Runs a call to another server in a span of its own. Of the address only the host is recorded. */
export function inClientSpan<Response extends { status: number | null }>(
  { method, url }: { method: string; url: URL },
  call: () => Promise<Response>,
): Promise<Response> {
  const attributes = { [ATTR_HTTP_REQUEST_METHOD]: method, [ATTR_SERVER_ADDRESS]: url.hostname };
  return tracer().startActiveSpan(`${method} ${url.hostname}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const response = await call();
      if (response.status === null) failSpan(span, "no response");
      else span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, response.status);
      return response;
    } catch (error) {
      failSpan(span, error instanceof Error ? error.name : "unknown");
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed, by a code or a class of errors: messages may repeat what a customer typed. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
