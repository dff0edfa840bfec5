import { z } from "zod";
import { amountOf, amountPattern, mostCents } from "#brand/amounts.ts";
import { installedBrand } from "#brand/brand.server.ts";
import { forCustomerField } from "#platform/api/client/client.ts";
import { fieldCodes, type RefusalCode, refusals } from "#platform/refusal.ts";
import type { Access, Contract, Endpoint } from "./endpoint.server.ts";

/** What any call may be refused with. */
export const sharedRefusals: readonly RefusalCode[] = [
  "invalid",
  "too_slow",
  "too_large",
  "unsupported_body",
  "too_many",
  "broken",
  "unavailable",
];

/** OpenAPI 3.1, made from the same objects that validate the calls. */
export function openApi(contracts: readonly Contract[], publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of contracts) {
    for (const [line, endpoint] of Object.entries(contract)) {
      const [method = "GET", pattern = ""] = line.split(" ");
      const path = `/api/${pattern}`;
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(method, pattern, endpoint) };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: installedBrand().Name,
      version: "1",
      description:
        "Customer account and loyalty club. Every success is 200; every refusal is application/problem+json.",
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A customer's session token" },
        key: { type: "http", scheme: "bearer", description: "A key of a shop" },
        till: { type: "apiKey", in: "cookie", name: "till.device", description: "A paired till" },
        tillStaff: { type: "apiKey", in: "cookie", name: "till.staff", description: "Somebody signed in on it" },
        staff: {
          type: "apiKey",
          in: "cookie",
          name: "staff.token",
          description: "Somebody signed in to the back office",
        },
      },
      schemas: { Problem: problemSchema },
    },
  };
}

const fieldMeaning = "Its name; inside of JSON with the first place that is wrong, counted from 0: Lines.2.Amount";

const problemSchema = {
  type: "object",
  required: ["type", "title", "status", "code", "detail", "instance"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    code: { enum: Object.keys(refusals) },
    detail: { type: "string", description: "In the caller's language" },
    instance: { type: "string", description: "The request's id" },
    retryAfter: { type: "integer", description: "Seconds to wait before trying again, as in Retry-After" },
    Retry: {
      enum: ["never", "after", "changed"],
      description:
        "In the calls of shops: whether sending it again can help: never; unchanged, later; or only with other content",
    },
    VoucherCode: { type: "string", description: "In the calls of shops: the voucher that cannot be used, as sent" },
    Lines: {
      type: "array",
      description: "In the calls of shops: the lines that this voucher may not pay, and why",
      items: {
        type: "object",
        required: ["Line", "Reason"],
        properties: { Line: { type: "string" }, Reason: { type: "string" } },
      },
    },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["field", "code", "message"],
        properties: {
          field: { type: "string", description: fieldMeaning },
          code: { enum: fieldCodes },
          message: { type: "string" },
        },
      },
    },
  },
};

const forCustomerSchema = {
  type: "integer",
  minimum: 1,
  description: "The IdCustomer the call is made for; when somebody else is signed in it is refused",
};

/** What a call may be refused with before its handler sees it. */
const refusalsBy: Record<Access, RefusalCode[]> = {
  anyone: [],
  customer: ["not_signed_in", "other_customer"],
  key: ["key_invalid", "scope_missing"],
  "unchecked key": ["key_invalid", "scope_missing"],
  till: ["not_paired"],
  "till staff": ["not_paired", "pin_required"],
  staff: ["not_signed_in", "forbidden"],
};

/** Amounts and the currency are the installation's, which is not known yet when the contract is written. */
function forInstallation({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const digits = amountPattern();
  const sum = digits.replace(/\{1,\d\}/, "+");
  const patterns: Record<string, string> = { amount: digits, sum, "signed sum": sum.replace("^", "^-?") };
  const pattern = patterns[jsonSchema.format ?? ""];
  if (pattern) Object.assign(jsonSchema, { format: undefined, pattern });
  if (jsonSchema.format === "currency")
    Object.assign(jsonSchema, { format: undefined, const: installedBrand().Currency });
  // What is inside of a JSON text.
  if (jsonSchema["contentSchema"] instanceof z.ZodType)
    jsonSchema["contentSchema"] = jsonOf(jsonSchema["contentSchema"], "input");
  if (jsonSchema.description)
    jsonSchema.description = jsonSchema.description
      .replaceAll("{amount}", amountOf(8_990))
      .replaceAll("{most}", amountOf(mostCents));
}

export const jsonOf = (schema: z.ZodType, io: "input" | "output") =>
  z.toJSONSchema(schema, { io, unrepresentable: "any", override: forInstallation });

function operation(method: string, pattern: string, endpoint: Endpoint) {
  const input = jsonOf(endpoint.input, "input");
  const properties = {
    ...(input.properties as Record<string, object> | undefined),
    ...(endpoint.access === "customer" && { [forCustomerField]: forCustomerSchema }),
  };
  const inPath = new Set([...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const required = new Set(input.required);
  const parameters = Object.entries(properties)
    .filter(([name]) => method === "GET" || inPath.has(name))
    .map(([name, schema]) => ({
      name,
      in: inPath.has(name) ? "path" : "query",
      required: inPath.has(name) || required.has(name),
      schema,
    }));
  const body = Object.fromEntries(Object.entries(properties).filter(([name]) => !inPath.has(name)));
  const bodySchema = { type: "object", properties: body, required: [...required].filter((name) => !inPath.has(name)) };
  const byKey = endpoint.access === "key" || endpoint.access === "unchecked key";
  const fresh: RefusalCode[] = endpoint.fresh ? ["proof_needed"] : [];
  // A key is no cookie: no other site's page can send it.
  const crossSite: RefusalCode[] = method === "GET" || byKey ? [] : ["cross_site"];
  const unknown: RefusalCode[] = byKey ? ["unknown_field"] : [];
  const before = [...sharedRefusals, ...unknown, ...refusalsBy[endpoint.access], ...crossSite, ...fresh];
  const byStatus = groupByStatus([...before, ...endpoint.refusals]);
  return {
    summary: endpoint.summary,
    ...(endpoint.access === "customer" && { security: [{ bearer: [] }] }),
    ...(endpoint.access === "till" && { security: [{ till: [] }] }),
    ...(endpoint.access === "till staff" && { security: [{ till: [], tillStaff: [] }] }),
    ...(endpoint.access === "staff" && {
      security: [{ staff: [] }],
      description: `Roles: ${endpoint.roles?.join(", ")}`,
    }),
    ...(byKey && { security: [{ key: [] }], description: `Scope: ${endpoint.scopes?.join(", ") ?? "of each item"}` }),
    parameters: endpoint.idempotent
      ? [...parameters, { name: "Idempotency-Key", in: "header", schema: { type: "string", maxLength: 255 } }]
      : parameters,
    ...(method !== "GET" &&
      Object.keys(body).length > 0 && {
        requestBody: {
          content: {
            "multipart/form-data": { schema: bodySchema },
            "application/x-www-form-urlencoded": { schema: bodySchema },
            "application/json": { schema: bodySchema },
          },
        },
      }),
    responses: {
      200: {
        description: "Done",
        content: {
          [endpoint.responseType ?? "application/json"]: {
            schema: jsonOf(endpoint.response, "output"),
          },
        },
      },
      ...Object.fromEntries(
        [...byStatus].map(([status, codes]) => [
          status,
          {
            description: codes.join(", "),
            content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
          },
        ]),
      ),
    },
  };
}

function groupByStatus(codes: RefusalCode[]): Map<number, RefusalCode[]> {
  const groups = new Map<number, RefusalCode[]>();
  for (const code of codes) groups.set(refusals[code], [...(groups.get(refusals[code]) ?? []), code]);
  return groups;
}
