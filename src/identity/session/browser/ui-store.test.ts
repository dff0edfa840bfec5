import { afterEach, expect, test, vi } from "vitest";
import { emailStore } from "#identity/fields/email-store.ts";
import { consumeLoginGoTo, defaultLoginGoTo } from "./redirect-after-sign-in.ts";
import { messageStore, setUi, uiStore, watchWidth } from "./ui-store.ts";

afterEach(() => vi.unstubAllGlobals());

/** A browser, as far as a store needs one. */
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

test("the widths follow the window: 767 px is mobile, 1023 px a tablet", () => {
  inBrowser();
  setUi(uiStore.initial);
  const widths = new Map<string, { matches: boolean; notify?: (event: { matches: boolean }) => void }>();
  vi.stubGlobal("matchMedia", (query: string) => {
    const media = { matches: query.includes("1024") };
    widths.set(query, media);
    return Object.assign(media, {
      addEventListener: (_: string, notify: (event: { matches: boolean }) => void) => Object.assign(media, { notify }),
    });
  });
  watchWidth();
  expect(uiStore.get()).toMatchObject({ isMobile: false, isTablette: true });
  widths.get("(width < 768px)")?.notify?.({ matches: true });
  expect(uiStore.get()).toMatchObject({ isMobile: true, isTablette: true });
});

test("a sign-in goes where the address says, else where the tab remembers, and forgets it", () => {
  inBrowser();
  setUi({ loginGoTo: "/account/loyalty/subscribe" });
  expect(consumeLoginGoTo("/account")).toBe("/account");
  expect(consumeLoginGoTo(null)).toBe(defaultLoginGoTo);
  setUi({ loginGoTo: "/account/loyalty/subscribe" });
  expect(consumeLoginGoTo(null)).toBe("/account/loyalty/subscribe");
  setUi({ loginGoTo: "//evil.example" });
  expect(consumeLoginGoTo(null)).toBe(defaultLoginGoTo);
});
