import { getTableColumns, is, Param, Placeholder, type SQL, sql } from "drizzle-orm";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";

/** A statement, built once, whose placeholders are filled in for each execution. */
export interface Statement<Values extends object = Record<string, unknown>> {
  text: string;
  parameters: (values: Values) => unknown[];
}

const dialect = new PgDialect();

export function buildStatement<Values extends object = Record<string, unknown>>(query: SQL): Statement<Values> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const parameter = (param: unknown, values: Values): unknown => {
    if (is(param, Placeholder)) return values[param.name as keyof Values];
    if (!is(param, Param) || !is(param.value, Placeholder)) return param;
    const value = values[param.value.name as keyof Values] ?? null;
    return value === null ? null : param.encoder.mapToDriverValue(value);
  };
  return { text, parameters: (values) => params.map((param) => parameter(param, values)) };
}

/** Writes a row of a table: every column but those that the database fills in. */
export function buildInsert<Table extends PgTable, Left extends keyof Table["$inferSelect"]>(
  table: Table,
  ...left: Left[]
): Statement<Omit<Table["$inferSelect"], Left>> {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !left.includes(name as Left));
  const names = columns.map(([, column]) => sql.identifier(column.name));
  const values = columns.map(([name, column]) => sql.param(sql.placeholder(name), column));
  return buildStatement(sql`insert into ${table} (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`);
}

/** A statement as `pg` takes it; a connection plans it once, under its name. */
export const fillStatement = <Values extends object>(
  name: string,
  { text, parameters }: Statement<Values>,
  values: NoInfer<Values>,
) => ({ name, text, values: parameters(values) });
