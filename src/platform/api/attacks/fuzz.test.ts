import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { openSession } from "#identity/session/session.server.ts";
import type { Problem } from "#platform/refusal.ts";
import { keyScopes } from "#shop/keys/key-scopes.ts";
import { addShop, createKey } from "#shop/keys/keys.server.ts";
import { freshEmail } from "#testing/people.server.ts";
import { openTestTill } from "#testing/till.server.ts";

const { database, fetch, openTill, product, settings } = await openTestTill();

/** A signed-in customer; a few calls end the session or the customer, so each run has its own. */
async function signedInToken(guest: boolean): Promise<string> {
  const email = freshEmail();
  const [made] = await database
    .insert(customers)
    .values({ email, firstname: "Léa", lastname: "Martin", guest, birthday: guest ? null : "1990-05-17" })
    .returning({ id: customers.id });
  const customerId = made?.id ?? 0;
  if (!guest) await database.insert(customerEmails).values({ email, customerId });
  return (await openSession(database, customerId, { device: null })).token;
}

const { cookies: tillCookies } = await openTill();

const shopId = await addShop(database, { name: "Marais", city: "Paris", kind: "boutique" });
const key = await createKey(database, { shopId, name: "Till", scopes: keyScopes, now: new Date() });

/** Valid values, at least one for each field; the field's schema selects which. */
const validValues = [
  "1",
  "2",
  "4",
  "true",
  "off",
  "1990-05-17",
  "2024-02-29",
  "EUR",
  "fr",
  "de-DE",
  "M",
  "none",
  "web",
  "FR",
  "lea@exemple.fr",
  "Léa",
  "12 rue des Lilas",
  "+33612345678",
  "secret-42",
  "x".repeat(43),
  "google",
  "available",
  "MTIz",
  "T-4711",
  "89.90",
  "0",
  "scanned",
  new Date().toISOString(),
  "BCDFGHJKMNPQ",
  '[{"Line":"1","Amount":"89.90"}]',
  '[{"Line":"1"}]',
  '{"OriginalReceiptNumber":"T-4711"}',
  '[{"Kind":"purchase","ReceiptNumber":"T-1","SoldAt":"2026-01-01T00:00:00Z","Amount":"1.00"},{"Kind":"return"},{},[]]',
];

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.constantFrom("", " ", "0", "-1", "4.0", "NaN", "9223372036854775808", "1e9", "Infinity", "null", "undefined"),
  fc.constantFrom("\0", "\ud800", "\r\n", "\u2028", "\u202e", "’; drop table customer;--", "%00", "%", "{{7*7}}"),
  fc.constantFrom("0000-00-00", "0000-01-01", "9999-12-31", "2025-02-29", "+010000-01-01", "-000001-01-01"),
  fc.constantFrom("__proto__", "constructor", "é".repeat(5_000), "a@b.c", `${"a".repeat(64)}@${"b.".repeat(90)}fr`),
  fc.constantFrom("AAAA", "//8=", "________", "OTIyMzM3MjAzNjg1NDc3NTgwOA", "LTE", "MC4x"),
);

type Pair = [name: string, value: unknown];

/** A value of another type, as the text a form can send. */
const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Fields as the schema names them: good, hostile, missing, sent twice, or of another type. */
function pairsFor(shape: Record<string, z.ZodType>): fc.Arbitrary<Pair[]> {
  const perField = Object.entries(shape).map(([name, schema]) => {
    const good = validValues.filter((value) => schema.safeParse(value).success);
    const pair = (value: unknown): Pair[] => [[name, value]];
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...(good.length > 0 ? good : ["x"])).map(pair) },
      { weight: 3, arbitrary: hostile.map(pair) },
      { weight: 1, arbitrary: fc.constant<Pair[]>([]) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map(pair) },
      {
        weight: 1,
        arbitrary: fc.tuple(hostile, hostile).map(([a, b]): Pair[] => [
          [name, a],
          [name, b],
        ]),
      },
    );
  });
  const strangers = fc.array(
    fc.tuple(fc.oneof(hostile, fc.constantFrom("IdCustomer", "Points", "Email[x]")), hostile),
    {
      maxLength: 2,
    },
  );
  return fc.tuple(fc.tuple(...perField), strangers).map(([fields, more]) => [...fields.flat(), ...more]);
}

const encodings = ["form", "multipart", "json"] as const;

function bodyOf(encoding: (typeof encodings)[number], pairs: Pair[]): RequestInit {
  if (encoding === "json")
    return { body: JSON.stringify(Object.fromEntries(pairs)), headers: { "content-type": "application/json" } };
  const body = encoding === "form" ? new URLSearchParams() : new FormData();
  for (const [name, value] of pairs) body.append(name, asText(value));
  return { body };
}

async function expectSuccessOrRefusal(response: Response, locale: Locale): Promise<void> {
  expect(response.status).toBeLessThan(500);
  // A success may be a document, or a file of rows.
  if (response.status === 200 && /^text\/(html|csv)/.test(response.headers.get("content-type") ?? "")) return;
  const body = await response.json();
  if (response.status === 200) return;
  expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  const problem = body as Problem;
  const { t } = textsOf[locale];
  expect(problem.detail).toBe(t(`refusal.${problem.code}`));
  for (const { code, message } of problem.errors ?? []) expect(message).toBe(t(`field.${code}`));
}

const lines = product.contracts.flatMap((contract) => Object.entries(contract));

test.each(lines)(
  "%s: any input gets a success or a refusal in the caller's language, never a 5xx",
  async (line, endpoint) => {
    const [method = "", pattern = ""] = line.split(" ");
    // Every input of the API is an object; its shape names the fields.
    const { shape } = endpoint.input as unknown as { shape: Record<string, z.ZodType> };
    // The language has its own place below: it decides what the refusal must say.
    const { LanguageIsoCode: _, ...fields } = shape;
    const atTill = endpoint.access === "till" || endpoint.access === "till staff";
    const byKey = endpoint.access === "key" || endpoint.access === "unchecked key";
    const who = byKey
      ? fc.constantFrom("till", "till", "till", "customer", "stranger")
      : fc.constantFrom("customer", "customer", "customer", "guest", "till", "stranger");
    await fc.assert(
      fc.asyncProperty(
        pairsFor(fields),
        fc.constantFrom(...encodings),
        fc.constantFrom(...locales),
        who,
        async (pairs, encoding, locale, caller) => {
          const headers = new Headers({ "accept-language": locale });
          if (atTill) {
            headers.set("origin", settings.publicUrl.origin);
            headers.set("cookie", [...tillCookies].map(([name, value]) => `${name}=${value}`).join("; "));
          } else if (caller !== "stranger")
            headers.set("authorization", `Bearer ${caller === "till" ? key : await signedInToken(caller === "guest")}`);
          const path = `/api/${pattern.replace(/\{(\w+)\}/, (__, name) =>
            encodeURIComponent(
              asText(pairs.find(([field]) => field === name)?.[1] ?? "x").replace(/\p{Surrogate}/gu, "?"),
            ),
          )}`;
          const rest = pairs.filter(([name]) => !pattern.includes(`{${name}}`) && name !== "LanguageIsoCode");
          const query = new URLSearchParams(rest.map(([name, value]) => [name, asText(value)]));
          const body = bodyOf(encoding, rest);
          if (body.headers) headers.set("content-type", "application/json");
          const response =
            method === "GET"
              ? await fetch(`${path}?${query}`, { headers })
              : await fetch(path, { method, headers, body: body.body ?? null });
          await expectSuccessOrRefusal(response, locale);
        },
      ),
      { numRuns: Number(process.env["FUZZ_RUNS"] ?? 12), interruptAfterTimeLimit: 15_000 },
    );
  },
);
