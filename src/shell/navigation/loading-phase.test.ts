import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endLoading, loadingBarStore, startLoading } from "./loading-phase.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", {});
});
afterEach(() => {
  endLoading(false);
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const phaseAfter = (ms: number) => {
  vi.advanceTimersByTime(ms);
  return loadingBarStore.get();
};

test("a page that loads within 200 ms shows no bar", () => {
  startLoading();
  expect(phaseAfter(199)).toBe("hidden");
  endLoading(false);
  expect(phaseAfter(5_000)).toBe("hidden");
});

test("the bar appears after 200 ms and is hidden 500 ms after the end", () => {
  startLoading();
  expect(phaseAfter(200)).toBe("running");
  expect(phaseAfter(4_000)).toBe("running");
  endLoading(false);
  expect(phaseAfter(0)).toBe("done");
  expect(phaseAfter(499)).toBe("done");
  expect(phaseAfter(1)).toBe("hidden");
});

test("a bar that has just appeared stays 200 ms", () => {
  startLoading();
  expect(phaseAfter(210)).toBe("running");
  endLoading(false);
  expect(phaseAfter(189)).toBe("running");
  expect(phaseAfter(1)).toBe("done");
});

test("a failure is shown, even one that came at once", () => {
  startLoading();
  endLoading(true);
  expect(phaseAfter(0)).toBe("failed");
  expect(phaseAfter(500)).toBe("hidden");
});

test("the next page hides the bar of the last one, and starting twice counts once", () => {
  startLoading();
  phaseAfter(300);
  endLoading(false);
  phaseAfter(100);
  startLoading();
  startLoading();
  expect(phaseAfter(199)).toBe("hidden");
  expect(phaseAfter(1)).toBe("running");
});

test("an end without a beginning changes nothing", () => {
  endLoading(true);
  expect(phaseAfter(1_000)).toBe("hidden");
});
