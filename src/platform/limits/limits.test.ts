import { expect, test } from "vitest";
import { storedSecret } from "#platform/database/keys/stored-keys.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { countAll, countRefusals, createLimits } from "./limits.server.ts";

const { database } = await openTestProduct();
const limits = createLimits({ database, on: true });

const succeed = async () => "done";
const fail = (error: Error) => async () => {
  throw error;
};

test("a failure of ours and the refusal of another rate limit do not count, a decision does", async () => {
  const limit = limits("decisions", { points: 2, seconds: 60 });
  for (const error of [new Error("fault"), new Refusal("unavailable"), new Refusal("broken"), new Refusal("too_many")])
    for (let i = 0; i < 3; i += 1) await expect(limit.attempt("key", countAll, fail(error))).rejects.toBe(error);
  const decision = new Refusal("wrong_login");
  await expect(limit.attempt("key", countRefusals, succeed)).resolves.toBe("done");
  for (let i = 0; i < 2; i += 1)
    await expect(limit.attempt("key", countRefusals, fail(decision))).rejects.toThrow("wrong_login");
  await expect(limit.attempt("key", countRefusals, fail(decision))).rejects.toThrow("too_many");
});

test("attempts that do not count refuse none of each other, however many are made at once in two processes", async () => {
  const rule = { points: 10, seconds: 60, waits: [60] };
  const processes = [limits("at-once", rule), createLimits({ database, on: true })("at-once", rule)];
  const all = Array.from({ length: 60 }, (_, n) => processes[n % 2]?.attempt("key", countRefusals, succeed));
  expect(await Promise.all(all)).toEqual(all.map(() => "done"));
  // Of those that count, as many are made as there are points.
  const wrong = all.map((_, n) => processes[n % 2]?.attempt("key", countRefusals, fail(new Refusal("wrong_login"))));
  const codes = (await Promise.allSettled(wrong)).map((one) => one.status === "rejected" && one.reason.code);
  expect(codes.filter((code) => code === "wrong_login")).toHaveLength(10);
});

test("an attempt that fails because the database is unavailable is refunded once it is back", async () => {
  const limit = limits("outage", { points: 1, seconds: 60 });
  const goAway = async () => {
    await database.$client.query("alter table rate_limit rename to rate_limit_away");
    throw new Refusal("unavailable");
  };
  await expect(limit.attempt("key", countAll, goAway)).rejects.toThrow("unavailable");
  await database.$client.query("alter table rate_limit_away rename to rate_limit");
  await expect(limit.attempt("key", countAll, succeed)).resolves.toBe("done");
  await expect(limit.attempt("key", countAll, succeed)).rejects.toThrow("too_many");
});

test("the secret of the counters' keys is read once for a process, is the same in all, and a failed read is tried again", async () => {
  let reads = 0;
  let away = true;
  const watched = new Proxy(database, {
    get(target, name) {
      if (name === "select" && away) throw new Error("away");
      if (name === "select") reads += 1;
      return Reflect.get(target, name);
    },
  });
  const secret = storedSecret(watched, "test");
  await expect(secret()).rejects.toThrow("away");
  away = false;
  const [first, second] = await Promise.all([secret(), secret()]);
  const before = reads;
  expect(await secret()).toEqual(first);
  expect(second).toEqual(first);
  expect(reads).toBe(before);
  expect(first).toHaveLength(32);
  expect(await storedSecret(database, "test")()).toEqual(first);
});
