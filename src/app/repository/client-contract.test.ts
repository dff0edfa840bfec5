import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonOf, sharedRefusals } from "#platform/api/openapi.server.ts";
import { fieldCodes, type RefusalCode, refusals, retries } from "#platform/refusal.ts";
import { shopContract } from "#shop/contract.server.ts";
import { eventTypes } from "#shop/webhooks/event-types.ts";

interface Schema {
  type?: string | string[];
  pattern?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  enum?: string[];
  const?: unknown;
  contentSchema?: Schema;
}

const literals = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(" | ");
const comment = (text: string | undefined, indent: string) => (text ? `${indent}/** ${text} */\n` : "");

/** The one schema without a type is that of a problem inside of a batch. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.const !== undefined) return literals([schema.const]);
  if (schema.enum) return literals(schema.enum);
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(" | ");
  if (schema.type === "array") return `(${typeOf(schema.items ?? {}, indent)})[]`;
  if (schema.properties) return objectOf(schema.properties, new Set(schema.required), indent);
  if (typeof schema.additionalProperties === "object")
    return `Record<string, ${typeOf(schema.additionalProperties, indent)}>`;
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  return schema.type === "integer" ? "number" : (schema.type ?? "Problem");
}

function objectOf(properties: Record<string, Schema>, required: ReadonlySet<string>, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description, inner)}${inner}${name}${required.has(name) ? "" : "?"}: ${typeOf(schema, inner)};\n`,
  );
  return `{\n${fields.join("")}${indent}}`;
}

/** A field of a request arrives as text; what it means is the type of what is read from it. */
function inputType(asked: Schema, read: Schema | undefined, indent: string): string {
  if (asked.contentSchema) return typeOf(asked.contentSchema, indent);
  if (read?.type === "boolean") return "boolean";
  // Digits that are read as a number.
  return read?.type === undefined && asked.pattern ? "string | number" : typeOf(asked, indent);
}

function callOf(line: string, call: (typeof shopContract)[keyof typeof shopContract]): string {
  const asked = jsonOf(call.input, "input") as Schema;
  const read = (jsonOf(call.input, "output") as Schema).properties ?? {};
  const required = new Set(asked.required);
  const fields = Object.entries(asked.properties ?? {}).map(
    ([name, schema]) =>
      `${comment(schema.description, "      ")}      ${name}${required.has(name) ? "" : "?"}: ${inputType(schema, read[name], "      ")};\n`,
  );
  const scopes = "scopes" in call && call.scopes ? ` Scope: ${call.scopes.join(", ")}.` : "";
  const answer = typeOf(jsonOf(call.response, "output") as Schema, "    ");
  return `${comment(`${call.summary}${scopes}`, "  ")}  "${line}": {
    input: {\n${fields.join("")}    };
    answer: ${answer};
    refusals: ${literals(call.refusals) || "never"};
  };\n`;
}

/** As the product writes it. */
const [problem] = /export interface Problem \{.*?^\}/ms.exec(readFileSync("src/platform/refusal.ts", "utf8")) ?? [];

test("the types of the package are those of the contract; -u writes them anew", async () => {
  const calls = Object.entries(shopContract)
    .filter(([, { access }]) => access === "key" || access === "unchecked key")
    .map(([line, call]) => callOf(line, call));
  const types = `// Written from the contract of the API: npx vitest run src/app/repository/client-contract.test.ts -u

/** The calls of a shop's key: what each takes, answers and refuses beside what every call may be refused with. */
export interface Calls {
${calls.join("\n")}}

/** Why a call was refused. */
export type RefusalCode =
${Object.keys(refusals)
  .map((code) => `  | "${code}"`)
  .join("\n")};

/** Why a field was refused. */
export type FieldCode =
${fieldCodes.map((code) => `  | "${code}"`).join("\n")};

/** A refusal, as RFC 9457 writes it. */
${problem}

/** What a webhook may tell of. */
export type EventType =
${eventTypes.map((type) => `  | "${type}"`).join("\n")};
`;
  await expect(types).toMatchFileSnapshot(join(process.cwd(), "packages/client/src/contract.ts"));
});

test("the guide for partners lists every refusal of a key's calls, with its status and whether to send it again", () => {
  const guide = readFileSync("docs/shop-integration.md", "utf8");
  const listed = [...guide.matchAll(/^\| `(\w+)` \| (\d{3}) \| (\w*) ?\|/gm)].map(([, ...cells]) => cells);
  const ofEvery = [...sharedRefusals, "unknown_field", "key_invalid", "scope_missing"] as const;
  const ofCalls = Object.values(shopContract)
    .filter(({ access }) => access === "key" || access === "unchecked key")
    .flatMap((call): readonly RefusalCode[] => call.refusals);
  const wanted = [...new Set([...ofEvery, ...ofCalls])].map((code) => [
    code,
    String(refusals[code]),
    (retries as Partial<Record<RefusalCode, string>>)[code] ?? "",
  ]);
  expect(listed.sort()).toEqual(wanted.sort());
});
