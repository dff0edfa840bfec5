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
let idle: ReturnType<typeof vi.fn>;

beforeEach(() => {
  links = [];
  idle = vi.fn((act: () => void) => act());
  vi.stubGlobal("requestIdleCallback", idle);
  vi.stubGlobal("HTMLAnchorElement", Anchor);
  vi.stubGlobal("location", { origin: "http://localhost" });
  vi.stubGlobal("document", { querySelectorAll: () => links });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      watched = new Set<Anchor>();
      constructor(tell: (entries: { isIntersecting: boolean; target: Anchor }[]) => void) {
        see = (target) => this.watched.has(target) && tell([{ isIntersecting: true, target }]);
      }
      observe = (link: Anchor) => this.watched.add(link);
      unobserve = (link: Anchor) => this.watched.delete(link);
    },
  );
  vi.resetModules();
});
afterEach(() => vi.unstubAllGlobals());

async function open(options: { signedIn?: boolean; fails?: boolean } = {}) {
  // The module asks for the idle callback as it loads, so it loads after the stubs.
  const { createPrefetch } = await import("./prefetch.ts");
  const bring = vi.fn(() => (options.fails ? Promise.reject(new Error("lost")) : Promise.resolve()));
  const look = createPrefetch(
    [
      { id: "loyalty", path: "/loyalty", handle: { bring } },
      { id: "account:guard", children: [{ id: "account", path: "/account", handle: { bring } }] },
    ],
    () => options.signedIn ?? false,
  );
  return { look, bring };
}

test("a link in view brings its page once, in an idle moment of at most 2000 ms", async () => {
  const { look, bring } = await open();
  const [link, twin, far] = [new Anchor("/loyalty"), new Anchor("/loyalty"), new Anchor("/loyalty")];
  links = [link, twin];
  look();
  expect(bring).not.toHaveBeenCalled();
  see(link);
  see(twin);
  see(far);
  expect(bring).toHaveBeenCalledTimes(1);
  expect(idle).toHaveBeenCalledWith(expect.any(Function), { timeout: 2_000 });
});

test.each([{ saveData: true }, { effectiveType: "2g" }, { effectiveType: "slow-2g" }])(
  "nothing is brought early with %o",
  async (connection) => {
    vi.stubGlobal("navigator", { onLine: true, connection });
    const { look, bring } = await open();
    links = [new Anchor("/loyalty")];
    look();
    for (const link of links) see(link);
    expect(bring).not.toHaveBeenCalled();
  },
);

test.each(["3g", "4g", undefined])("pages are brought early over %s", async (effectiveType) => {
  vi.stubGlobal("navigator", { onLine: true, connection: { effectiveType } });
  const { look, bring } = await open();
  const link = new Anchor("/loyalty");
  links = [link];
  look();
  see(link);
  expect(bring).toHaveBeenCalledTimes(1);
});

test("the account is brought early for who is signed in alone", async () => {
  for (const signedIn of [false, true]) {
    const { look, bring } = await open({ signedIn });
    const link = new Anchor("/account");
    links = [link];
    look();
    see(link);
    expect(bring).toHaveBeenCalledTimes(signedIn ? 1 : 0);
  }
});

test("other sites and unknown pages are left alone, and a failure is kept quiet", async () => {
  const { look, bring } = await open({ fails: true });
  links = [new Anchor("/loyalty", "https://elsewhere.example"), new Anchor("/nowhere"), new Anchor("/loyalty")];
  look();
  for (const link of links) see(link);
  expect(bring).toHaveBeenCalledTimes(1);
});
