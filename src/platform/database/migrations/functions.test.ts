import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { installedBrand } from "#brand/brand.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { forInstallation } from "./installation.server.ts";

const files = new Map(
  readdirSync("db/functions")
    .filter((file) => file.endsWith(".sql"))
    .map((file) => ({ name: file.slice(0, -".sql".length), statements: readFileSync(`db/functions/${file}`, "utf8") }))
    .map((text) => [text.name, forInstallation(text, installedBrand()).statements] as const),
);
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\./.test(path))
  .map((path) => ({ path: `src/${path}`, text: readFileSync(`src/${path}`, "utf8") }));

const { database } = await openTestProduct();

/** Every function of the product's own schema, without those of extensions; the job queue's are in a schema of theirs. */
const definitions = `
  select proname as name, pg_get_functiondef(oid) as definition
  from pg_proc where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') order by oid`;

test("every SQL function of a freshly migrated database has a file, and the file holds exactly its text", async () => {
  const client = await database.$client.connect();
  try {
    const migrated = (await client.query(definitions)).rows;
    expect(migrated.map(({ name }) => name).sort()).toEqual([...files.keys()].sort());
    await client.query("begin");
    for (const text of files.values()) await client.query(text);
    expect((await client.query(definitions)).rows).toEqual(migrated);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

/** What stands above a function: what it does and who calls it. */
const commentOf = (name: string) => files.get(name)?.split(/^create /m, 1)[0] ?? "";
/** By its name or, of many, by what their names begin with, such as `metric_*`. */
const names = (comment: string, caller: string) =>
  new RegExp(`\\b${caller}\\b`).test(comment) || comment.includes(`${caller.split("_")[0]}_*`);

test.each([...files])(
  "%s.sql creates that function alone and names every file and function that calls it",
  (name, text) => {
    expect([...text.matchAll(/\bfunction (\w+)\(/g)].map(([, created]) => created)).toEqual([name]);
    const callers = sources.filter((source) => new RegExp(`\\b${name}\\(`).test(source.text)).map(({ path }) => path);
    const named = text.match(/\bsrc\/[\w/.-]+\.tsx?/g) ?? [];
    expect([...named].sort()).toEqual(callers.sort());
    const calls = (sql: string) => new RegExp(`\\b${name}\\s*\\(`).test(sql.replace(/--.*/g, ""));
    const inSql = [...files].filter(([other, sql]) => other !== name && calls(sql)).map(([other]) => other);
    expect(inSql.filter((caller) => !names(commentOf(name), caller))).toEqual([]);
  },
);

test("a trigger function names every trigger that calls it", async () => {
  const { rows } = await database.$client.query<{ trigger: string; called: string }>(`
    select distinct tgname as trigger, proname as called from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and pronamespace = 'public'::regnamespace`);
  expect(rows.filter(({ trigger, called }) => !names(commentOf(called), trigger))).toEqual([]);
});
