import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type { z } from "zod";
import { defaultLocale, type Locale, localeCookie, localeOfCode, localeOfHeader } from "#i18n/locale.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { createConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import { type FieldCode, fieldCodes, Refusal } from "#platform/refusal.ts";
import { forCustomerField } from "./client.ts";
import { requestSite } from "./csrf.server.ts";
import { type Contract, type Endpoint, wire } from "./endpoint.server.ts";
import { type Fields, readBody, readQuery } from "./fields.server.ts";
import { hashBody, readIdempotencyKey, respondIdempotently } from "./idempotency.server.ts";
import type { Caller, CallerReads, Read } from "./reads.server.ts";
import type { RequestEnv } from "./requests.server.ts";

/** What a handler is given. It returns the body of a 200, or throws a Refusal. */
export interface HandlerContext<E extends Endpoint> {
  input: z.output<E["input"]>;
  caller: E["access"] extends "customer" ? Caller : Caller | undefined;
  locale: Locale;
  /**
   * The database; in an idempotent call the transaction that also stores its response. Such a call does all its work
   * through it: a second connection would not see what the first has written, and could wait for its locks.
   */
  queries: Queries;
  requestId: string;
  now: Date;
  /** The client's IP address; behind a proxy, the one the proxy added. */
  address: string;
  request: Request;
  /** Headers of the response, for cookies. */
  headers: Headers;
}

type Result<E extends Endpoint> = Promise<z.input<E["response"]> | Response>;

/** A call that only reads the caller's own data: the query that reads it also looks up the session. */
export interface ReadingHandler<E extends Endpoint> {
  read: Read<never, unknown>;
  values: (input: z.output<E["input"]>) => object;
  respond: (value: never, call: HandlerContext<E>) => Result<E>;
}

/** `values` are the read's parameters, `respond` turns what was read into the response. */
export function reading<E extends Endpoint, Values extends object, Value>(
  read: Read<Values, Value>,
  values: (input: z.output<E["input"]>) => Values,
  respond: (value: Value, call: HandlerContext<E>) => Result<E>,
): ReadingHandler<E> {
  return { read: read as Read<never, unknown>, values, respond };
}

export type Handlers<C extends Contract> = {
  [Line in keyof C]: ((call: HandlerContext<C[Line]>) => Result<C[Line]>) | ReadingHandler<C[Line]>;
};

export interface Room<C extends Contract = Contract> {
  contract: C;
  handlers: Handlers<C>;
}

/** A contract with its handlers; a missing handler does not compile. */
export function room<C extends Contract>(contract: C, handlers: Handlers<C>): Room {
  return { contract, handlers: handlers as Handlers<Contract> };
}

/** Mounts the rooms' calls: validation, authentication and language are written here, once. */
export function createApi(options: {
  rooms: readonly Room[];
  database: Database;
  readsOf: (request: Request) => CallerReads;
  publicOrigin: string;
  now: () => Date;
}): Hono<RequestEnv> {
  const { database, readsOf, publicOrigin } = options;
  const api = new Hono<RequestEnv>();
  const limitConcurrency = createConcurrencyLimit();
  for (const { contract, handlers } of options.rooms) {
    for (const [line, endpoint] of Object.entries(contract)) {
      const [method = "GET", pattern = ""] = line.split(" ");
      const handler = handlers[line];
      if (!handler) throw new Error(`No handler for ${line}`);
      const route = `${method} /api/${pattern}`;
      api.on(method, `/${pattern.replace(/\{(\w+)\}/g, ":$1")}`, async (c) => {
        c.set("route", route);
        const request = c.req.raw;
        const requested = localeOf(c);
        c.set("locale", requested);
        const fields = method === "GET" ? readQuery(request.url) : await readBody(request);
        Object.assign(fields, c.req.param());
        const locale = localeOfCode(fields["LanguageIsoCode"]) ?? requested;
        c.set("locale", locale);
        const reads = c.env?.reads ?? readsOf(request);
        const respond = async (input: unknown, caller: Caller | undefined, queries: Queries): Promise<Response> => {
          const headers = new Headers();
          const call = {
            input,
            locale,
            queries,
            request,
            headers,
            requestId: c.get("requestId"),
            address: c.get("address"),
          };
          const result =
            typeof handler === "function"
              ? await handler({ ...call, caller: caller as Caller, now: options.now() })
              : await respondToRead(handler, reads, call);
          return result instanceof Response ? result : jsonResponse(result, headers, endpoint, locale);
        };

        if (typeof handler === "object" && fields[forCustomerField] === undefined) {
          const parsed = endpoint.input.safeParse(fields);
          // A bad request of somebody who is not signed in is refused for that, so the session is looked up first.
          if (parsed.success) return respond(parsed.data, undefined, database);
        }
        const caller = isPublicRead(method, endpoint) ? undefined : await reads.caller();
        if (method !== "GET") refuseCrossSite(request, caller, publicOrigin);
        if (endpoint.access === "customer" && !caller) throw new Refusal("not_signed_in");
        refuseOtherCustomer(fields, caller);
        const key = endpoint.idempotent ? readIdempotencyKey(request, fields) : undefined;
        const input = validate(endpoint, fields);
        const run = async (): Promise<Response> => {
          if (!endpoint.idempotent) return respond(input, caller, database);
          const inTransaction = (tx: Queries) => respond(input, caller, tx);
          if (key === undefined || !caller) return database.transaction(inTransaction);
          const { customerId } = caller;
          return respondIdempotently(
            database,
            { customerId, call: line, key, bodyHash: hashBody(fields) },
            inTransaction,
          );
        };
        if (!caller) return run();
        return limitConcurrency(caller, async (waited) => {
          // The session may have ended while the call waited.
          if (waited && !(await reads.caller())) throw new Refusal("not_signed_in");
          return run();
        });
      });
    }
  }
  api.all("*", (c) => {
    c.set("route", "unknown call");
    c.set("locale", localeOf(c));
    throw new Refusal("not_found");
  });
  return api;
}

/** Looks up the session and reads, in one query; then the handler forms the response. */
async function respondToRead(
  handler: ReadingHandler<Endpoint>,
  reads: CallerReads,
  call: Omit<HandlerContext<Endpoint>, "caller" | "now">,
) {
  const found = await reads.read(handler.read, handler.values(call.input));
  if (!found) throw new Refusal("not_signed_in");
  return handler.respond(found.value as never, { ...call, caller: found.caller, now: reads.now });
}

/** The same for everybody: who asks does not matter. */
const isPublicRead = (method: string, endpoint: Endpoint) => method === "GET" && endpoint.access === "anyone";

function jsonResponse(body: unknown, headers: Headers, endpoint: Endpoint, locale: Locale): Response {
  headers.set("content-type", "application/json; charset=utf-8");
  headers.set("content-language", locale);
  headers.set("cache-control", endpoint.publicSeconds ? `public, max-age=${endpoint.publicSeconds}` : "no-store");
  if (endpoint.publicSeconds) headers.set("vary", "accept-language, cookie");
  return new Response(JSON.stringify(body), { headers });
}

/** The language of a response where no field names one: the header, then the cookie, then French. */
export function localeOf(c: Context<RequestEnv>): Locale {
  return localeOfHeader(c.req.header("accept-language")) ?? localeOfCode(getCookie(c, localeCookie)) ?? defaultLocale;
}

/** CSRF: a page of another site must neither use our customer's cookie nor sign somebody in. */
function refuseCrossSite(request: Request, caller: Caller | undefined, publicOrigin: string): void {
  if (request.headers.has("authorization")) return;
  const site = requestSite(request, publicOrigin);
  if (site === "cross-site" || (site === "unknown" && caller?.byCookie)) throw new Refusal("cross_site");
}

/**
 * A page may stay open while somebody else signs in in another tab: what it sends must not reach their account.
 * The field is no part of the call's input, nor of the body that an idempotency key is compared with.
 */
function refuseOtherCustomer(fields: Fields, caller: Caller | undefined): void {
  const named = fields[forCustomerField];
  delete fields[forCustomerField];
  if (!caller || named === undefined) return;
  const id = wire.id().safeParse(named);
  if (!id.success) throw new Refusal("invalid", { errors: [{ field: forCustomerField, code: "invalid" }] });
  if (id.data !== caller.customerId) throw new Refusal("other_customer");
}

function validate<E extends Endpoint>(endpoint: E, fields: Fields): z.output<E["input"]> {
  const parsed = endpoint.input.safeParse(fields);
  if (parsed.success) return parsed.data as z.output<E["input"]>;
  const seen = new Set<string>();
  const errors = parsed.error.issues
    .map((issue) => ({ field: String(issue.path[0] ?? ""), code: fieldCode(issue.message) }))
    .filter(({ field }) => !seen.has(field) && seen.add(field));
  throw new Refusal("invalid", { errors });
}

function fieldCode(message: string): FieldCode {
  return (fieldCodes as readonly string[]).includes(message) ? (message as FieldCode) : "invalid";
}
