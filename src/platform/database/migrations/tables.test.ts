import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { openTestProduct } from "#testing/product.server.ts";

const modules = import.meta.glob<Record<string, unknown>>("/src/**/*.tables.server.ts", { eager: true });
const tables = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((value) => is(value, PgTable));

const { database } = await openTestProduct();

/** Tables that no typed query uses, and what does. */
const undeclared = {
  migration: "src/platform/database/migrations/migrate.server.ts, before anything else can",
  function_text: "src/platform/database/migrations/migrate.server.ts, likewise",
  function_set: "src/platform/database/migrations/migrate.server.ts, likewise",
  installation: "src/platform/database/migrations/installation.server.ts, likewise",
  rate_limit: "the rate limiter's library",
  old_password_sample: "src/identity/password/old-hashes/samples.server.ts, in SQL",
  loyalty_person_key: "the SQL function loyalty_person",
  loyalty_claw_back: "the SQL function loyalty_claw_back",
  loyalty_lot_use: "the SQL functions loyalty_take_lots and loyalty_refill",
  shop_key_use: "src/shop/keys/key-query.server.ts and SQL functions",
  shop_look_up: "src/shop/keys/identify-query.server.ts and the SQL function shop_find_members",
  webhook_customer: "the SQL functions webhook_write and webhook_status",
  webhook_since: "src/shop/webhooks/clean-up.server.ts and the invariants, in SQL",
  shop_day_close: "src/shop/sales/report/report.server.ts, in SQL",
};

/** Columns that no code uses. The release before still reads them, so the next one drops them. */
const unused: string[] = [];

interface Column {
  name: string;
  type: string;
  notNull: boolean;
  inKey: boolean;
}

const byName = (a: Column, b: Column) => (a.name < b.name ? -1 : 1);

function declared(table: PgTable): Column[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const keyed = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
  return columns.map((column) => ({
    name: column.name,
    type: column.getSQLType(),
    notNull: column.notNull,
    inKey: column.primary || keyed.has(column.name),
  }));
}

test.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
  "the declaration of %s matches the database: column names, types, nullability, primary key",
  async (name, table) => {
    const { rows } = await database.$client.query<Column>(
      `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "notNull",
              coalesce(attnum = any(conkey), false) as "inKey"
       from pg_attribute left join pg_constraint on conrelid = attrelid and contype = 'p'
       where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [name],
    );
    const used = rows.filter((column) => !unused.includes(`${name}.${column.name}`));
    expect(declared(table).sort(byName)).toEqual(used.sort(byName));
  },
);

test("every table of the database is declared in the code, or exempt by name", async () => {
  const { rows } = await database.$client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  const names = [...tables.map((table) => getTableConfig(table).name), ...Object.keys(undeclared)];
  expect(names.sort()).toEqual(rows.map(({ name }) => name).sort());
});
