import type { z } from "zod";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database/database.server.ts";
import type { CallerOf } from "./callers.server.ts";
import type { Contract, Endpoint } from "./endpoint.server.ts";
import type { Read } from "./reads.server.ts";

/** What a handler is given. It returns the body of a 200, or throws a Refusal. */
export interface HandlerContext<E extends Endpoint> {
  input: z.output<E["input"]>;
  caller: CallerOf<E>;
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
  /** Of a call with a key: fields that it does not know. */
  unknownFields: readonly string[];
}

type Result<E extends Endpoint> = Promise<z.input<E["response"]> | Response>;

/** A call that only reads the caller's own data: the query that reads it also looks up the session. */
export interface ReadingHandler<E extends Endpoint> {
  read: (input: z.output<E["input"]>) => Read<never, unknown>;
  values: (input: z.output<E["input"]>) => object;
  respond: (value: never, call: HandlerContext<E>) => Result<E>;
}

/** Of several reads `read` chooses one; `values` are its parameters, `respond` turns what was read into the response. */
export function reading<E extends Endpoint, Values extends object, Value>(
  read: Read<Values, Value> | ((input: z.output<E["input"]>) => Read<Values, Value>),
  values: (input: z.output<E["input"]>) => Values,
  respond: (value: Value, call: HandlerContext<E>) => Result<E>,
): ReadingHandler<E> {
  const choose = typeof read === "function" ? read : () => read;
  return { read: choose as ReadingHandler<E>["read"], values, respond };
}

export type Handlers<C extends Contract> = {
  [Line in keyof C]: ((call: HandlerContext<C[Line]>) => Result<C[Line]>) | ReadingHandler<C[Line]>;
};

export interface ApiModule<C extends Contract = Contract> {
  contract: C;
  handlers: Handlers<C>;
}

/** A contract with its handlers; a missing handler does not compile. */
export function apiModule<C extends Contract>(contract: C, handlers: Handlers<C>): ApiModule {
  return { contract, handlers: handlers as Handlers<Contract> };
}
