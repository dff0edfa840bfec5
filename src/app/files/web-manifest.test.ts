import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { locales } from "#i18n/locale.ts";
import { openTestProduct } from "#testing/product.server.ts";

// The build copies public/ into the directory of the browser's files.
const { fetch } = await openTestProduct({}, { clientDir: "public" });

test.each(locales)(
  "the manifest of %s starts with the card in that language, and has a shortcut to the till screen",
  async (locale) => {
    const prefix = locale === "fr" ? "" : `/${locale}`;
    const response = await fetch(`${prefix}/manifest.webmanifest`);
    expect(response.headers.get("content-type")).toContain("application/manifest+json");
    expect(await response.json()).toMatchObject({
      name: "Cercle",
      lang: locale,
      description: textsOf[locale].t("manifest.description"),
      start_url: `${prefix}/account/loyalty/subscribe`,
      scope: "/",
      display: "standalone",
      shortcuts: [{ url: `${prefix}/account/loyalty/subscribe#till` }],
    });
    expect(await (await fetch(prefix || "/")).text()).toContain(
      `<link rel="manifest" href="${prefix}/manifest.webmanifest"`,
    );
  },
);

test.each([
  ["/apple-touch-icon.png", 180],
  ["/icon-192.png", 192],
  ["/icon-512.png", 512],
  ["/icon-maskable-512.png", 512],
])("%s is a PNG %d px wide", async (path, size) => {
  const response = await fetch(path);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
  const png = Buffer.from(await response.arrayBuffer());
  expect(png.equals(readFileSync(`brand/derived${path}`))).toBe(true);
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  expect(png.length).toBeLessThan(40_000);
});

test("the icon is a ring on its field, heavier on the left, smooth at its edges", () => {
  const size = 192;
  const png = readFileSync("brand/derived/icon-192.png");
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  const row = Array.from({ length: size }, (_, x) => rows[(size / 2) * (1 + size * 4) + 1 + x * 4] ?? 0);
  const bright = (from: number, to: number) => row.slice(from, to).reduce((sum, value) => sum + value, 0);
  expect(row[0]).toBe(11);
  expect(row[size / 2]).toBe(11);
  expect(bright(0, size / 2)).toBeGreaterThan(bright(size / 2, size) * 1.8);
  expect(row.some((value) => value > 11 && value < 255)).toBe(true);
});
