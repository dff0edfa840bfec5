import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { createServer } from "#app/server.ts";
import { readSettings } from "#app/settings.server.ts";
import { seedProgramme } from "#loyalty/programme/programme.server.ts";
import { createCall } from "#platform/api/client/client.ts";
import { openDatabase } from "#platform/database/database.server.ts";
import { MayNotMigrate, migrate, migrations, productSchema } from "#platform/database/migrations/migrate.server.ts";
import { runDueJobs } from "#platform/jobs/jobs.server.ts";
import { createLog } from "#platform/log.server.ts";
import { templateDatabase } from "#testing/cluster.server.ts";
import { withEmptyDatabase } from "#testing/database.server.ts";
import { enter, registrationForm } from "#testing/people.server.ts";
import { migrateDatabase } from "./migrate-database.server.ts";

const role = "cercle_runtime";
const admin = new pg.Client({ connectionString: inject("clusterUrl").replace(templateDatabase, "postgres") });
await admin.connect();
await admin.query(`create role ${role} login`);
afterAll(async () => {
  await admin.query(`drop role ${role}`);
  await admin.end();
});

const asRole = (url: string) => url.replace("//cercle@/", `//${role}@localhost/`);

test("the runtime role runs the product, and can neither change the schema nor what is append-only", async () => {
  await withEmptyDatabase(async ({ url }) => {
    const said: string[] = [];
    const run = (...words: string[]) =>
      migrateDatabase(
        { MIGRATION_DATABASE_URL: url.replace("@/", "@localhost/"), DATABASE_URL: asRole(url) },
        words,
        (line) => said.push(line),
      );
    expect(await run(role)).toBe(0);
    expect(said[0]).toContain(migrations.at(-1)?.name);
    expect(await run(role)).toBe(0);
    expect(said[2]).toBe("Nothing was pending.");

    // As every start does.
    await migrate(asRole(url));
    const database = openDatabase(asRole(url));
    await seedProgramme(database);
    const log = createLog("silent");
    const settings = readSettings({ LOG_LEVEL: "silent" });
    const assets = { script: "/browser.js", styles: [], preload: [], fonts: [] };
    const product = createServer({ settings, database, log, assetsOf: () => assets });
    const call = createCall(async (path, init) =>
      product.fetch(new Request(new URL(path, settings.publicUrl), init), { address: "192.0.2.1" }),
    );
    const { Customer } = await enter(call, registrationForm({ LoyaltySubscribe: true }));
    expect(await runDueJobs({ database, jobs: product.jobs, log })).toEqual([]);
    const { rows } = await database.execute(sql`
      select (select count(*)::integer from loyalty_entry where customer_id = ${Customer.IdCustomer}) as entries,
             (select count(*)::integer from mail where sent_at is not null) > 0 as mailed,
             (select count(*)::integer from graphile_worker.jobs) as jobs`);
    expect(rows).toEqual([{ entries: 1, mailed: true, jobs: 0 }]);

    for (const statement of [
      "update loyalty_entry set points = points + 1",
      "delete from loyalty_entry",
      "truncate loyalty_entry",
      "update audit_log set action = action",
      "delete from audit_log",
      "delete from loyalty_voucher",
      "delete from loyalty_programme",
      "update loyalty_tier set rank = rank",
      "update loyalty_reward set points = 1",
      "delete from loyalty_event",
      "delete from campaign",
      "delete from month_end",
      "drop trigger loyalty_entry_stays on loyalty_entry",
      "alter table loyalty_entry disable trigger all",
      "drop trigger audit_log_stays on audit_log",
      "drop table audit_log",
      "create table own (id integer)",
      "create function club_day() returns void language sql as ''",
      "insert into migration (name, checksum) values ('9999_own', '')",
      "delete from function_set",
      "update function_text set checksum = ''",
      "update installation set currency = 'JPY'",
      "delete from installation",
      "set session_replication_role = replica",
    ])
      await expect(database.$client.query(statement), statement).rejects.toMatchObject({ code: "42501" });

    // Every table whose rows a trigger protects is in the list above.
    const { rows: guarded } = await database.$client.query(
      "select distinct tgrelid::regclass::text as name from pg_trigger where tgname like '%\\_stays' order by 1",
    );
    expect(guarded.map(({ name }) => name)).toEqual([
      ...["audit_log", "campaign", "loyalty_entry", "loyalty_event", "loyalty_programme", "loyalty_reward"],
      ...["loyalty_tier", "loyalty_voucher", "month_end"],
    ]);
    await database.$client.end();
  });
});

test("a start with something pending says what, and that this role may not apply it", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(url);
    const client = await connect();
    await client.query(`grant select on migration, function_text, function_set, installation to ${role}; grant usage on schema graphile_worker to ${role};
      grant select on all tables in schema graphile_worker to ${role}`);
    const next = { name: "9999_next", statements: "create table next (id integer);" };
    const refused = await migrate(asRole(url), { ...productSchema, migrations: [...migrations, next] }).catch(
      (error) => error,
    );
    expect(refused).toBeInstanceOf(MayNotMigrate);
    expect(refused.message).toContain("9999_next");
    expect(refused.message).not.toContain("\n");
  });
});

test("without a database address the command says what is missing", async () => {
  expect(await migrateDatabase({}, [])).toBe(1);
});
