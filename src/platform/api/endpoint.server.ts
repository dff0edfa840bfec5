import { z } from "zod";
import { isAmount } from "#brand/amounts.ts";
import { installedBrand } from "#brand/brand.server.ts";
import type { FieldCode, RefusalCode } from "#platform/refusal.ts";

/**
 * Who may make a call. A guest is a customer who may only touch their own record. "key": a till or a server with a key of
 * its shop. "unchecked key": the same, and the handler checks the key in its own query. "till": a device that was paired
 * with a shop. "till staff": the same, and a person who has signed in on it by PIN, whatever their role. "staff": a person
 * signed in to the back office, with one of the call's roles.
 */
export type Access = "anyone" | "customer" | "key" | "unchecked key" | "till" | "till staff" | "staff";

/** The roles of the back office; what each may do is `roles` of every call. */
export const staffRoles = ["owner", "marketing", "service", "shop"] as const;
export type StaffRole = (typeof staffRoles)[number];

/** A call as data: handler, client, documentation and tests all read this object. */
export interface Endpoint<Input extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  summary: string;
  access: Access;
  /** What the key must be allowed to do. */
  scopes?: readonly string[];
  /** Who of the staff may make it. */
  roles?: readonly StaffRole[];
  /** Only within five minutes after a proof of who they are. */
  fresh?: boolean;
  /** The longest body, where it may be longer than usual. */
  bodyLimitBytes?: number;
  input: Input;
  response: Body;
  /** The content type of a success, where it is not JSON. */
  responseType?: string;
  /** Its refusals besides those that every call shares. */
  refusals: readonly RefusalCode[];
  /** Takes an Idempotency-Key. */
  idempotent?: boolean;
  /** The same for everybody: caches may store it for this long. */
  publicSeconds?: number;
}

/** A call of the back office names its roles; no other call has any. */
type ForStaff<A extends Access> = A extends "staff"
  ? { roles: readonly [StaffRole, ...StaffRole[]] }
  : { roles?: never; fresh?: never };

/** Keeps the literal type of `access`, so that the handler of a customer's call has a caller in its type. */
export function endpoint<Input extends z.ZodType, Body extends z.ZodType, A extends Access>(
  description: Endpoint<Input, Body> & { access: A } & ForStaff<A>,
): Endpoint<Input, Body> & { access: A } {
  return description;
}

/** Endpoints by their method and path: `POST authentification/email`. */
export type Contract = Record<string, Endpoint>;

/** What a value is refused with; one that is missing is "required". */
export const refusedAs = (value: FieldCode) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? "required" : value),
});

const isCurrency = (code: string) => code === installedBrand().Currency;

/** The kinds of field of a request. A value arrives as text; an empty one has been dropped already. */
export const fieldTypes = {
  text: (max = 255) => z.string(refusedAs("invalid")).trim().min(1, "required").max(max, "too_long"),
  flag: () => z.stringbool({ truthy: ["true", "1", "on"], falsy: ["false", "0", "off"], ...refusedAs("invalid") }),
  id: () =>
    z
      .string(refusedAs("invalid"))
      .regex(/^[1-9]\d{0,15}$/, "invalid")
      .transform(Number)
      .refine(Number.isSafeInteger, "invalid"),
  /** An id that the database stores as an integer. A larger one would be a fault there: it is read as the largest, which nothing has. */
  integerId: () => fieldTypes.id().transform((id) => Math.min(id, 2_147_483_647)),
  /** PostgreSQL knows no year 0. */
  date: () => z.iso.date(refusedAs("date")).refine((day) => !day.startsWith("0000"), "date"),
  /** Resolved before validation, from the field, the header or the cookie; listed here for the documentation. */
  language: () => z.string().optional().describe("fr, en, de, fr-FR, en-US or de-DE"),
  currency: () =>
    z
      .string(refusedAs("currency"))
      .refine(isCurrency, "currency")
      .meta({ format: "currency" })
      .default(() => installedBrand().Currency),
  amount: () =>
    fieldTypes.text(16).refine(isAmount, "amount").meta({ format: "amount" }).describe("With VAT: {amount}"),
};

/** The fields by which any call may choose its language and currency. */
export const localeFields = { LanguageIsoCode: fieldTypes.language(), CurrencyIsoCode: fieldTypes.currency() };

/** Of a response. The documentation has the pattern of the currency (openapi.server.ts). */
export const amount = z.string().meta({ format: "sum" });
/** One that may be less than zero. */
export const signedAmount = z.string().meta({ format: "signed sum" });

export const money = z.object({ Amount: amount, CurrencyIsoCode: z.string().meta({ format: "currency" }) });
