import { afterEach, beforeEach, expect, test, vi } from "vitest";

let whenIdle: typeof import("./when-idle.ts").whenIdle;
let load: () => void;
let idle: ReturnType<typeof vi.fn>;

beforeEach(async () => {
  vi.useFakeTimers();
  idle = vi.fn((act: () => void) => act());
  vi.stubGlobal("requestIdleCallback", idle);
  vi.stubGlobal("document", { readyState: "interactive" });
  vi.stubGlobal("addEventListener", (_: string, listener: () => void) => {
    load = listener;
  });
  vi.resetModules();
  ({ whenIdle } = await import("./when-idle.ts"));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("work waits for the page to have loaded and the browser to be idle, two seconds at most", async () => {
  const work = vi.fn();
  whenIdle(work);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(idle).not.toHaveBeenCalled();
  load();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(idle).toHaveBeenCalledWith(expect.any(Function), { timeout: 2_000 });
  expect(work).toHaveBeenCalledTimes(1);
});

test("one piece begins when the one before has ended, also if that failed", async () => {
  const done: string[] = [];
  let end = () => {};
  whenIdle(() => new Promise<void>((resolve) => (end = resolve)));
  whenIdle(() => {
    done.push("second");
    throw new Error("lost");
  });
  whenIdle(() => done.push("third"));
  load();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(done).toEqual([]);
  end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(done).toEqual(["second", "third"]);
});

test("what was called off does not run, and holds up nothing", async () => {
  const [called, next] = [vi.fn(), vi.fn()];
  whenIdle(called)();
  whenIdle(next);
  load();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(called).not.toHaveBeenCalled();
  expect(next).toHaveBeenCalledTimes(1);
});
