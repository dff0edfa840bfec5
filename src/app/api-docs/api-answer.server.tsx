/** As much of JSON Schema as the contracts make. */
interface Schema {
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
}

interface AnswerField {
  /** `Points.Earned`, or `Lines[].Paid` for what each entry of a list has. */
  path: string;
  holds: string;
  presence: "always" | "may be absent" | "may be null";
  meaning: string | undefined;
}

/** Every field of an answer, with what it means and whether it may be absent. */
export function Answer({ schema }: { schema: Schema }) {
  const fields = fieldsOf(schema, "");
  if (fields.length === 0)
    return (
      <p>
        Answers <code>{schema.properties ? "{}" : typeOf(schema)}</code>
      </p>
    );
  return (
    <>
      <p>Answers</p>
      <table>
        <tbody>
          {fields.map(({ path, holds, presence, meaning }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td>
                <code>{holds}</code>
              </td>
              <td>{presence}</td>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function fieldsOf({ properties = {}, required = [] }: Schema, before: string): AnswerField[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const { value, nullable } = withoutNull(property);
    const inner = value.items ? withoutNull(value.items).value : value;
    const path = `${before}${name}${value.items ? "[]" : ""}`;
    const field: AnswerField = {
      path,
      holds: typeOf(inner),
      presence: !required.includes(name) ? "may be absent" : nullable ? "may be null" : "always",
      meaning: property.description ?? value.description,
    };
    return [field, ...fieldsOf(inner, `${path}.`)];
  });
}

/** A value that may be null is written as one of two schemas. */
function withoutNull(schema: Schema): { value: Schema; nullable: boolean } {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const [only] = others;
  if (!only || others.length === schema.anyOf?.length) return { value: schema, nullable: false };
  return { value: others.length === 1 ? only : { anyOf: others }, nullable: true };
}

function typeOf({ type, format, anyOf, enum: values, const: only }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  // Two shapes alike are one type here.
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(" | ");
  return format ?? type ?? "object";
}
