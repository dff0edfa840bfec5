import { expect, test } from "vitest";
import { storedSecret } from "#platform/database/stored-keys.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { always, createLimits, whenRefused } from "./limits.server.ts";

const { database } = await openTestProduct();
const limits = createLimits({ database, on: true });

const succeed = async () => "done";
const fail = (error: Error) => async () => {
  throw error;
};

test("a fault of ours, and the word of another limit, use nothing up; a verdict does", async () => {
  const limit = limits("verdicts", { points: 2, seconds: 60 });
  for (const error of [new Error("fault"), new Refusal("unavailable"), new Refusal("broken"), new Refusal("too_many")])
    for (let i = 0; i < 3; i += 1) await expect(limit.attempt("key", always, fail(error))).rejects.toBe(error);
  const verdict = new Refusal("wrong_login");
  await expect(limit.attempt("key", whenRefused, succeed)).resolves.toBe("done");
  for (let i = 0; i < 2; i += 1)
    await expect(limit.attempt("key", whenRefused, fail(verdict))).rejects.toThrow("wrong_login");
  await expect(limit.attempt("key", whenRefused, fail(verdict))).rejects.toThrow("too_many");
});

test("an attempt cut off by a database that goes away is given back once it returns", async () => {
  const limit = limits("outage", { points: 1, seconds: 60 });
  const goAway = async () => {
    await database.$client.query("alter table rate_limit rename to rate_limit_away");
    throw new Refusal("unavailable");
  };
  await expect(limit.attempt("key", always, goAway)).rejects.toThrow("unavailable");
  await database.$client.query("alter table rate_limit_away rename to rate_limit");
  await expect(limit.attempt("key", always, succeed)).resolves.toBe("done");
  await expect(limit.attempt("key", always, succeed)).rejects.toThrow("too_many");
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
