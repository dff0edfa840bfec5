import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installedBrand } from "#brand/brand.server.ts";
import { usesBuiltFont } from "#brand/theme.server.ts";
import { textModule } from "#i18n/catalogues.ts";
import { type Locale, offeredLocales } from "#i18n/locale.ts";
import { offlineTexts } from "#offline/offline-texts.ts";
import { tillTexts } from "#till/shell.server.tsx";

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
  assets?: string[];
}
type Manifest = Record<string, Chunk>;

/** It has the style sheet and the fonts that all pages share. */
const pagesEntry = "src/pages/browser.tsx";
const offlineEntry = "src/offline/offline.tsx";
const tillEntry = "src/till/screen/till.tsx";
/** The barcode reader is 1 MB: it is cached when the camera was used. */
const barcodeReader = "src/till/scan/zxing.ts";
const icon = "/favicon.svg";

/** What the service workers precache, as the build's manifest names it. */
export function offlineFiles(clientDir: string) {
  const read = (name: string): Manifest => JSON.parse(readFileSync(join(clientDir, `.vite/${name}.json`), "utf8"));
  return { pages: customerFiles(read("manifest")), till: tillFiles(read("till")) };
}

/** The files of the offline page, with its texts in every language, and none of the other pages. */
export function customerFiles(manifest: Manifest): string[] {
  const texts = offeredLocales().flatMap((locale) =>
    ["base" as const, ...offlineTexts].map((part) => textModule(locale, part)),
  );
  const wanted = (name: string) => texts.includes(name) || name.startsWith("src/loyalty/card/");
  const { css = [], assets = [] } = manifest[pagesEntry] ?? {};
  return addresses([...chunksFrom(manifest, offlineEntry, wanted), { css, assets }]);
}

/** The files of the till's screen: those of every language, and each language's texts. */
export function tillFiles(manifest: Manifest): { common: string[]; texts: Record<Locale, string[]> } {
  const wanted = (name: string) => name.startsWith("src/") && name !== barcodeReader;
  const common = addresses(chunksFrom(manifest, tillEntry, wanted));
  const texts = offeredLocales().map((locale) => [
    locale,
    tillTexts(locale).flatMap((name) => (manifest[name] ? `/${manifest[name].file}` : [])),
  ]);
  return { common, texts: Object.fromEntries(texts) };
}

/** The chunks reachable from an entry; `later` says which of those that are loaded on demand. */
function chunksFrom(manifest: Manifest, entry: string, later: (name: string) => boolean): Chunk[] {
  const found = new Map<string, Chunk>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || found.has(name)) return;
    found.set(name, chunk);
    chunk.imports?.forEach(add);
    chunk.dynamicImports?.filter(later).forEach(add);
  };
  add(entry);
  return [...found.values()];
}

/** The files of chunks, with the fonts that the brand uses. */
function addresses(chunks: Partial<Chunk>[]): string[] {
  const { theme, files } = installedBrand();
  const own = Object.values(theme.Typefaces).flatMap(({ Files }) => Files.map(({ File }) => files.fontAddress(File)));
  const built = chunks
    .flatMap(({ file = [], css = [], assets = [] }) => [file, css, assets].flat())
    .filter((file) => !file.endsWith(".woff2") || usesBuiltFont(theme, file));
  return [...new Set([...built.map((file) => `/${file}`), ...own])].sort().concat(icon);
}
