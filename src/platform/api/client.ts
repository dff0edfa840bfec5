import { createContext } from "react-router";
import type { Problem } from "#platform/refusal.ts";
import type { Api, Input, ResponseBody, Wire } from "./api.ts";

declare module "react-router" {
  interface Future {
    v8_middleware: true;
  }
}

/** What the client reads of an answer. */
export type Reply = Pick<Response, "status" | "json">;

/** Carries a request to the API: fetch in the browser, a function call on the server. */
export type Transport = (path: string, init: RequestInit) => Promise<Reply>;

/** Any answer but 200. The screen shows `problem.detail`; the message goes to the log. */
export class CallFailed extends Error {
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined, wrap: (message: string) => string) {
    super(wrap(`Unexpected status code: ${status}`));
    this.name = "CallFailed";
    this.status = status;
    this.problem = problem;
  }
}

/** The calls whose failures the specification words for the log, and how. */
const worded: [line: RegExp, wrap: (message: string) => string][] = [
  [/ loyalty\//, (message) => `Error fetching product: ${message}`],
  [/^PUT customer$/, (message) => `Error editing customer: ${message}`],
  [/^POST customer\/autologin$/, (message) => `Error signing in by link: ${message}`],
  [/^POST (customer|authentification\/facebook)$/, (message) => message],
];

export type Call = <W extends Wire>(
  line: W,
  ...rest: Record<string, never> extends Input<W>
    ? [input?: Input<W> | FormData, options?: CallOptions]
    : [input: Input<W> | FormData, options?: CallOptions]
) => Promise<ResponseBody<W>>;

interface CallOptions {
  idempotencyKey?: string;
  /** Whom the call is made for; the API refuses it when somebody else is signed in. */
  forCustomer?: string | undefined;
}

/** The field that says so; a page's forms carry it too. */
export const forCustomerField = "ForCustomer";

/** The typed client. `line` is the wire's own spelling, checked against the contract. */
export function createCall(transport: Transport, warn: (message: string) => void = () => {}): Call {
  return async (line: keyof Api & string, input?: object, options: CallOptions = {}) => {
    const [method = "GET", pattern = ""] = line.split(" ");
    const fields = input instanceof FormData ? input : asForm(input ?? {});
    const path = `/api/${pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(taken(fields, name)))}`;
    const headers: Record<string, string> = { accept: "application/json" };
    if (options.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
    if (options.forCustomer) fields.set(forCustomerField, options.forCustomer);
    const response =
      method === "GET"
        ? await transport(withQuery(path, fields), { method, headers })
        : await transport(path, { method, headers, body: fields });
    if (response.status === 200) return response.json();
    const wrap = worded.find(([lines]) => lines.test(line))?.[1];
    const failed = new CallFailed(response.status, await readProblem(response), wrap ?? ((message) => message));
    if (wrap) warn(failed.message);
    throw failed;
  };
}

/** The same client for one customer: each of its calls is refused when somebody else is signed in. */
export function callFor(call: Call, forCustomer: string): Call {
  // The arguments go through as they came; TypeScript cannot follow their types from one generic function to the other.
  const bound = (line: Wire, input?: FormData, options?: CallOptions) =>
    (call as (...all: unknown[]) => unknown)(line, input, { ...options, forCustomer });
  return bound as Call;
}

function asForm(input: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(input)) if (value !== undefined) form.append(name, String(value));
  return form;
}

function taken(fields: FormData, name: string): string {
  const value = String(fields.get(name) ?? "");
  fields.delete(name);
  return value;
}

function withQuery(path: string, fields: FormData): string {
  const query = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)])).toString();
  return query ? `${path}?${query}` : path;
}

async function readProblem(response: Reply): Promise<Problem | undefined> {
  // A proxy in between may answer with a page of its own; then there is no problem to read.
  return response.json().catch(() => undefined);
}

const browserTransport: Transport = (path, init) => {
  const headers = new Headers(init.headers);
  // The page's language, not the browser's: refusals speak as the page does.
  headers.set("accept-language", document.documentElement.lang);
  return fetch(path, { ...init, headers, credentials: "same-origin" });
};

/** For what a component asks outside loaders and actions, in the browser alone. */
export const browserCall: Call = createCall(browserTransport, (message) => console.warn(message));

/** Loaders and actions take their client from here; the server puts its in-process one in. */
export const callContext = createContext<Call>(browserCall);
