import { context, SpanKind, trace } from "@opentelemetry/api";
import { ATTR_DB_QUERY_TEXT, ATTR_DB_SYSTEM_NAME } from "@opentelemetry/semantic-conventions";
import type pg from "pg";
import { failSpan, tracer } from "#platform/tracing.server.ts";

type Query = (...given: unknown[]) => unknown;
type Connect = (taken?: (...given: never[]) => void) => unknown;

/** Makes a span of each statement that a traced request or job sends, on every connection that the pool opens from now on. */
export function traceQueries(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as Connect;
  // A pool without a free connection calls back in the context of whichever request gives one back.
  Object.assign(pool, {
    connect: (...[taken]: Parameters<Connect>) => connect(taken && context.bind(context.active(), taken)),
  });
  pool.on("connect", (client) => Object.assign(client, { query: traced(client.query.bind(client) as Query) }));
}

function traced(query: Query): Query {
  return (...given) => {
    const text = textOf(given[0]);
    // The queue looks for jobs, and the watch for dead runners, all the time: only what a span contains is of interest.
    if (text === undefined || !trace.getActiveSpan()?.isRecording()) return query(...given);
    const span = tracer().startSpan(summaryOf(text), {
      kind: SpanKind.CLIENT,
      // The text has placeholders; the values are never recorded.
      attributes: { [ATTR_DB_SYSTEM_NAME]: "postgresql", [ATTR_DB_QUERY_TEXT]: text },
    });
    const end = (error?: unknown) => {
      if (error) failSpan(span, String((error as { code?: unknown }).code ?? "unknown"));
      span.end();
    };
    const done = given.at(-1);
    if (typeof done === "function") {
      return query(...given.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
        end(error);
        done(error, ...rest);
      });
    }
    const result = query(...given) as Promise<unknown>;
    result.then(() => end(), end);
    return result;
  };
}

/** A query that is an object with a callback, or a cursor, has no text to read here and gets no span. */
function textOf(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  const { text, submit } = given as { text?: unknown; submit?: unknown };
  return typeof text === "string" && !submit ? text : undefined;
}

/** The first word and the first table or function: "select customer". */
function summaryOf(text: string): string {
  const verb = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? "query";
  const target = /\b(?:from|into|update)\s+"?([a-z_.]+)/i.exec(text)?.[1];
  return target ? `${verb} ${target}` : verb;
}
