import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { openTestProduct } from "#testing/product.server.ts";
import { createChanges } from "./changes.server.ts";

const { database } = await openTestProduct();
const changes = createChanges(database);
let loads = 0;
const read = changes.cache("test_rows", async (key: string) => {
  loads += 1;
  return `${key} ${loads}`;
});
const other = changes.cache("test_others", async () => {
  loads += 1;
  return loads;
});

beforeEach(async () => {
  await changes.stop();
  loads = 0;
});
afterAll(() => changes.stop());

const notify = () => database.execute(sql`notify test_rows`);

test("before it listens nothing is cached", async () => {
  expect(await read("a")).toBe("a 1");
  expect(await read("a")).toBe("a 2");
});

test("what was read once is kept, until the database tells that it changed", async () => {
  await changes.start();
  expect([await read("a"), await read("a"), await read("b")]).toEqual(["a 1", "a 1", "b 2"]);
  expect(await other("a")).toBe(3);
  await notify();
  await expect.poll(() => read("a")).not.toBe("a 1");
  // Another channel's cache is not concerned.
  expect(await other("a")).toBe(3);
});

test("what is being read while it changes is read again afterwards", async () => {
  await changes.start();
  let loaded = (_value: string) => {};
  const slow = changes.cache("test_rows", () => new Promise<string>((resolve) => (loaded = resolve)));
  await changes.stop();
  // A cache made after the start listens from the next start on.
  await changes.start();
  const before = slow("a");
  const told = new Promise<void>((resolve) => changes.on("test_rows", resolve));
  await notify();
  await told;
  loaded("old");
  expect(await before).toBe("old");
  const after = slow("a");
  loaded("new");
  expect(await after).toBe("new");
});

test("a failed read is not kept", async () => {
  await changes.start();
  const failing = changes.cache("test_rows", async () => {
    loads += 1;
    if (loads === 1) throw new Error("no database");
    return loads;
  });
  await expect(failing("a")).rejects.toThrow("no database");
  expect(await failing("a")).toBe(2);
});

test("while the connection is lost nothing is cached; then it listens again by itself", async () => {
  await changes.start();
  expect(await read("a")).toBe("a 1");
  await database.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'cercle changes' and datname = current_database()`);
  await expect.poll(() => read("a")).not.toBe("a 1");
  // It listens again once two reads are the same.
  await vi.waitFor(async () => expect(await read("a")).toBe(await read("a")), { timeout: 30_000 });
  const known = await read("a");
  await notify();
  await expect.poll(() => read("a")).not.toBe(known);
});
