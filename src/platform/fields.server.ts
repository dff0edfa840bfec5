import { type FieldCode, Refusal } from "./refusal.ts";

export const bodyLimitBytes = 64 * 1024;

/** Declared fields as text. No prototype: a field named `__proto__` is just a name. */
export type Fields = Record<string, string>;

const queryAliases: Record<string, string> = { languageIsoCode: "LanguageIsoCode", currency: "CurrencyIsoCode" };

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
    // PostgreSQL's text cannot hold it, and no person types it.
    if (text.includes("\0")) refuse(name, "invalid");
    fields[name] = text;
  }
  for (const [name, value] of Object.entries(fields)) if (value === "") delete fields[name];
  return fields;
}

export function readQuery(url: URL): Fields {
  return collect([...url.searchParams].map(([name, value]) => [queryAliases[name] ?? name, value]));
}

/** Reads a body of one of the three kinds, never more than the limit. */
export async function readBody(request: Request): Promise<Fields> {
  if (!request.body) return collect([]);
  const kind = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const encoding = request.headers.get("content-encoding");
  if (encoding && encoding !== "identity") throw new Refusal("unsupported_body");
  const bytes = await readLimited(request.body);
  // A request without a body may still carry an empty stream.
  if (bytes.length === 0) return collect([]);
  if (kind === "application/json") return collect(parseFlatJson(bytes));
  if (kind === "application/x-www-form-urlencoded")
    return collect(new URLSearchParams(new TextDecoder().decode(bytes)));
  if (kind === "multipart/form-data") {
    const form = await new Response(bytes, { headers: { "content-type": request.headers.get("content-type") ?? "" } })
      .formData()
      .catch(() => {
        throw new Refusal("invalid");
      });
    return collect(form);
  }
  throw new Refusal("unsupported_body");
}

function parseFlatJson(bytes: Uint8Array<ArrayBuffer>): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal("invalid");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal("invalid");
  return Object.entries(value);
}

async function readLimited(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bodyLimitBytes) throw new Refusal("too_large");
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
