import { sql } from "drizzle-orm";
import type pg from "pg";
import { expect, inject, test } from "vitest";
import { templateDatabase } from "#testing/cluster.server.ts";
import { closeDatabase, openDatabase } from "./database.server.ts";

const databaseUrl = inject("clusterUrl").replace(templateDatabase, "postgres");

test("a transaction whose `begin` fails releases its connection", async () => {
  const database = openDatabase(databaseUrl, { connections: 2 });
  const pool = database.$client;
  const cut = (client: pg.PoolClient) =>
    void client.query("select pg_terminate_backend(pg_backend_pid())").catch(() => {});
  pool.on("acquire", cut);
  for (let n = 0; n < 5; n += 1) await expect(database.transaction(async () => {})).rejects.toThrow();
  pool.off("acquire", cut);
  const { rows } = await database.transaction((tx) => tx.execute(sql`select 1 as one`));
  expect(rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test("a connection that is never released does not keep the pool from closing", async () => {
  const database = openDatabase(databaseUrl, { connections: 2 });
  const held = await database.$client.connect();
  await closeDatabase(database, 50);
  held.release();
});

test("connections have time limits, which are set after connecting", async () => {
  const { $client: pool } = openDatabase(databaseUrl, {
    connections: 1,
  });
  const limits = ["statement_timeout", "idle_in_transaction_session_timeout"];
  const { rows } = await pool.query("select setting from pg_settings where name = any($1) order by name desc", [
    limits,
  ]);
  expect(rows).toEqual([{ setting: "10000" }, { setting: "15000" }]);
  expect(pool.options).not.toHaveProperty("statement_timeout");
  await pool.end();
});
