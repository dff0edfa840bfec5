import { afterEach, expect, test, vi } from "vitest";
import { emailStore } from "#identity/fields/email-store.ts";
import { defaultGoTo, takeGoTo } from "#identity/session/redirect-after-sign-in.ts";
import { messageStore, setUi, uiStore, watchWidth } from "#identity/session/ui-store.ts";
import { createStore } from "./store.ts";

afterEach(() => vi.unstubAllGlobals());

/** A browser, as far as a store looks. */
const inBrowser = () => vi.stubGlobal("document", {});

test("the client's state starts with the specification's names and defaults", () => {
  expect(uiStore.initial).toEqual({
    isMobile: false,
    isTablette: false,
    loginGoTo: "/account/informations",
    loading: false,
    abandonedVisit: false,
  });
  expect(messageStore.initial).toBeUndefined();
  expect(emailStore.initial).toBe("");
});

test("on the server nothing can be set, so no visitor sees another's state", () => {
  const before = uiStore.get();
  expect(() => setUi({ loading: true })).toThrow("browser alone");
  expect(uiStore.get()).toBe(before);
});

test("a listener hears of changes only, and no more once it has left", () => {
  inBrowser();
  const store = createStore(1);
  const heard = vi.fn();
  const leave = store.subscribe(heard);
  store.set(1);
  store.set(2);
  leave();
  store.set(3);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(store.get()).toBe(3);
});

test("the widths follow the window: 767 px is mobile, 1023 px a tablet", () => {
  inBrowser();
  const widths = new Map<string, { matches: boolean; tell?: (event: { matches: boolean }) => void }>();
  vi.stubGlobal("matchMedia", (query: string) => {
    const media = { matches: query.includes("1024") };
    widths.set(query, media);
    return Object.assign(media, {
      addEventListener: (_: string, tell: (event: { matches: boolean }) => void) => Object.assign(media, { tell }),
    });
  });
  watchWidth();
  expect(uiStore.get()).toMatchObject({ isMobile: false, isTablette: true });
  widths.get("(width < 768px)")?.tell?.({ matches: true });
  expect(uiStore.get()).toMatchObject({ isMobile: true, isTablette: true });
});

test("a sign-in goes where the address says, else where the tab remembers, and forgets it", () => {
  inBrowser();
  setUi({ loginGoTo: "/account/loyalty/subscribe" });
  expect(takeGoTo("/account")).toBe("/account");
  expect(takeGoTo(null)).toBe(defaultGoTo);
  setUi({ loginGoTo: "/account/loyalty/subscribe" });
  expect(takeGoTo(null)).toBe("/account/loyalty/subscribe");
  setUi({ loginGoTo: "//evil.example" });
  expect(takeGoTo(null)).toBe(defaultGoTo);
});
