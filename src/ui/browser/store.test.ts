import { afterEach, expect, test, vi } from "vitest";
import { createStore } from "./store.ts";

afterEach(() => vi.unstubAllGlobals());

test("on the server nothing can be set, so no visitor sees another's state", () => {
  const store = createStore(1);
  expect(() => store.set(2)).toThrow("browser alone");
  expect(store.get()).toBe(1);
});

test("a listener is called for changes only, and no longer once it has unsubscribed", () => {
  vi.stubGlobal("document", {});
  const store = createStore(1);
  const listener = vi.fn();
  const unsubscribe = store.subscribe(listener);
  store.set(1);
  store.set(2);
  unsubscribe();
  store.set(3);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(store.get()).toBe(3);
});
