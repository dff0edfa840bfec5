import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { withEmptyDatabase } from "#testing/database.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { migrate, migrations, productSchema, splitStatements } from "./migrate.server.ts";

/** Changes that would break the previous release, which runs on while the next one starts. */
const contracting: [what: string, pattern: RegExp][] = [
  ["drops", /^drop (?!index)|\bdrop (column|constraint|default)\b/],
  ["renames", /\brename\b/],
  ["changes a type", /\balter (column )?\w+ (set data )?type\b/],
  ["sets not null", /\bset not null\b/],
  ["empties", /^truncate\b/],
  ["adds what old inserts leave out", /\badd (column )?(if not exists )?\w+ (?!.*\bdefault\b).*\bnot null\b/],
  ["adds what old rows or old writes may break", /\badd (constraint|check|foreign|unique|primary)\b(?!.*\bnot valid$)/],
];

/**
 * A check replaced by a wider one in the same statement, and not asked of old rows. That it is wider is for the test beside
 * the table to show.
 */
const widensCheck = /^alter table \w+ drop constraint (\w+), add constraint \1 check \(.*\) not valid$/;

function contracts(statements: string): string[] {
  // What nothing uses any more may be removed one release later; such a file names the migration since which.
  if (/^-- unused since \S+/.test(statements)) return [];
  const plain = statements.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").replace(/--.*$/gm, "");
  const all = plain.split(";").map((statement) => statement.replace(/\s+/g, " ").trim().toLowerCase());
  const made = new Set(all.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []));
  const narrowing = all.filter((statement) => !widensCheck.test(statement));
  const found = narrowing.flatMap((s) => contracting.filter(([, pattern]) => pattern.test(s)).map(([what]) => what));
  const uniqueOn = all.flatMap((s) => /^create unique index .*\bon (\w+)/.exec(s)?.[1] ?? []);
  return uniqueOn.some((table) => !made.has(table)) ? [...found, "makes old values unique"] : found;
}

test.each([
  ["drop table customer", "drops"],
  ["alter table customer drop column civility", "drops"],
  ["alter table customer rename column civility to title", "renames"],
  ["alter table customer alter column id type text", "changes a type"],
  ["alter table customer alter civility set not null", "sets not null"],
  ["truncate mail", "empties"],
  ["alter table customer add column a text not null", "adds what old inserts leave out"],
  ["alter table customer add constraint a check (id > 0)", "adds what old rows or old writes may break"],
  ["alter table customer drop constraint a, add constraint b check (id > 0) not valid", "drops"],
  ["create unique index a on customer (firstname)", "makes old values unique"],
])("a migration that would break the previous release is found: %s", (statement, what) => {
  expect(contracts(`${statement};`)).toEqual([what]);
  expect(contracts(`-- unused since 0012_titles\n${statement};`)).toEqual([]);
});

const expanding = `
  alter table customer add column nickname text;
  alter table customer add column rank integer not null default 0;
  alter table customer add constraint rank_holds check (rank >= 0) not valid;
  alter table customer drop constraint rank_holds, add constraint rank_holds check (rank >= -1) not valid;
  create table badge (customer_id bigint not null, name text not null, primary key (customer_id, name));
  create unique index badge_name on badge (name);
  create index customer_nickname on customer (nickname);
  create function later() returns void language plpgsql as $$ begin perform 1; truncate badge; end $$;
  alter table loyalty_account add column noted_at timestamptz not null default now();
`;

test("migrations only add: the previous release runs on while the next one starts", () => {
  expect(contracts(expanding)).toEqual([]);
  for (const { name, statements } of migrations)
    expect({ name, contracts: contracts(statements) }).toEqual({ name, contracts: [] });
});

/** What a file without a transaction could not do twice; after a kill half-way it runs again from its start. */
function unrepeatable(statements: string): string[] {
  if (!/^-- no transaction\b/.test(statements)) return [];
  const all = splitStatements(statements).map((statement) => statement.replace(/\s+/g, " ").toLowerCase());
  return all.filter((statement, n) => {
    const built = /^create (?:unique )?index concurrently (\w+) /.exec(statement)?.[1];
    return built ? all[n - 1] !== `drop index concurrently if exists ${built}` : !/ if (not )?exists /.test(statement);
  });
}

test.each([
  ["drop index concurrently if exists a; create index concurrently a on mail (id);", true],
  ["create table if not exists badge (id bigint);", true],
  ["create index concurrently a on mail (id);", false],
  ["drop index concurrently if exists b; create index concurrently a on mail (id);", false],
  // It would take an invalid index, left by a failed build, for a finished one.
  ["create index concurrently if not exists a on mail (id);", false],
  ["update mail set id = id + 1;", false],
])("a migration without a transaction must be repeatable: %s %s", (statements, repeatable) => {
  expect(unrepeatable(`-- no transaction\n${statements}`).length === 0).toBe(repeatable);
});

test("every migration without a transaction is repeatable", () => {
  for (const { name, statements } of migrations)
    expect({ name, unrepeatable: unrepeatable(statements) }).toEqual({ name, unrepeatable: [] });
});

test("of ten processes that start at once on an empty database one migrates", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await Promise.all(Array.from({ length: 10 }, () => migrate(url)));
    const client = await connect();
    const { rows } = await client.query("select name from migration order by applied_at, name");
    expect(rows).toEqual(migrations.map((migration) => ({ name: migration.name })));
  });
});

test("the schema of the next release is migrated under traffic: nobody waits for its locks, and both releases work", async () => {
  const { fetch, database, databaseUrl } = await openTestProduct();
  let person = 0;
  /** Reads and writes with the same prepared queries before, during and after the migration. */
  async function visit() {
    person += 1;
    const fields = { Firstname: "Zoé", Lastname: "Suite", Birthday: "1990-05-17", LoyaltySubscribe: "true" };
    const body = new URLSearchParams({ ...fields, Email: `suite-${person}@exemple.fr`, Password: "secret-42" });
    const registered = await fetch("/api/customer", { method: "POST", body });
    expect(registered.status).toBe(200);
    const { AuthData } = await registered.json();
    const headers = { authorization: `Bearer ${AuthData.Token}` };
    const renamed = new URLSearchParams({ Firstname: "Zoé", Lastname: "Encore" });
    expect((await fetch("/api/customer", { method: "PUT", headers, body: renamed })).status).toBe(200);
    for (const path of ["customer", "loyalty/customer", "loyalty/programme", "customer/export"])
      expect({ path, status: (await fetch(`/api/${path}`, { headers })).status }).toEqual({ path, status: 200 });
  }
  await visit();

  // An open transaction has read customers, so the migration cannot lock the table yet.
  const reader = await database.$client.connect();
  await reader.query("begin; select from customer limit 1");
  const migrated = migrate(databaseUrl, {
    ...productSchema,
    migrations: [...migrations, { name: "9999_next", statements: expanding }],
  });
  const waits = () =>
    database.execute(sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'cercle migration' and wait_event_type = 'Lock'`);
  await expect.poll(async () => (await waits()).rowCount).toBe(1);
  for (let n = 0; n < 3; n += 1) await visit();
  await reader.query("commit");
  reader.release();
  await Promise.all([migrated, visit(), visit()]);
  await visit();
  const { rows } = await database.execute(sql`select nickname, rank from customer limit 1`);
  expect(rows).toEqual([{ nickname: null, rank: 0 }]);
});
