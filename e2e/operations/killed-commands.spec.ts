import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { createProcesses, portOf, postmasterOf } from "../support/processes.ts";

const { folder, dataFolder, start, clear } = createProcesses();
test.afterAll(clear);

const ready = (port: number) => fetch(`http://localhost:${port}/readyz`).then((response) => response.status);

test("a move or an export that is killed leaves whole batches and complete manifests; starting again finishes", async () => {
  // Six commands, one after the other.
  test.setTimeout(300_000);
  const DATA_DIR = await dataFolder();
  const owner = await start({ DATA_DIR, PORT: String(portOf(14)) });
  const pack = join(folder(), "package");
  execFileSync(process.execPath, ["examples/old-club/generate.mjs", pack, "--members", "40"]);
  /** Starts a step, and is back as soon as the files are read. */
  const move = (step: string, ...flags: string[]) =>
    start({ DATA_DIR }, [process.execPath, "dist/server/move.js", step, pack, ...flags], "index");
  expect(await (await move("rehearse")).ended).toBe(0);

  const open = async () => {
    const client = new pg.Client({ connectionString: postmasterOf(DATA_DIR).url });
    client.on("error", () => {});
    await client.connect();
    const count = async (from: string) =>
      (await client.query<{ n: number }>(`select count(*)::integer as n from ${from}`)).rows[0]?.n;
    return { client, count };
  };
  /** A commit that waits in the middle of its third batch. */
  async function commitHalfway() {
    const { client, count } = await open();
    await client.query("select pg_advisory_lock(4182)");
    const commit = await move("commit", "--batch", "8");
    await expect.poll(() => count("pg_locks where objid = 4182 and not granted"), { timeout: 60_000 }).toBe(1);
    return { client, count, ...commit };
  }
  const { client: first } = await open();
  await first.query(`
    create function wait_here() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(4182); return new; end $$;
    create trigger wait_here before insert on customer for each row
      when (new.email = 'member20@example.com') execute function wait_here()`);
  await first.end();

  const killed = await commitHalfway();
  killed.child.kill("SIGKILL");
  await killed.ended;
  await killed.client.query("select pg_advisory_unlock(4182)");
  // Its connection ends when the database notices.
  const moving = "pg_locks where objid = (hashtext('cercle move')::bigint & 4294967295)::oid";
  await expect.poll(() => killed.count(moving), { timeout: 60_000 }).toBe(0);
  // Two batches of eight lines, the first of which is the header.
  expect(await killed.count("move_member")).toBe(15);
  await killed.client.end();

  const cut = await commitHalfway();
  process.kill(postmasterOf(DATA_DIR).pid, "SIGKILL");
  expect(await cut.ended).toBe(1);
  expect(cut.words()).toContain("The database is gone");
  await expect.poll(() => ready(portOf(14)), { timeout: 60_000 }).toBe(200);

  const { client, count } = await open();
  expect(await count("move_member")).toBe(15);
  await client.query("drop trigger wait_here on customer");
  const again = await move("commit");
  expect(await again.ended).toBe(0);
  expect(again.words()).toContain("Everything is equal");
  expect(await count("move_member")).toBe(40);

  // An export for analysts waits for the last of its tables when it is killed.
  const warehouse = join(folder(), "warehouse");
  const exportAll = () =>
    spawn(process.execPath, ["dist/server/warehouse.js", warehouse], { env: { ...process.env, DATA_DIR } });
  const codeOf = async (child: ChildProcess) => (await once(child, "exit"))[0];
  await client.query("begin; lock table campaign in access exclusive mode");
  const halfway = exportAll();
  await expect
    .poll(() => count("pg_locks where relation = 'campaign'::regclass and not granted"), { timeout: 60_000 })
    .toBe(1);
  halfway.kill("SIGKILL");
  await codeOf(halfway);
  await client.query("commit");
  expect(readdirSync(join(warehouse, "manifests"))).toEqual([]);
  const names = () => readdirSync(warehouse, { recursive: true, encoding: "utf8" });
  expect(names().filter((name) => name.endsWith(".gz")).length).toBeGreaterThan(0);
  // The lock of the killed export is free when the database notices its end.
  await expect.poll(() => codeOf(exportAll()), { timeout: 120_000 }).toBe(0);
  const manifests = names().filter((name) => name.startsWith("manifests/"));
  const files = manifests.flatMap((name) => JSON.parse(readFileSync(join(warehouse, name), "utf8")).Files);
  expect(
    names()
      .filter((name) => name.endsWith(".gz"))
      .sort(),
  ).toEqual(files.map(({ Path }) => Path).sort());
  const entries = files.filter(({ Subject }) => Subject === "entries");
  const lines = entries.flatMap(({ Path }) =>
    gunzipSync(readFileSync(join(warehouse, Path)))
      .toString()
      .trim()
      .split("\n"),
  );
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBe(await count("loyalty_entry"));
  await client.end();
  owner.child.kill("SIGTERM");
  expect(await owner.ended).toBe(0);
});
