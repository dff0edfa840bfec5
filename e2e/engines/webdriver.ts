import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Driver, findInPage, keyCodes, until, type WindowOptions } from "./driver.ts";

/** The W3C's name of a reference to an element. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";
const miniBrowser = ["aarch64", "x86_64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`)
  .find(existsSync);

/** Its sessions under automation are private ones by themselves. */
const webkitRefusals = ["--enable-html5-local-storage=false", "--features=!ServiceWorkers"];

/** WebKitGTK by its own driver, as Debian has it, in a virtual display. */
export async function openWebKit(size: WindowOptions): Promise<Driver> {
  const { prefers = [], refuses } = size;
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const home = mkdtempSync(join(tmpdir(), "cercle-webkit-"));
  const display = `:${port}`;
  const env = {
    ...process.env,
    // No buses and no graphics card here: it would wait for them.
    ...{ NO_AT_BRIDGE: "1", GTK_A11Y: "none", LIBGL_ALWAYS_SOFTWARE: "1" },
    GTK_THEME: prefers.includes("contrast") ? "HighContrast" : `Adwaita${prefers.includes("dark") ? ":dark" : ""}`,
    ...{ HOME: home, XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    ...{ LC_ALL: "fr_FR.UTF-8", LOCPATH: process.env["WEBKIT_LOCALES"], TZ: "Europe/Paris" },
    ...{ DISPLAY: display, GDK_BACKEND: "x11", EGL_PLATFORM: "x11", GDK_SCALE: String(size.pixelRatio) },
  };
  if (prefers.includes("stillness")) {
    mkdirSync(join(home, "gtk-3.0"));
    writeFileSync(join(home, "gtk-3.0/settings.ini"), "[Settings]\ngtk-enable-animations=false\n");
  }
  const start = (command: string, args: string[]) => spawn(command, args, { stdio: "ignore", env });
  const running: ChildProcess[] = [];
  const pixels = `${(size.width + 300) * size.pixelRatio}x${(size.height + 300) * size.pixelRatio}x24`;
  running.push(start("Xvfb", [display, "-screen", "0", pixels, "-nolisten", "tcp"]));
  await until("the display", async () => existsSync(`/tmp/.X11-unix/X${port}`));
  // Without a window manager no window has the focus.
  running.push(start("openbox", ["--sm-disable"]));
  running.push(start("WebKitWebDriver", [`--port=${port}`]));

  async function send<Value>(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<Value> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === "POST" && { body: JSON.stringify(body ?? {}) }),
    });
    const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } };
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }
  await until("the driver", () => send<object>("GET", "/status"));
  const { sessionId } = await send<{ sessionId: string }>("POST", "/session", {
    capabilities: {
      alwaysMatch: {
        "webkitgtk:browserOptions": {
          binary: miniBrowser,
          args: ["--automation", ...(refuses ? webkitRefusals : [])],
        },
      },
    },
  });
  const at = `/session/${sessionId}`;
  const post = <Value = null>(path: string, body?: object) => send<Value>("POST", at + path, body);

  type Outcome<Value> = { value: Value } | { error: string };
  async function run<Result, Arguments extends unknown[]>(
    work: (...given: Arguments) => Result,
    ...given: Arguments
  ): Promise<Awaited<Result>> {
    const script = `const done = arguments[arguments.length - 1];
      (async () => (${work})(...[...arguments].slice(0, -1)))().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const outcome = await post<Outcome<Awaited<Result>>>("/execute/async", { script, args: given });
    if ("error" in outcome) throw new Error(outcome.error);
    return outcome.value;
  }
  const find = (target: string) =>
    until(target, async () => {
      const script = `return (${findInPage})(arguments[0])`;
      return (await post<Record<string, string> | null>("/execute/sync", { script, args: [target] }))?.[elementKey];
    });
  const sendKeys = (text: string) =>
    post("/actions", {
      actions: [
        {
          ...{ type: "key", id: "keyboard" },
          actions: [...text].flatMap((value) => [
            { type: "keyDown", value },
            { type: "keyUp", value },
          ]),
        },
      ],
    });
  /** The driver has no log: the page itself notes what goes wrong from here on. */
  const listen = () =>
    run(() => {
      const page = window as unknown as { faults?: string[] };
      if (page.faults) return;
      const faults: string[] = [];
      page.faults = faults;
      addEventListener("error", (event) => faults.push(`uncaught ${event.message}`), true);
      addEventListener("unhandledrejection", (event) => faults.push(`unhandled ${event.reason}`));
      addEventListener("securitypolicyviolation", (event) => faults.push(`policy ${event.violatedDirective}`));
    });

  const handles = () => send<string[]>("GET", `${at}/window/handles`);
  const switchTo = (handle: string) => post("/window", { handle });
  const [first = ""] = await handles();
  let main = first;
  const findPopup = async () => (await handles()).find((one) => one !== main && one !== first);
  // The toolbar keeps a window wider than a phone; a popup has none.
  await post("/url", { url: "about:blank" });
  await run(
    (width: number, height: number) => {
      document.body.innerHTML = "<button style='position: fixed; inset: 0'></button>";
      document.body.onclick = () => open("about:blank", "phone", `width=${width},height=${height}`);
    },
    size.width,
    size.height,
  );
  await post(`/element/${await find("button")}/click`);
  main = await until("the window", findPopup);
  await switchTo(main);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    // The frame counts too: asked again with what was missing.
    const inner = await run(() => [innerWidth, innerHeight]);
    const outer = await send<{ width: number; height: number }>("GET", `${at}/window/rect`);
    const width = outer.width + size.width - (inner[0] ?? 0);
    await post("/window/rect", { width, height: outer.height + size.height - (inner[1] ?? 0) });
  }

  return {
    async goto(url) {
      await post("/url", { url });
      await listen();
    },
    run,
    click: async (target) =>
      void (await until(`a click on ${target}`, async () => {
        const element = await find(target);
        // The driver scrolls no further than the edge, where a fixed bar covers the element.
        const script = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
        await post("/execute/sync", { script, args: [{ [elementKey]: element }] });
        await post(`/element/${element}/click`);
        return true;
      })),
    async type(target, text) {
      const element = await find(target);
      await post(`/element/${element}/clear`);
      await post(`/element/${element}/value`, { text });
    },
    press: async (...keys) =>
      void (await sendKeys(keys.map((key) => (typeof key === "string" ? key : keyCodes[key.key])).join(""))),
    async clickAt(x, y) {
      const press = [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await post("/actions", { actions: [{ type: "pointer", id: "mouse", actions: press }] });
    },
    hasPopup: async () => (await findPopup()) !== undefined,
    async inPopup(work) {
      await switchTo(await until("the popup", findPopup));
      await work();
      await switchTo(main);
    },
    async setCookies(cookies) {
      for (const { name, value } of cookies) await post("/cookie", { cookie: { name, value, path: "/" } });
    },
    deleteCookie: async (name) => void (await send("DELETE", `${at}/cookie/${name}`)),
    screenshot: async () => Buffer.from(await send<string>("GET", `${at}/screenshot`), "base64"),
    async takeFaults() {
      const faults = await run(() => (window as unknown as { faults?: string[] }).faults?.splice(0) ?? []);
      await listen();
      return faults;
    },
    async close() {
      await send("DELETE", at).catch(() => undefined);
      for (const child of running.toReversed()) child.kill();
      // A process that is still ending may write into it again: then it stays.
      await rm(home, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    },
  };
}
