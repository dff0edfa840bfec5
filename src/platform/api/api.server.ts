import { Hono } from "hono";
import { type Locale, localeOfCode } from "#i18n/locale.ts";
import { forCustomerField } from "#platform/api/client/client.ts";
import { hashBody, readIdempotencyKey, respondIdempotently } from "#platform/api/idempotency/idempotency.server.ts";
import { compressed } from "#platform/compress.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { type ConcurrencyLimit, createConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { ApiModule, HandlerContext, Handlers, ReadingHandler } from "./api-module.server.ts";
import type { KeyCaller, OfficeCaller, OpenKey, OpenOffice, OpenTill, TillCaller } from "./callers.server.ts";
import { requestSite } from "./csrf.server.ts";
import type { Access, Contract, Endpoint } from "./endpoint.server.ts";
import { type Fields, readBody, readQuery } from "./fields.server.ts";
import type { Caller, CallerReads } from "./reads.server.ts";
import {
  localeOf,
  refuseCrossSite,
  refuseOtherCustomer,
  refuseUnknownFields,
  unknownFieldsOf,
  validateInput,
} from "./request-checks.server.ts";
import { type RequestEnv, withFixedHeaders } from "./requests.server.ts";

/** A request as a call sees it: it came over HTTP, or from a page in this process. */
export interface Incoming {
  request: Request;
  fields: Fields;
  locale: Locale;
  reads: CallerReads;
  /** Of a call with a key, by a till or by staff: it was checked before the body was read. */
  checkedCaller?: KeyCaller | OfficeCaller | undefined;
  requestId: string;
  address: string;
}

/** What a handler returned, and the headers it set. */
interface Outcome {
  result: unknown;
  headers: Headers;
}

/** The modules' calls: validation, authentication and language are written here, once. */
export function createApi(options: {
  modules: readonly ApiModule[];
  database: Database;
  readsOf: (request: Request) => CallerReads;
  openKey: OpenKey;
  openTill: OpenTill;
  openOffice: OpenOffice;
  /** What a call by key, from a till or by staff is made with; undefined for the others. */
  credentialOf: (request: Request, access: Access) => string | undefined;
  publicOrigin: string;
  /** Headers of every response. */
  fixedHeaders: Record<string, string>;
  now: () => Date;
}) {
  const routes = new Hono<RequestEnv>();
  const reading = new Map<string, (incoming: Incoming) => Promise<Outcome>>();
  const limitConcurrency = createConcurrencyLimit();
  // Before the caller is known, so that a call which waited is checked when its turn comes, with the counts of then.
  const limitCredential = createConcurrencyLimit();
  for (const { contract, handlers } of options.modules) {
    for (const [line, endpoint] of Object.entries(contract)) {
      const [method = "GET", pattern = ""] = line.split(" ");
      const handler = handlers[line];
      if (!handler) throw new Error(`No handler for ${line}`);
      const execute = createExecute({ ...options, line, endpoint, handler, limitConcurrency });
      if (method === "GET") reading.set(line, execute);
      const route = `${method} /api/${pattern}`;
      const respond = responder(endpoint, options.fixedHeaders);
      routes.on(method, `/${pattern.replace(/\{(\w+)\}/g, ":$1")}`, async (c) => {
        c.set("route", route);
        const request = c.req.raw;
        const requested = localeOf(c);
        c.set("locale", requested);
        const { access, scopes = [], bodyLimitBytes } = endpoint;
        const requestId = c.get("requestId");
        const run = async () => {
          const checkedCaller =
            access === "key"
              ? await options.openKey(request, scopes, options.now())
              : await openByCookie(options, endpoint, { request, requestId, changes: method !== "GET" });
          const fields =
            method === "GET" ? readQuery(request.url) : await readBody(request, bodyLimitBytes, isByKey(access));
          Object.assign(fields, c.req.param());
          const locale = localeOfCode(fields["LanguageIsoCode"]) ?? requested;
          c.set("locale", locale);
          const reads = options.readsOf(request);
          const address = c.get("address");
          const outcome = await execute({ request, fields, locale, reads, checkedCaller, requestId, address });
          const response = respond(outcome, locale, requestId);
          if (response === outcome.result) return response;
          const sent = endpoint.publicSeconds ? await compressPublic(response, request) : response;
          withFixedHeaders.add(sent);
          return sent;
        };
        const credential = options.credentialOf(request, access);
        return credential === undefined ? run() : limitCredential({ customerId: credential, sessionId: 0 }, run);
      });
    }
  }
  routes.all("*", (c) => {
    c.set("route", "unknown call");
    c.set("locale", localeOf(c));
    throw new Refusal("not_found");
  });

  return {
    routes,
    /** The body of a reading call, for a page of this process: as over HTTP, without its cost. A refusal is thrown. */
    async read(line: string, incoming: Incoming): Promise<unknown> {
      const execute = reading.get(line);
      if (!execute) throw new Refusal("not_found");
      const { result } = await execute(incoming);
      return result instanceof Response ? result.json() : result;
    },
  };
}

/** One call: who makes it, whether they may, whether its input is valid; then its handler. */
function createExecute(call: {
  line: string;
  endpoint: Endpoint;
  handler: Handlers<Contract>[string];
  database: Database;
  publicOrigin: string;
  openTill: OpenTill;
  openOffice: OpenOffice;
  limitConcurrency: ConcurrencyLimit;
  now: () => Date;
}): (incoming: Incoming) => Promise<Outcome> {
  const { line, endpoint, handler, database, publicOrigin } = call;
  const changes = !line.startsWith("GET ");
  // The same for everybody: who asks does not matter.
  const isPublicRead = !changes && endpoint.access === "anyone";
  const byKey = isByKey(endpoint.access);
  const storedResponse = responder(endpoint, {});

  return async (incoming) => {
    const { request, fields, locale, reads, requestId, address } = incoming;
    const handle = async (
      input: unknown,
      caller: Caller | KeyCaller | OfficeCaller | undefined,
      queries: Queries,
    ): Promise<Outcome> => {
      const headers = new Headers();
      const unknownFields = byKey ? unknownFieldsOf(endpoint.input, fields) : [];
      const context = { input, locale, queries, request, headers, requestId, address, unknownFields };
      const result =
        typeof handler === "function"
          ? await handler({ ...context, caller: caller as Caller, now: call.now() })
          : await handleRead(handler, reads, context);
      return { result, headers };
    };

    /** An idempotent call: its effect and, where it has a key, its response in one transaction. */
    const inTransaction = async (
      key: string | undefined,
      ownerId: number | undefined,
      sent: Fields,
      work: (tx: Queries) => Promise<Outcome>,
    ): Promise<Outcome> => {
      if (key === undefined || ownerId === undefined) return database.transaction(work);
      const keyed = { ownerId, call: line, key, bodyHash: hashBody(sent) };
      const result = await respondIdempotently(database, keyed, async (tx) =>
        storedResponse(await work(tx), locale, requestId),
      );
      return { result, headers: result.headers };
    };

    if (typeof handler === "object" && fields[forCustomerField] === undefined) {
      const parsed = endpoint.input.safeParse(fields);
      // A bad request of a person who is not signed in is refused for that, so the session is looked up first.
      if (parsed.success) return handle(parsed.data, undefined, database);
    }
    if (byKey) {
      const caller = incoming.checkedCaller;
      if (caller && "api" in caller) refuseUnknownFields(caller, unknownFieldsOf(endpoint.input, fields));
      return handle(validateInput(endpoint.input, fields), caller, database);
    }
    // A page of this process reads without the route above.
    const checked = incoming.checkedCaller ?? (await openByCookie(call, endpoint, { request, requestId, changes }));
    if (checked) {
      const key = endpoint.idempotent ? readIdempotencyKey(request, fields) : undefined;
      const input = validateInput(endpoint.input, fields);
      if (!endpoint.idempotent) return handle(input, checked, database);
      return inTransaction(key, ownerOf(checked), fields, (tx) => handle(input, checked, tx));
    }
    const caller = isPublicRead ? undefined : await reads.caller();
    if (changes) refuseCrossSite(request, caller, publicOrigin);
    if (endpoint.access === "customer" && !caller) throw new Refusal("not_signed_in");
    refuseOtherCustomer(fields, caller);
    const key = endpoint.idempotent ? readIdempotencyKey(request, fields) : undefined;
    const input = validateInput(endpoint.input, fields);
    const run = async (): Promise<Outcome> => {
      if (!endpoint.idempotent) return handle(input, caller, database);
      return inTransaction(key, caller?.customerId, fields, (tx) => handle(input, caller, tx));
    };
    if (!caller) return run();
    return call.limitConcurrency(caller, async (waited) => {
      // The session may have ended while the call waited.
      if (waited && !(await reads.caller())) throw new Refusal("not_signed_in");
      return run();
    });
  };
}

const isByKey = (access: Access) => access === "key" || access === "unchecked key";

/** Whose idempotency key it is. Staff are no customers: their keys are stored under the negative of their id. */
function ownerOf(caller: KeyCaller | OfficeCaller): number | undefined {
  return "role" in caller ? -caller.staffId : undefined;
}

/** The till or the person of the back office who makes the call. Their cookies must not serve a page of another site. */
async function openByCookie(
  options: { openTill: OpenTill; openOffice: OpenOffice; publicOrigin: string; now: () => Date },
  { access, roles = [], fresh = false }: Endpoint,
  { request, requestId, changes }: { request: Request; requestId: string; changes: boolean },
): Promise<TillCaller | OfficeCaller | undefined> {
  if (access !== "till" && access !== "till staff" && access !== "staff") return undefined;
  if (changes && requestSite(request, options.publicOrigin) !== "same-origin") throw new Refusal("cross_site");
  if (access === "staff") return options.openOffice(request, { roles, fresh, now: options.now() });
  return options.openTill(request, { access, requestId, now: options.now() });
}

/** Looks up the session and reads, in one query; then the handler forms the response. */
async function handleRead(
  handler: ReadingHandler<Endpoint>,
  reads: CallerReads,
  call: Omit<HandlerContext<Endpoint>, "caller" | "now">,
) {
  const found = await reads.read(handler.read(call.input), handler.values(call.input));
  if (!found) throw new Refusal("not_signed_in");
  return handler.respond(found.value as never, { ...call, caller: found.caller, now: reads.now });
}

/** Only what is the same for everybody: the compressed size of a response with secrets could reveal them (BREACH). */
async function compressPublic(response: Response, request: Request): Promise<Response> {
  const accepted = request.headers.get("accept-encoding") ?? undefined;
  const { body, encoding } = await compressed(await response.text(), accepted);
  const headers = Object.fromEntries(response.headers);
  headers["vary"] = `${headers["vary"]}, accept-encoding`;
  if (encoding) headers["content-encoding"] = encoding;
  return new Response(body, { headers });
}

/** Writes responses as JSON. Their headers are the same but for the language, the request's id and what a handler sets. */
function responder(endpoint: Endpoint, fixedHeaders: Record<string, string>) {
  const { publicSeconds } = endpoint;
  const headers = {
    ...fixedHeaders,
    "content-type": "application/json; charset=utf-8",
    "cache-control": publicSeconds ? `public, max-age=${publicSeconds}` : "no-store",
    ...(publicSeconds && { vary: "accept-language, cookie" }),
  };
  return ({ result, headers: own }: Outcome, locale: Locale, requestId: string): Response => {
    if (result instanceof Response) return result;
    // A plain object: the listener passes it on to Node as it is.
    const init = { ...headers, "content-language": locale, "x-request-id": requestId };
    const response = new Response(JSON.stringify(result), { headers: init });
    // Cookies add up; any other header replaces the usual one.
    for (const [name, value] of own)
      if (name === "set-cookie") response.headers.append(name, value);
      else response.headers.set(name, value);
    return response;
  };
}
