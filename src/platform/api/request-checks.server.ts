import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import { defaultLocale, type Locale, localeCookie, localeOfCode, localeOfHeader } from "#i18n/locale.ts";
import { forCustomerField } from "#platform/api/client/client.ts";
import { type FieldCode, fieldCodes, Refusal } from "#platform/refusal.ts";
import { requestSite } from "./csrf.server.ts";
import { fieldTypes } from "./endpoint.server.ts";
import type { Fields } from "./fields.server.ts";
import type { Caller } from "./reads.server.ts";
import type { RequestEnv } from "./requests.server.ts";

/** The language of a response where no field names one: the header, then the cookie, then the brand's default one. */
export function localeOf(c: Context<RequestEnv>): Locale {
  return localeOfHeader(c.req.header("accept-language")) ?? localeOfCode(getCookie(c, localeCookie)) ?? defaultLocale();
}

/** CSRF: a page of another site must neither use our customer's cookie nor sign a person in. */
export function refuseCrossSite(request: Request, caller: Caller | undefined, publicOrigin: string): void {
  if (request.headers.has("authorization")) return;
  const site = requestSite(request, publicOrigin);
  if (site === "cross-site" || (site === "unknown" && caller?.byCookie)) throw new Refusal("cross_site");
}

/**
 * A page may stay open while another person signs in in another tab: what it sends must not reach their account.
 * The field is no part of the call's input, nor of the body that an idempotency key is compared with.
 */
export function refuseOtherCustomer(fields: Fields, caller: Caller | undefined): void {
  const named = fields[forCustomerField];
  delete fields[forCustomerField];
  if (!caller || named === undefined) return;
  const id = fieldTypes.id().safeParse(named);
  if (!id.success) throw new Refusal("invalid", { errors: [{ field: forCustomerField, code: "invalid" }] });
  if (id.data !== caller.customerId) throw new Refusal("other_customer");
}

/** The fields as their schema reads them; refused with every field that is wrong. */
export function validateInput<Schema extends z.ZodType>(schema: Schema, fields: Fields): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const seen = new Set<string>();
  const errors = parsed.error.issues
    .map((issue) => ({ field: fieldOf(issue), code: fieldCode(issue.message) }))
    .filter(({ field }) => !seen.has(field) && seen.add(field));
  throw new Refusal("invalid", { errors });
}

/** The fields that a call does not know. Any call may choose its language. */
export function unknownFieldsOf(schema: z.ZodType, fields: Fields, also: readonly string[] = []): string[] {
  const known = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.keys(fields).filter(
    (name) => !Object.hasOwn(known, name) && name !== "LanguageIsoCode" && !also.includes(name),
  );
}

/** From a key of the second version of the API no field is ignored: a misspelt one would change the meaning of a sale. */
export function refuseUnknownFields({ api }: { api: 1 | 2 }, unknown: readonly string[]): void {
  if (api === 1 || unknown.length === 0) return;
  const errors = unknown.slice(0, 10).map((name) => ({ field: name.slice(0, 64), code: "unknown" as const }));
  throw new Refusal("unknown_field", { errors });
}

/** The field; with the place inside of it where a check of ours names one, as for JSON in src/shop/sales/fields.server.ts. */
function fieldOf({ code, path }: z.core.$ZodIssue): string {
  return code === "custom" ? path.join(".") : String(path[0] ?? "");
}

function fieldCode(message: string): FieldCode {
  return (fieldCodes as readonly string[]).includes(message) ? (message as FieldCode) : "invalid";
}
