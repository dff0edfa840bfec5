import { createHash } from "node:crypto";
import type pg from "pg";
import { expect, test } from "vitest";
import { withEmptyDatabase } from "#testing/database.server.ts";
import { ChangedMigration, type Migrations, migrate, splitStatements, UnknownDatabase } from "./migrate.server.ts";

const first = { name: "0001_thing", statements: "create table thing (name text);\ninsert into thing values ('a');\n" };
const second = { name: "0002_other", statements: "create table other (name text);\n" };
const index = {
  name: "0003_index",
  statements: `-- no transaction
    drop index concurrently if exists thing_name;
    create index concurrently thing_name on thing (name);`,
};
const only = (migrations: Migrations) => ({ migrations, functions: [] });
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const recorded = async (client: pg.Client) =>
  (await client.query("select name, checksum from migration order by name")).rows;
const validIndexes = async (client: pg.Client) =>
  (
    await client.query(
      "select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'thing'::regclass",
    )
  ).rows;

/** Resolves once the migration waits for a lock, at a statement like this. Inside a transaction it would always see the same. */
const waiting = (client: pg.Client, statement: string) =>
  expect
    .poll(async () => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'cercle migration'
         and wait_event_type = 'Lock' and query like $1`,
        [`${statement}%`],
      );
      return rowCount;
    })
    .toBe(1);

test("a changed file of an applied migration is refused in one line that names it, before anything is changed", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(url, only([first]));
    const client = await connect();
    const before = await recorded(client);
    expect(before).toEqual([{ name: first.name, checksum: sha256(first.statements) }]);
    const changed = { ...first, statements: first.statements.replace("'a'", "'b'") };
    const refused = await migrate(url, only([changed, second])).catch((error) => error);
    expect(refused).toBeInstanceOf(ChangedMigration);
    expect(refused.message).toContain("0001_thing");
    expect(refused.message).not.toContain("\n");
    expect(await recorded(client)).toEqual(before);
    expect((await client.query("select to_regclass('other') as other")).rows).toEqual([{ other: null }]);
    // A checkout with other line endings is the same file.
    await migrate(url, only([{ ...first, statements: first.statements.replaceAll("\n", "\r\n") }, second]));
    expect(await recorded(client)).toHaveLength(2);
  });
});

test("a database from before the first release is refused in one line, untouched", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    const client = await connect();
    await client.query("create table migration (name text primary key, applied_at timestamptz, checksum text)");
    await client.query("insert into migration (name) values ('0001_programme')");
    const refused = await migrate(url, only([first])).catch((error) => error);
    expect(refused).toBeInstanceOf(UnknownDatabase);
    expect(refused.message).toMatch(/^[^\n]*0001_thing: start with an empty database\.$/);
    expect((await client.query("select to_regclass('thing') as thing")).rows).toEqual([{ thing: null }]);
  });
});

/** A function that returns a text, and one that calls it. */
const named = (text: string) => ({
  name: "named",
  statements: `create or replace function named() returns text language sql return '${text}';`,
});
const caller = {
  name: "caller",
  statements: "create or replace function caller() returns text language sql return named();",
};
const resultOf = async (client: pg.Client) => (await client.query("select caller() as result")).rows[0]?.result;

test("functions are created once, and again when their text has changed", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    expect(await migrate(url, { migrations: [first], functions: [named("a"), caller] })).toEqual([
      "0001_thing",
      "named",
      "caller",
    ]);
    const client = await connect();
    expect(await resultOf(client)).toBe("a");
    expect(await migrate(url, { migrations: [first], functions: [named("a"), caller] })).toEqual([]);
    expect(await migrate(url, { migrations: [first], functions: [named("b"), caller] })).toEqual(["named"]);
    expect(await resultOf(client)).toBe("b");
  });
});

test("a release that starts again beside a newer one does not bring back its own texts", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(url, { migrations: [first], functions: [named("old"), caller] });
    await migrate(url, { migrations: [first], functions: [named("new"), caller] });
    expect(await migrate(url, { migrations: [first], functions: [named("old"), caller] })).toEqual([]);
    expect(await resultOf(await connect())).toBe("new");
  });
});

test("a later release may bring back an earlier text among others that are new", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    const other = {
      name: "other",
      statements: "create or replace function other() returns int language sql return 1;",
    };
    await migrate(url, { migrations: [first], functions: [named("a"), caller] });
    await migrate(url, { migrations: [first], functions: [named("b"), caller] });
    expect(await migrate(url, { migrations: [first], functions: [named("a"), caller, other] })).toEqual([
      "named",
      "other",
    ]);
    expect(await resultOf(await connect())).toBe("a");
  });
});

test("after the line for functions a migration may use new ones, and a failure leaves none of them", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    const using = { name: "0002_using", statements: "create view shown as\n-- functions\nselect caller() as result;" };
    const split = {
      ...using,
      statements: "create table early ();\n-- functions\ncreate view shown as select caller() as result;",
    };
    await expect(migrate(url, { migrations: [first, using], functions: [named("a"), caller] })).rejects.toMatchObject({
      code: "42601",
    });
    const client = await connect();
    expect((await client.query("select from pg_proc where proname = 'caller'")).rowCount).toBe(0);
    await migrate(url, { migrations: [first, split], functions: [named("a"), caller] });
    expect((await client.query("select * from shown")).rows).toEqual([{ result: "a" }]);
  });
});

test("of three processes that start at once one replaces the functions", async () => {
  await withEmptyDatabase(async ({ url }) => {
    await migrate(url, { migrations: [first], functions: [named("a"), caller] });
    const starts = [1, 2, 3].map(() => migrate(url, { migrations: [first], functions: [named("b"), caller] }));
    expect((await Promise.all(starts)).flat()).toEqual(["named"]);
  });
});

test("a start with nothing to migrate does not wait for a backup that reads the table of migrations", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(url, only([first]));
    const backup = await connect();
    await backup.query("begin; lock table migration in access share mode");
    await migrate(url, only([first]));
    await backup.query("commit");
  });
});

test("a database that a newer release migrated still starts, its rows untouched", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(url, only([first]));
    const client = await connect();
    await client.query("insert into migration (name, checksum) values ('9998_newer', 'abc'), ('9999_newest', 'def')");
    await migrate(url, only([first]));
    expect((await recorded(client)).slice(1)).toEqual([
      { name: "9998_newer", checksum: "abc" },
      { name: "9999_newest", checksum: "def" },
    ]);
  });
});

test("a file without a transaction builds its index while rows are locked, read and written", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(url, only([first]));
    const [holder, writer] = [await connect(), await connect()];
    await holder.query("begin; update thing set name = 'held'");
    const migrated = migrate(url, only([first, index]));
    await waiting(writer, "create index concurrently");
    await writer.query("set lock_timeout = 500");
    await writer.query("insert into thing values ('c')");
    expect((await writer.query("select from thing")).rowCount).toBe(2);
    expect(await recorded(writer)).toHaveLength(1);
    await holder.query("commit");
    await migrated;
    expect(await validIndexes(writer)).toEqual([{ name: "thing_name", valid: true }]);
    expect(await recorded(writer)).toHaveLength(2);
  });
});

test("a process that waits for the lock says who holds it", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    const holder = await connect();
    await holder.query("set application_name = 'left behind'");
    await holder.query("select pg_advisory_lock($1)", [0x43_45_52_44]);
    const said = new Promise<string>((resolve) => void migrate(url, only([first]), resolve).catch(() => {}));
    expect(await said).toMatch(
      /^Waiting for the migration lock, which "left behind" with the backend pid \d+ holds\.$/,
    );
    await holder.query("select pg_advisory_unlock_all()");
    await expect
      .poll(async () => (await holder.query("select to_regclass('thing') as thing")).rows)
      .toEqual([{ thing: "thing" }]);
  });
});

test("three processes that start at once build a concurrent index once and do not deadlock", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await Promise.all([1, 2, 3].map(() => migrate(url, only([first, second, index]))));
    const client = await connect();
    expect(await validIndexes(client)).toEqual([{ name: "thing_name", valid: true }]);
    expect((await recorded(client)).map(({ name }) => name)).toEqual([first.name, second.name, index.name]);
  });
});

test("after a failure in the middle nothing is recorded, and the next start drops the invalid index and builds it", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(url, only([first]));
    const client = await connect();
    await client.query("insert into thing values ('a')");
    const unique = { ...index, statements: index.statements.replace("create index", "create unique index") };
    await expect(migrate(url, only([first, unique]))).rejects.toMatchObject({ code: "23505" });
    expect(await validIndexes(client)).toEqual([{ name: "thing_name", valid: false }]);
    expect(await recorded(client)).toHaveLength(1);
    await client.query("truncate thing");
    await migrate(url, only([first, unique]));
    expect(await validIndexes(client)).toEqual([{ name: "thing_name", valid: true }]);
    expect(await recorded(client)).toHaveLength(2);
  });
});

test("after a kill in the middle of a concurrent build the next start builds the index", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(url, only([first]));
    const [holder, client] = [await connect(), await connect()];
    await holder.query("begin; update thing set name = 'held'");
    const killed = migrate(url, only([first, index])).catch((error) => error);
    await waiting(client, "create index concurrently");
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cercle migration' and datname = current_database()",
    );
    expect(await killed).toBeInstanceOf(Error);
    await holder.query("commit");
    expect(await validIndexes(client)).toEqual([{ name: "thing_name", valid: false }]);
    await migrate(url, only([first, index]));
    expect(await validIndexes(client)).toEqual([{ name: "thing_name", valid: true }]);
  });
});

test("statements are split at semicolons outside of comments, quotes and dollar quotes", () => {
  const statements = `-- no transaction; really
    select ';', "a;b" /* ; */ from x; do $$ begin perform 1; end $$;
    select $tag$ ; $$ ; $tag$;`;
  expect(splitStatements(statements)).toEqual([
    `select ';', "a;b"  from x`,
    "do $$ begin perform 1; end $$",
    "select $tag$ ; $$ ; $tag$",
  ]);
});
