import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { messageStore } from "#identity/session/browser/ui-store.ts";
import { onlineStore, watchConnection } from "./connection.ts";

let window: EventTarget;
const reload = vi.fn();
beforeEach(() => {
  reload.mockClear();
  vi.stubGlobal("location", { reload });
  vi.useFakeTimers();
  window = new EventTarget();
  vi.stubGlobal("document", {});
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
});
afterEach(() => {
  window.dispatchEvent(new Event("online"));
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The part of a router that the connection reads. */
const routerWith = (errors: Record<string, unknown> | null) => ({ state: { errors } });

test("a lost connection is shown until it is back, and its return for four seconds", () => {
  vi.stubGlobal("navigator", { onLine: true });
  watchConnection(routerWith(null));
  expect(messageStore.get()).toBeUndefined();
  window.dispatchEvent(new Event("offline"));
  expect(onlineStore.get()).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(messageStore.get()).toBe("offline.gone");
  window.dispatchEvent(new Event("online"));
  expect(onlineStore.get()).toBe(true);
  expect(messageStore.get()).toBe("offline.back");
  vi.advanceTimersByTime(4_000);
  expect(messageStore.get()).toBeUndefined();
  expect(reload).not.toHaveBeenCalled();
});

test("a page opened without a connection shows so at once", () => {
  vi.stubGlobal("navigator", { onLine: false });
  watchConnection(routerWith(null));
  expect(messageStore.get()).toBe("offline.gone");
});

test("losing it again at once keeps the message that it is lost", () => {
  vi.stubGlobal("navigator", { onLine: true });
  watchConnection(routerWith(null));
  window.dispatchEvent(new Event("online"));
  window.dispatchEvent(new Event("offline"));
  vi.advanceTimersByTime(10_000);
  expect(messageStore.get()).toBe("offline.gone");
});

test("a page that failed is reloaded when the connection is back", () => {
  vi.stubGlobal("navigator", { onLine: true });
  watchConnection(routerWith({ root: new TypeError("Failed to fetch") }));
  window.dispatchEvent(new Event("online"));
  expect(reload).toHaveBeenCalledTimes(1);
});
