import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { build } from "vite";
import { scan } from "../support/scanner.ts";

/** Barcodes at each pixel ratio. After a change of their drawing, by hand: SCANS=2000 npm run e2e -- e2e/club/barcode.spec.ts */
const scans = Number(process.env["SCANS"] ?? 10);
/** On one picture. */
const together = 10;
const windowPx = { width: 500, height: 760 };

interface Shown {
  texts: string[];
  /** The widths of bars and gaps together, in modules. */
  modules: number[];
}

/** The drawing and its component as a script without the product around them. */
const harness = `
  import { createElement } from "react";
  import { flushSync } from "react-dom";
  import { createRoot } from "react-dom/client";
  import { barcodeSvg, barWidths } from "/src/loyalty/card/barcode.server.ts";
  import { Barcode } from "/src/loyalty/card/barcode.tsx";
  import { cardNumberOf } from "/src/loyalty/card/card-number.ts";
  import { codeAlphabet, codeLength } from "/src/loyalty/card/code-alphabet.ts";
  const random = (limit) => Math.floor(Math.random() * limit);
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  const code = (index) => index % 2 === 0
    ? ["ean13", cardNumberOf(random(1e9))]
    : ["code128", Array.from({ length: codeLength }, () => codeAlphabet[random(codeAlphabet.length)]).join("")];
  // Each at a width and a place of its own, fractions of a pixel included.
  const frame = ([kind, text]) => {
    const width = 190 + Math.random() * 200;
    const style = { width, height: 40 + Math.random(), marginLeft: Math.random() * (490 - width), marginBottom: 24 };
    return createElement("div", { key: text, style }, createElement(Barcode, { svg: barcodeSvg(kind, text) }));
  };
  globalThis.show = async (count) => {
    const codes = Array.from({ length: count }, (_, index) => code(index));
    flushSync(() => root.render(codes.map(frame)));
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    await Promise.all(Array.from(document.images, (image) => image.decode()));
    const modules = codes.map(([kind, text]) => barWidths(kind, text).reduce((sum, width) => sum + width));
    return { texts: codes.map(([, text]) => text), modules };
  };`;

async function buildHarness(): Promise<string> {
  const plugin = {
    name: "harness",
    resolveId: (id: string) => (id.endsWith("/harness") ? id : null),
    load: (id: string) => (id.endsWith("/harness") ? harness : null),
  };
  // Vite sets it for a build; products that later tests of this worker start must not inherit it.
  const NODE_ENV = process.env["NODE_ENV"];
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [plugin],
    resolve: { tsconfigPaths: true, alias: { "bwip-js/node": "bwip-js" } },
    define: { "process.env.NODE_ENV": '"production"' },
    build: { write: false, lib: { entry: "harness", formats: ["iife"], name: "harness" } },
  });
  if (NODE_ENV === undefined) delete process.env["NODE_ENV"];
  else process.env["NODE_ENV"] = NODE_ENV;
  const [output] = [built].flat();
  if (!output || !("output" in output)) throw new Error("Nothing was built.");
  return output.output[0].code;
}

/** A window at a ratio of its own: an emulated one places images at whole CSS pixels, as no device does. */
async function openAt(ratio: number, script: string, launch: (args: string[]) => Promise<Browser>): Promise<Page> {
  const size = `--window-size=${windowPx.width},${windowPx.height}`;
  const browser = await launch([`--force-device-scale-factor=${ratio}`, size, "--hide-scrollbars"]);
  const page = await browser.newPage({ viewport: null });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; background: #fff }
    .size-full { display: block; width: 100%; height: 100% }
  </style>`);
  await page.addScriptTag({ content: script });
  expect(await page.evaluate(() => devicePixelRatio)).toBe(ratio);
  return page;
}

/** The widths of bars and gaps, in device pixels, in a row through the middle of each code. */
function barWidths(page: Page, picture: Buffer): Promise<number[][]> {
  return page.evaluate(async (png) => {
    const shown = new Image();
    shown.src = `data:image/png;base64,${png}`;
    await shown.decode();
    const context = new OffscreenCanvas(shown.width, shown.height).getContext("2d");
    if (!context) throw new Error("No canvas");
    context.drawImage(shown, 0, 0);
    return Array.from(document.images, (image) => {
      const { top, height } = image.getBoundingClientRect();
      const { data } = context.getImageData(0, Math.round((top + height / 2) * devicePixelRatio), shown.width, 1);
      const widths: number[] = [];
      for (let x = 0; x < shown.width; x += 1) {
        if (x > 0 && data[x * 4] === data[x * 4 - 4]) widths.push((widths.pop() ?? 0) + 1);
        else widths.push(1);
      }
      return widths.slice(1, -1);
    });
  }, picture.toString("base64"));
}

/** Twice as large: a scanner sees more dots than a screen has pixels. */
async function enlarge(page: Page, picture: Buffer): Promise<Buffer> {
  const enlarged = await page.evaluate(async (png) => {
    const shown = new Image();
    shown.src = `data:image/png;base64,${png}`;
    await shown.decode();
    const canvas = document.createElement("canvas");
    canvas.width = shown.width * 2;
    canvas.height = shown.height * 2;
    const context = canvas.getContext("2d");
    if (!context) throw new Error("No canvas");
    context.imageSmoothingEnabled = false;
    context.drawImage(shown, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL().replace(/^.*,/, "");
  }, picture.toString("base64"));
  return Buffer.from(enlarged, "base64");
}

/**
 * What zbar, a second decoder, reads; undefined where it is not installed. Where the user may not enter a folder of the PATH,
 * Node says EACCES of a program that is not there.
 */
async function readByZbar(picture: Buffer, file: string): Promise<string[] | undefined> {
  await writeFile(file, picture);
  try {
    const { stdout } = await promisify(execFile)("zbarimg", ["--quiet", "--raw", file]);
    return stdout.split("\n").filter(Boolean);
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "EACCES"].includes(String(error.code)))
      return undefined;
    throw error;
  }
}

test("at every pixel ratio each module is whole pixels wide, and scanners read the codes and nothing else", async ({
  playwright,
  launchOptions,
}, testInfo) => {
  const ratios = [1, 1.5, 2, 2.75, 3];
  test.setTimeout(120_000 + scans * ratios.length * 1_000);
  const script = await buildHarness();
  const file = testInfo.outputPath("codes.png");
  for (const ratio of ratios) {
    const page = await openAt(ratio, script, (args) =>
      playwright.chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), ...args] }),
    );
    for (let scanned = 0; scanned < scans; scanned += together) await expectRead(page, file);
    await page.context().browser()?.close();
  }
});

async function expectRead(page: Page, file: string): Promise<void> {
  const { texts, modules } = await page.evaluate(
    (count) => (globalThis as unknown as { show: (count: number) => Promise<Shown> }).show(count),
    together,
  );
  const picture = await page.screenshot();
  for (const [index, widths] of (await barWidths(page, picture)).entries()) {
    const perModule = widths.reduce((sum, width) => sum + width, 0) / (modules[index] ?? 0);
    expect(widths.filter((width) => width % perModule !== 0)).toEqual([]);
  }
  texts.sort();
  const seen = await enlarge(page, picture);
  expect((await scan(seen)).map((found) => found.replace(/^\w+:/, "")).sort()).toEqual(texts);
  const byZbar = await readByZbar(seen, file);
  if (byZbar) expect(byZbar.sort()).toEqual(texts);
}
