import { type FieldCode, Refusal } from "#platform/refusal.ts";

const bodyLimitBytes = 64 * 1024;
const utf8 = new TextDecoder();

/** Declared fields as text. No prototype: a field named `__proto__` is just a name. */
export type Fields = Record<string, string>;

/** A map, since a look-up of `?__proto__=` in an object would find its prototype. */
const queryAliases = new Map([
  ["languageIsoCode", "LanguageIsoCode"],
  ["currency", "CurrencyIsoCode"],
]);

function refuse(field: string, code: FieldCode): never {
  throw new Refusal("invalid", { errors: [{ field: field.slice(0, 64), code }] });
}

function collect(entries: Iterable<[string, unknown]>): Fields {
  const fields: Fields = Object.create(null);
  for (const [name, value] of entries) {
    if (/[[\]]/.test(name)) refuse(name, "invalid");
    if (name in fields) refuse(name, "twice");
    if (value === null || value === undefined) continue;
    if (typeof value === "object") refuse(name, value instanceof Blob ? "file" : "invalid");
    const text = String(value);
    // PostgreSQL's text type cannot store a NUL.
    if (text.includes("\0")) refuse(name, "invalid");
    fields[name] = text;
  }
  for (const [name, value] of Object.entries(fields)) if (value === "") delete fields[name];
  return fields;
}

export function readQuery(url: string): Fields {
  // Most calls have no query: parsing the URL would be wasted.
  if (!url.includes("?")) return collect([]);
  return collect([...new URL(url).searchParams].map(([name, value]) => [queryAliases.get(name) ?? name, value]));
}

/** Reads a body of one of the three content types, never more than the limit. `nested`: JSON may hold lists and objects. */
export async function readBody(request: Request, limitBytes?: number, nested = false): Promise<Fields> {
  const { kind, bytes } = await readBytes(request, limitBytes);
  // A request without a body may still carry an empty stream.
  if (bytes.length === 0) return collect([]);
  if (kind === "application/json") return collect(parseJsonFields(bytes, nested));
  if (kind === "application/x-www-form-urlencoded") return collect(new URLSearchParams(utf8.decode(bytes)));
  if (kind === "multipart/form-data") return collect(await parseForm(request, bytes));
  throw new Refusal("unsupported_body");
}

/**
 * The same request with its form already read, within the limit: a page's action reads the form itself, without any
 * limit.
 */
export async function withLimitedForm(request: Request): Promise<Request> {
  const { kind, bytes } = await readBytes(request);
  const headers = new Headers(request.headers);
  if (bytes.length === 0) headers.set("content-type", "application/x-www-form-urlencoded");
  else if (kind === "multipart/form-data") await parseForm(request, bytes);
  else if (kind !== "application/x-www-form-urlencoded") throw new Refusal("unsupported_body");
  return new Request(request.url, { method: request.method, headers, body: bytes, signal: request.signal });
}

export async function readBytes(request: Request, limitBytes = bodyLimitBytes) {
  const kind = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const encoding = request.headers.get("content-encoding");
  if (encoding && encoding !== "identity" && request.body) throw new Refusal("unsupported_body");
  // Of a known length it is read as a whole; as a stream it would cost more than most calls.
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > limitBytes) throw new Refusal("too_large");
  if (length >= 0) return { kind, bytes: await readWhole(request, limitBytes) };
  if (!request.body) return { kind, bytes: new Uint8Array(0) };
  return { kind, bytes: await readLimited(request.body, limitBytes) };
}

async function parseForm(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<FormData> {
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  return new Response(bytes, { headers }).formData().catch(() => {
    throw new Refusal("invalid");
  });
}

/** The fields of a JSON object. What is nested in one becomes its JSON text, as a form would send it. */
function parseJsonFields(bytes: Uint8Array<ArrayBuffer>, mayNest: boolean): [string, unknown][] {
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new Refusal("invalid");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal("invalid");
  const entries = Object.entries(value);
  // Before names are counted: those inside of it are no fields.
  const nested = entries.find(([, one]) => typeof one === "object" && one !== null);
  if (nested && !mayNest) refuse(nested[0], "invalid");
  const names = namesIn(text);
  // Of two fields of one name JSON.parse takes the last; a proxy or firewall before us may have checked the first.
  if (names.length > (nested ? countNames(value) : entries.length))
    refuse(nested ? nested[0] : firstDuplicate(names), "twice");
  return entries.map(([name, one]) => [name, typeof one === "object" && one !== null ? jsonText(one) : one]);
}

/** All names of objects inside of a value. Without recursion: JSON may be nested more deeply than the stack is. */
function countNames(value: unknown): number {
  let names = 0;
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== "object" || one === null) continue;
    const inside = Object.values(one);
    if (!Array.isArray(one)) names += inside.length;
    for (const next of inside) left.push(next);
  }
  return names;
}

/** JSON can be read at any depth, but not written: what is nested too deeply becomes a text that no field may hold. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "\0";
  }
}

/** In valid JSON, a string before a colon is a name. */
function namesIn(json: string): string[] {
  return [...json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)].flatMap(([, name, colon]) => (colon && name ? [name] : []));
}

/** With a set, since searching the list for each name would be quadratic. */
function firstDuplicate(names: string[]): string {
  const seen = new Set<string>();
  for (const name of names.map((text) => String(JSON.parse(text)))) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return "";
}

async function readWhole(request: Request, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await request.arrayBuffer().catch(() => {
    // The client disconnected, or the listener closed its connection because the body came too slowly.
    throw new Refusal("too_slow");
  });
  if (bytes.byteLength > limitBytes) throw new Refusal("too_large");
  return new Uint8Array(bytes);
}

async function readLimited(body: ReadableStream<Uint8Array>, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > limitBytes) throw new Refusal("too_large");
      chunks.push(next.value);
    }
  } catch (error) {
    // The client disconnected, or the listener closed its connection because the body came too slowly.
    throw error instanceof Refusal ? error : new Refusal("too_slow");
  } finally {
    // Not cancelled: with Node 24 the next chunk of a body that was cancelled ends the process. The listener ends the connection.
    reader.releaseLock();
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
