import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadOrReload, setReloadTarget } from "./chunk-failure.ts";

const missing = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
let page: { href: string; reload: ReturnType<typeof vi.fn>; assign: ReturnType<typeof vi.fn> };

beforeEach(() => {
  vi.useFakeTimers();
  const stored = new Map<string, string>();
  page = { href: "http://localhost/", reload: vi.fn(), assign: vi.fn() };
  vi.stubGlobal("document", {});
  vi.stubGlobal("location", page);
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  setReloadTarget(() => page.href);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The promise of a reloading page stays pending; the microtasks before it run. */
const settle = () => vi.advanceTimersByTimeAsync(0);

test("a chunk that loads is returned", async () => {
  expect(await loadOrReload(async () => "page")).toBe("page");
});

test("a missing chunk reloads the page once in 60 seconds; in between the error is shown", async () => {
  void loadOrReload(missing);
  await settle();
  expect(page.reload).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(59_000);
  await expect(loadOrReload(missing)).rejects.toThrow("Failed to fetch");
  expect(page.reload).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  void loadOrReload(missing);
  await settle();
  expect(page.reload).toHaveBeenCalledTimes(2);
});

test("during a navigation the reload opens the page that is navigated to", async () => {
  setReloadTarget(() => "http://localhost/loyalty");
  void loadOrReload(missing);
  await settle();
  expect(page.assign).toHaveBeenCalledWith("http://localhost/loyalty");
});

test("without a connection nothing is reloaded", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  await expect(loadOrReload(missing)).rejects.toThrow();
  expect(page.reload).not.toHaveBeenCalled();
});

test("without storage nothing is reloaded: a second reload could not be prevented", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  await expect(loadOrReload(missing)).rejects.toThrow();
});

test("on the server the failure is thrown", async () => {
  vi.stubGlobal("document", undefined);
  await expect(loadOrReload(missing)).rejects.toThrow();
});
