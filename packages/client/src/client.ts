import type { Calls, Problem } from "./contract.ts";

export interface ClientOptions {
  /** Where Cercle is: https://account.example. */
  url: string;
  /** Of your till or server: cercle_…. It never belongs into a page. */
  key: string;
  /** Of names and refusals: fr, en or de. */
  language?: string;
  /** How long one attempt may take. */
  timeoutMs?: number;
  /** How often a call is tried that gets no answer. */
  attempts?: number;
  /** For tests, and for proxies. */
  fetch?: typeof fetch;
  now?: () => Date;
  wait?: (milliseconds: number) => Promise<void>;
}

/** Times may be dates, codes and items lists. SentAt is filled in. */
type Sent<Value> = {
  [Field in keyof Value as Field extends "SentAt" ? never : Field]: Field extends "VoucherCodes"
    ? string | readonly string[]
    : Field extends "SoldAt" | "DispatchedAt"
      ? string | Date
      : Field extends "Items"
        ? string | readonly object[]
        : Value[Field];
};
export type Input<Line extends keyof Calls> = Sent<Calls[Line]["input"]>;
export type Answer<Line extends keyof Calls> = Calls[Line]["answer"];

/** Why a call did not succeed. */
export class CercleError extends Error {
  readonly status: number | undefined;
  readonly problem: Problem | undefined;
  /** Sending the same again changes nothing. Otherwise keep what you have, and send it again later. */
  readonly isFinal: boolean;

  constructor(
    message: string,
    details: { status?: number | undefined; problem?: Problem | undefined; isFinal: boolean; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.status = details.status;
    this.problem = details.problem;
    this.isFinal = details.isFinal;
  }

  get code() {
    return this.problem?.code;
  }

  /** When it may be sent again, if the answer said so. */
  get retryAfterSeconds(): number | undefined {
    return this.problem?.retryAfter;
  }
}

/** An answer about this call: 400, 404 and 409. Final, unless repeating it later can help (`Retry: "after"`). */
export class Refused extends CercleError {}
/** A voucher cannot be used: `voucherCode` says which, where several were sent. */
export class VoucherRefused extends Refused {
  get voucherCode(): string | undefined {
    return this.problem?.VoucherCode;
  }
}
/** No answer, or one that says nothing about this call: a limit, a fault, a restart. */
export class Unanswered extends CercleError {}
/** The key is wrong, revoked or lacks a scope: a person must look, and nothing is lost meanwhile. */
export class KeyRefused extends CercleError {}

/** The error of a refusal, as of a call of its own or of an item of a batch. */
export function errorOf(status: number, problem: Problem | undefined): CercleError {
  const fields = (problem?.errors ?? []).map(({ field, message }) => ` ${field}: ${message}.`).join("");
  const message = problem ? `${problem.detail}${fields} (${problem.code})` : `Status ${status}`;
  if (!problem || status >= 500 || status === 408 || status === 429)
    return new Unanswered(message, { status, problem, isFinal: false });
  if (status === 401 || status === 403) return new KeyRefused(message, { status, problem, isFinal: false });
  const Kind = problem.code.startsWith("voucher_") ? VoucherRefused : Refused;
  return new Kind(message, { status, problem, isFinal: problem.Retry !== "after" });
}

/** Calls whose times are corrected by the clock of the sender. */
const stamped: ReadonlySet<keyof Calls> = new Set([
  "POST shop/purchase",
  "POST shop/purchase/batch",
  "POST shop/return",
]);

/** What each method calls. */
const lines = {
  identify: "POST shop/identify",
  quote: "POST shop/quote",
  hold: "POST shop/voucher/hold",
  release: "POST shop/voucher/release",
  purchase: "POST shop/purchase",
  amend: "POST shop/purchase/amend",
  readPurchase: "GET shop/purchase",
  return: "POST shop/return",
  void: "POST shop/void",
  batch: "POST shop/purchase/batch",
  join: "POST shop/join",
  catalogue: "GET shop/catalogue",
  consent: "POST shop/consent",
  report: "GET shop/report",
  close: "POST shop/close",
  events: "GET shop/event",
  embed: "POST shop/embed",
} as const satisfies Record<string, keyof Calls>;

export type Client = {
  [Method in keyof typeof lines]: (input: Input<(typeof lines)[Method]>) => Promise<Answer<(typeof lines)[Method]>>;
};

const defaultTimeoutMs = 10_000;
const defaultAttempts = 4;
const firstWaitMs = 500;

/**
 * The calls of a shop. Each may be repeated, as Cercle counts a receipt number once: a call without an answer is tried
 * again, after `Retry-After` or a wait that doubles.
 */
export function createClient(options: ClientOptions): Client {
  const { url, key, language = "en", timeoutMs = defaultTimeoutMs, attempts = defaultAttempts } = options;
  const { fetch: send = fetch, now = () => new Date() } = options;
  const { wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)) } = options;

  async function attempt(line: keyof Calls, input: object): Promise<unknown> {
    const [method = "", path = ""] = line.split(" ");
    const fields = textOf(stamped.has(line) ? { SentAt: now(), ...input } : input);
    const query = method === "GET" ? `?${new URLSearchParams(fields)}` : "";
    const headers = { authorization: `Bearer ${key}`, "accept-language": language };
    let response: Response;
    let answer: unknown;
    try {
      response = await send(`${url}/api/${path}${query}`, {
        method,
        headers: method === "GET" ? headers : { ...headers, "content-type": "application/json" },
        ...(method !== "GET" && { body: JSON.stringify(fields) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      // What is no JSON comes from a proxy in between.
      answer = await response.json();
    } catch (error) {
      throw new Unanswered(`No answer from ${url}`, { isFinal: false, cause: error });
    }
    if (response.ok) return answer;
    const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
    throw errorOf(response.status, isProblem ? (answer as Problem) : undefined);
  }

  async function call(line: keyof Calls, input: object): Promise<unknown> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(line, input);
      } catch (error) {
        if (!(error instanceof Unanswered) || tried >= attempts) throw error;
        const seconds = error.retryAfterSeconds;
        // At random, so that the tills of a shop do not all come back at once.
        await wait(seconds === undefined ? firstWaitMs * 2 ** (tried - 1) * (0.5 + Math.random()) : seconds * 1_000);
      }
    }
  }

  return Object.fromEntries(
    Object.entries(lines).map(([name, line]) => [name, (input: object) => call(line, input)]),
  ) as Client;
}

/** Each field as text: JSON for what is nested, with commas between codes. */
function textOf(input: object): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Date) fields[name] = value.toISOString();
    else if (name === "VoucherCodes" && Array.isArray(value)) fields[name] = value.join(",");
    else fields[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  return fields;
}
