import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.server.ts";

/** Calls that end when the test says so, and the sessions of those that have begun. */
function openWork() {
  const limitConcurrency = createConcurrencyLimit();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const start = (sessionId: number, customerId = 1) =>
    limitConcurrency({ customerId, sessionId }, async () => {
      begun.push(sessionId);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  async function endOne() {
    ends.shift()?.();
    await settle();
  }
  return { start, begun, endOne, settle };
}

test("four calls of one customer run at a time, and another customer does not wait for them", async () => {
  const { start, begun, settle } = openWork();
  for (let n = 0; n < 6; n += 1) void start(1);
  void start(2, 2);
  await settle();
  expect(begun).toEqual([1, 1, 1, 1, 2]);
});

test("a session with a hundred waiting calls does not delay the customer's other sessions", async () => {
  const { start, begun, endOne, settle } = openWork();
  for (let n = 0; n < 100; n += 1) void start(1);
  void start(2);
  await settle();
  await endOne();
  await endOne();
  expect(begun).toEqual([1, 1, 1, 1, 1, 2]);
});

test("past 200 waiting calls of one session the next is refused, another session's is not", async () => {
  const { start, begun, endOne, settle } = openWork();
  for (let n = 0; n < 204; n += 1) void start(1);
  await expect(start(1)).rejects.toMatchObject({ code: "too_many" });
  void start(2);
  await settle();
  for (let n = 0; n < 2; n += 1) await endOne();
  expect(begun.at(-1)).toBe(2);
});
