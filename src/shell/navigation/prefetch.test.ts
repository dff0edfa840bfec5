import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** A link, as far as a prefetch looks at it. */
class Anchor {
  origin = "http://localhost";
  pathname: string;
  constructor(pathname: string, origin = "http://localhost") {
    this.pathname = pathname;
    this.origin = origin;
  }
}

let see: (target: Anchor) => void;
let links: Anchor[];

beforeEach(() => {
  links = [];
  vi.useFakeTimers();
  vi.stubGlobal("HTMLAnchorElement", Anchor);
  vi.stubGlobal("location", { origin: "http://localhost" });
  vi.stubGlobal("document", { readyState: "complete", querySelectorAll: () => links });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      watched = new Set<Anchor>();
      constructor(notify: (entries: { isIntersecting: boolean; target: Anchor }[]) => void) {
        see = (target) => this.watched.has(target) && notify([{ isIntersecting: true, target }]);
      }
      observe = (link: Anchor) => this.watched.add(link);
      unobserve = (link: Anchor) => this.watched.delete(link);
    },
  );
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
/** The browser has been idle for long. */
const idled = () => vi.advanceTimersByTimeAsync(5_000);

async function open(options: { signedIn?: boolean; fails?: boolean } = {}) {
  // What waits for an idle browser is in the module, which is another one in each test.
  const { createPrefetch } = await import("./prefetch.ts");
  const load = vi.fn(() => (options.fails ? Promise.reject(new Error("lost")) : Promise.resolve()));
  const observe = createPrefetch(
    [
      { id: "loyalty", path: "/loyalty", handle: { load } },
      { id: "account:guard", children: [{ id: "account", path: "/account", handle: { load } }] },
    ],
    () => options.signedIn ?? false,
  );
  const look = async () => {
    observe();
    await idled();
  };
  return { look, load };
}

test("a link in view prefetches its page once, when the browser is idle", async () => {
  const { look, load } = await open();
  const [link, twin, far] = [new Anchor("/loyalty"), new Anchor("/loyalty"), new Anchor("/loyalty")];
  links = [link, twin];
  await look();
  expect(load).not.toHaveBeenCalled();
  see(link);
  see(twin);
  see(far);
  expect(load).not.toHaveBeenCalled();
  await idled();
  expect(load).toHaveBeenCalledTimes(1);
});

test.each([{ saveData: true }, { effectiveType: "2g" }, { effectiveType: "slow-2g" }])(
  "nothing is prefetched with %o",
  async (connection) => {
    vi.stubGlobal("navigator", { onLine: true, connection });
    const { look, load } = await open();
    links = [new Anchor("/loyalty")];
    await look();
    for (const link of links) see(link);
    await idled();
    expect(load).not.toHaveBeenCalled();
  },
);

test.each(["3g", "4g", undefined])("pages are prefetched over %s", async (effectiveType) => {
  vi.stubGlobal("navigator", { onLine: true, connection: { effectiveType } });
  const { look, load } = await open();
  const link = new Anchor("/loyalty");
  links = [link];
  await look();
  see(link);
  await idled();
  expect(load).toHaveBeenCalledTimes(1);
});

test("the account is prefetched only with a session", async () => {
  for (const signedIn of [false, true]) {
    const { look, load } = await open({ signedIn });
    const link = new Anchor("/account");
    links = [link];
    await look();
    see(link);
    await idled();
    expect(load).toHaveBeenCalledTimes(signedIn ? 1 : 0);
  }
});

test("other sites and unknown pages are not prefetched, and a failure is ignored", async () => {
  const { look, load } = await open({ fails: true });
  links = [new Anchor("/loyalty", "https://elsewhere.example"), new Anchor("/nowhere"), new Anchor("/loyalty")];
  await look();
  for (const link of links) see(link);
  await idled();
  expect(load).toHaveBeenCalledTimes(1);
});

test("of several pages in view the second is prefetched when the first has come", async () => {
  const { look, load } = await open({ signedIn: true });
  let arrive = () => {};
  load.mockImplementationOnce(() => new Promise<void>((resolve) => (arrive = resolve)));
  links = [new Anchor("/loyalty"), new Anchor("/account")];
  await look();
  for (const link of links) see(link);
  await idled();
  expect(load).toHaveBeenCalledTimes(1);
  arrive();
  await idled();
  expect(load).toHaveBeenCalledTimes(2);
});
