import type { Api, EndpointName, Input, ResponseBody } from "#platform/api/api.ts";
import type { Problem } from "#platform/refusal.ts";

/** What the client reads of a response. */
export type Reply = Pick<Response, "status" | "json">;

/** Sends a request to the API: fetch in the browser, a function call on the server, which goes by the call's line. */
export type Transport = (path: string, init: RequestInit, line: string) => Promise<Reply>;

/** Any status but 200. The screen shows `problem.detail`; the message goes to the log. */
export class CallFailed extends Error {
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined, prefix = "") {
    super(`${prefix}Unexpected status code: ${status}`);
    this.name = "CallFailed";
    this.status = status;
    this.problem = problem;
  }
}

/**
 * What the log's warning of a failed call begins with; undefined for a call whose failures are not logged. Each module
 * declares it for its own calls, beside them.
 */
export type WarningPrefix = (line: string) => string | undefined;

export type Call = <W extends EndpointName>(
  line: W,
  ...rest: Record<string, never> extends Input<W>
    ? [input?: Input<W> | FormData, options?: CallOptions]
    : [input: Input<W> | FormData, options?: CallOptions]
) => Promise<ResponseBody<W>>;

interface CallOptions {
  idempotencyKey?: string;
  /** The customer the call is made for; the API refuses it when another person is signed in. */
  forCustomer?: string | undefined;
}

/** The field of `forCustomer` in the API and in a page's forms. */
export const forCustomerField = "ForCustomer";

/** The typed client. `line` is the wire's own spelling, checked against the contract. */
export function createCall(
  transport: Transport,
  { warn, warningPrefix }: { warn?: (message: string) => void; warningPrefix?: WarningPrefix | undefined } = {},
): Call {
  return async (line: keyof Api & string, input?: object, options: CallOptions = {}) => {
    const [method = "GET", pattern = ""] = line.split(" ");
    const fields = asForm(input ?? {});
    const path = `/api/${pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(takeField(fields, name)))}`;
    const headers: Record<string, string> = { accept: "application/json" };
    if (options.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
    if (options.forCustomer) fields.set(forCustomerField, options.forCustomer);
    const response =
      method === "GET"
        ? await transport(withQuery(path, fields), { method, headers }, line)
        : await transport(path, { method, headers, body: fields }, line);
    if (response.status === 200) return response.json();
    const prefix = warningPrefix?.(line);
    const failed = new CallFailed(response.status, await readProblem(response), prefix);
    if (prefix !== undefined) warn?.(failed.message);
    throw failed;
  };
}

/** The same client for one customer: each of its calls is refused when another person is signed in. */
export function callFor(call: Call, forCustomer: string): Call {
  // The arguments are passed on unchanged; TypeScript cannot follow their types from one generic function to the other.
  const bound = (line: EndpointName, input?: FormData, options?: CallOptions) =>
    (call as (...all: unknown[]) => unknown)(line, input, { ...options, forCustomer });
  return bound as Call;
}

/** Always a form of its own: the caller may send theirs again. */
function asForm(input: object): FormData {
  const form = new FormData();
  for (const [name, value] of input instanceof FormData ? input : Object.entries(input))
    if (value !== undefined) form.append(name, value instanceof File ? value : String(value));
  return form;
}

function takeField(fields: FormData, name: string): string {
  const value = String(fields.get(name) ?? "");
  fields.delete(name);
  return value;
}

function withQuery(path: string, fields: FormData): string {
  const query = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)])).toString();
  return query ? `${path}?${query}` : path;
}

async function readProblem(response: Reply): Promise<Problem | undefined> {
  // A proxy in between may respond with a page of its own; then there is no problem document.
  return response.json().catch(() => undefined);
}

const browserTransport: Transport = (path, init) => {
  const headers = new Headers(init.headers);
  // The page's language, not the browser's: refusals are shown on the page.
  headers.set("accept-language", document.documentElement.lang);
  return fetch(path, { ...init, headers, credentials: "same-origin" });
};

let browserWarningPrefix: WarningPrefix | undefined;

/** The browser's entry hands in the modules' prefixes, before the first call. */
export function setWarningPrefix(prefix: WarningPrefix): void {
  browserWarningPrefix = prefix;
}

/** For calls outside loaders and actions, in the browser alone. */
export const browserCall: Call = createCall(browserTransport, {
  warn: (message) => console.warn(message),
  warningPrefix: (line) => browserWarningPrefix?.(line),
});
