import { expect, test } from "vitest";
import { arrivals, climb, createMix, highestHeld, percentile, seeded, sendOnSchedule } from "./load.ts";

test("arrivals are ascending, inside the time, as many as the rate says, and the same for the same seed", () => {
  const moments = arrivals(50, 60, seeded(1));
  expect(moments).toEqual([...moments].sort((a, b) => a - b));
  expect(moments.at(-1)).toBeLessThan(60_000);
  expect(moments.length).toBeGreaterThan(2_800);
  expect(moments.length).toBeLessThan(3_200);
  expect(arrivals(50, 60, seeded(1))).toEqual(moments);
});

test("the mix deals out exactly the shares, and a rare kind not in one go", () => {
  const next = createMix({ page: 60, signIn: 10, voucher: 5, sale: 10, identify: 15 });
  const dealt = Array.from({ length: 100 }, next);
  const count = (kind: string, from = 0, to = 100) => dealt.slice(from, to).filter((one) => one === kind).length;
  expect(["page", "signIn", "voucher", "sale", "identify"].map((kind) => count(kind))).toEqual([60, 10, 5, 10, 15]);
  expect(count("signIn", 0, 50)).toBe(5);
});

test("one late request of a hundred does not move the 99th percentile, two do", () => {
  const times = (late: number) => Array.from({ length: 100 }, (_, n) => (n < late ? 1_000 : 1));
  expect(percentile(times(1), 0.99)).toBe(1);
  expect(percentile(times(2), 0.99)).toBe(1_000);
});

test("a request that waits does not hold the next ones back, and an error is counted as late", async () => {
  const slots: number[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const served = await sendOnSchedule([0, 0, 1, 2], (slot) => {
    slots.push(slot);
    if (slots.length === 1) return held;
    if (slots.length === 2) return Promise.reject(new Error("no"));
    if (slots.length === 4) release();
    return Promise.resolve();
  });
  expect(served).toMatchObject({ due: 4, sent: 4, errors: ["Error: no"], p99: Number.POSITIVE_INFINITY, inTime: 0.75 });
  // The slot of the first is taken all the time.
  expect(slots.indexOf(0)).toBe(slots.lastIndexOf(0));
});

test("once the 99th percentile is lost nothing more is sent", async () => {
  const moments = Array.from({ length: 200 }, (_, n) => n * 10);
  const served = await sendOnSchedule(moments, () => Promise.reject(new Error("no")), { untilLost: true });
  expect(served.due).toBe(200);
  expect(served.sent).toBeLessThan(100);
});

test("the climb ends at the first rate that fails, and the search at the highest that holds", async () => {
  const tried: number[] = [];
  const holds = (most: number) => async (rate: number) => {
    tried.push(rate);
    return rate <= most;
  };
  expect(await climb(8, 2, holds(40))).toEqual({ held: 32, lost: 64 });
  expect(await highestHeld([10, 30, 20], holds(25))).toBe(20);
  expect(tried).toEqual([8, 16, 32, 64, 30, 20]);
  expect(await highestHeld([10], holds(0))).toBe(0);
});
