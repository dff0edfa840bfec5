import type pg from "pg";
import { expect, inject, test } from "vitest";
import { templateDatabase } from "#testing/cluster.server.ts";
import { closeDatabase, openDatabase, unavailableRefusal } from "./database.server.ts";

const databaseUrl = inject("clusterUrl").replace(templateDatabase, "postgres");

/** A pipeline whose connections are open. */
async function open(statementSeconds = 60) {
  const database = openDatabase(databaseUrl, {
    connections: 2,
    limits: { connectSeconds: 60, statementSeconds, idleSeconds: 60 },
  });
  const opened: pg.PoolClient[] = [];
  database.$client.on("connect", (client) => opened.push(client));
  const ask = <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[] = []) =>
    database.pipeline.query<Row>({ name, text, values }).then(({ rows }) => rows[0] as Row);
  const backend = (n: number) =>
    ask<{ n: number; pid: number }>("backend", "select $1::integer as n, pg_backend_pid() as pid", [n]);
  const pipelined = () => opened.filter((client) => (client as { pipeline?: boolean }).pipeline);
  const turn = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => backend(n)));
  await expect.poll(() => turn(2).then(() => pipelined().length)).toBe(2);
  return { database, ask, backend, turn, pipelined, close: () => closeDatabase(database) };
}

test("statements of one turn share two connections, and each gets its own row", async () => {
  const { turn, close } = await open();
  const rows = await turn(20);
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(new Set(rows.map(({ pid }) => pid)).size).toBe(2);
  await close();
});

test("one statement after the other opens one connection", async () => {
  const database = openDatabase(databaseUrl);
  const pids = new Set<number>();
  const ask = { name: "pid", text: "select pg_backend_pid() as pid", values: [] };
  const isPipelined = async () => {
    const { rows } = await database.pipeline.query<{ pid: number }>(ask);
    for (const { pid } of rows) pids.add(pid);
    return pids.size;
  };
  // The first one went to the pool.
  await expect.poll(isPipelined).toBe(2);
  for (let n = 0; n < 5; n += 1) await isPipelined();
  expect(pids.size).toBe(2);
  await closeDatabase(database);
});

test("statements of one turn leave in one write", async () => {
  const { turn, pipelined, close } = await open();
  const writes = pipelined().map((client) => {
    const { stream } = (client as unknown as { connection: pg.Connection }).connection;
    const { _writev } = stream;
    const counted = { count: 0 };
    Object.assign(stream, {
      _writev(...given: Parameters<NonNullable<typeof _writev>>) {
        counted.count += 1;
        return _writev?.apply(stream, given);
      },
    });
    return counted;
  });
  await turn(10);
  expect(writes).toEqual([{ count: 1 }, { count: 1 }]);
  await close();
});

test("a statement that fails does not fail those beside it", async () => {
  const { ask, turn, close } = await open();
  const [refused, unknown, ...rows] = await Promise.all([
    ask("division", "select 1 / $1::integer as none", [0]).catch((error) => error.code),
    ask("missing", "select from no_such_table").catch((error) => error.code),
    turn(10),
  ]);
  expect([refused, unknown]).toEqual(["22012", "42P01"]);
  expect(rows.flat()).toHaveLength(10);
  await close();
});

test("statements of one name each get the fault of the first, which could not be prepared", async () => {
  const { ask, close } = await open();
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, () => ask("missing", "select from no_such_table")),
  );
  expect(new Set(results.map((result) => result.status === "rejected" && result.reason.code))).toEqual(
    new Set(["42P01"]),
  );
  await close();
});

test("no statement is sent behind a slow one", async () => {
  const { database, ask, backend, close } = await open();
  const ended: string[] = [];
  const blocker = await database.$client.connect();
  await blocker.query("select pg_advisory_lock(46)");
  const waiting = [1, 2].map((n) =>
    ask(`waits_${n}`, "select pg_advisory_xact_lock_shared(46)").then(() => ended.push("slow")),
  );
  // Until both have been running for too long.
  await expect
    .poll(async () => {
      const { rows } = await blocker.query(
        "select count(*)::integer as n from pg_locks where locktype = 'advisory' and not granted and pid in (select pid from pg_stat_activity where datname = current_database() and query_start < clock_timestamp() - interval '50 ms')",
      );
      return rows[0].n;
    })
    .toBe(2);
  await backend(1).then(() => ended.push("quick"));
  await blocker.query("select pg_advisory_unlock(46)");
  blocker.release();
  await Promise.all(waiting);
  expect(ended).toEqual(["quick", "slow", "slow"]);
  await close();
});

test("a statement that takes too long is cancelled alone", async () => {
  const { database, ask, backend, close } = await open(1);
  const blocker = await database.$client.connect();
  await blocker.query("select pg_advisory_lock(47)");
  const [slow, behind] = await Promise.all([
    ask("waits", "select pg_advisory_xact_lock(47)").catch((error) => error.code),
    backend(1),
  ]);
  expect([slow, behind.n]).toEqual(["57014", 1]);
  await blocker.query("select pg_advisory_unlock(47)");
  blocker.release();
  await close();
});

test("a lost connection fails what was sent on it as unavailable, and is replaced", async () => {
  const { turn, ask, pipelined, close } = await open();
  const cut = ask("cut", "select pg_terminate_backend(pg_backend_pid())").catch((error) => error);
  const results = await Promise.allSettled([cut, ...Array.from({ length: 6 }, () => turn(1))]);
  const lost = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(unavailableRefusal(await cut)?.code).toBe("unavailable");
  expect(lost.map((error) => unavailableRefusal(error)?.code)).toEqual(lost.map(() => "unavailable"));
  await expect.poll(() => turn(2).then(() => pipelined().length)).toBe(3);
  expect(new Set((await turn(10)).map(({ pid }) => pid)).size).toBe(2);
  await close();
});

test("a connection that cannot read what it was sent is replaced", async () => {
  const { turn, pipelined, close } = await open();
  const [first] = pipelined();
  // A row that no statement has asked for.
  (first as unknown as { connection: pg.Connection }).connection.emit("dataRow", { fields: [] });
  await expect.poll(() => turn(4).then(() => pipelined().length)).toBe(3);
  expect(await turn(10)).toHaveLength(10);
  await close();
});

test("without the database the pool says why", async () => {
  const database = openDatabase("postgresql://localhost:1/nowhere");
  const ask = () => database.pipeline.query({ name: "one", text: "select 1", values: [] });
  for (let n = 0; n < 3; n += 1) await expect(ask()).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await closeDatabase(database);
});

test("closing waits for what was sent", async () => {
  const { turn, close } = await open();
  const answered = turn(5);
  await close();
  expect(await answered).toHaveLength(5);
});
