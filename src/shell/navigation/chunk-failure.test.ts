import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { orReload, reloadTowards } from "./chunk-failure.ts";

const lost = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
let page: { href: string; reload: ReturnType<typeof vi.fn>; assign: ReturnType<typeof vi.fn> };

beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  page = { href: "http://localhost/", reload: vi.fn(), assign: vi.fn() };
  vi.stubGlobal("document", {});
  vi.stubGlobal("location", page);
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  reloadTowards(() => page.href);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The promise of a reloading page never ends; the microtasks before it do. */
const settle = () => vi.advanceTimersByTimeAsync(0);

test("what arrives is handed on", async () => {
  expect(await orReload(async () => "page")).toBe("page");
});

test("a lost file reloads the page once in 60 seconds; in between the error is shown", async () => {
  void orReload(lost);
  await settle();
  expect(page.reload).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(59_000);
  await expect(orReload(lost)).rejects.toThrow("Failed to fetch");
  expect(page.reload).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  void orReload(lost);
  await settle();
  expect(page.reload).toHaveBeenCalledTimes(2);
});

test("on the way to another page, the reload opens that page", async () => {
  reloadTowards(() => "http://localhost/loyalty");
  void orReload(lost);
  await settle();
  expect(page.assign).toHaveBeenCalledWith("http://localhost/loyalty");
});

test("without connection nothing is reloaded: the page at hand is all there is", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  await expect(orReload(lost)).rejects.toThrow();
  expect(page.reload).not.toHaveBeenCalled();
});

test("without storage nothing is reloaded: nobody could stop the second time", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  await expect(orReload(lost)).rejects.toThrow();
});

test("on the server the failure is the server's", async () => {
  vi.stubGlobal("document", undefined);
  await expect(orReload(lost)).rejects.toThrow();
});
