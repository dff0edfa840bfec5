import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installedBrand } from "#brand/brand.server.ts";
import { usesBuiltFont } from "#brand/theme.server.ts";
import { textModule } from "#i18n/catalogues.ts";
import { type Locale, offeredLocales } from "#i18n/locale.ts";
import { offlineTexts } from "#offline/offline-texts.ts";

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
  assets?: string[];
}
type Manifest = Record<string, Chunk>;

/** It has the style sheet and the fonts that all screens share. */
const pagesEntry = "src/pages/browser.tsx";
const offlineEntry = "src/offline/offline.tsx";
const tillEntry = "src/till/screen/till.tsx";
/** The barcode reader is 1 MB: it is cached when the camera was used. */
const barcodeReader = "src/till/scan/zxing.ts";
const icon = "/favicon.svg";

/** What the service workers precache, as the build's manifest names it. */
export function offlineFiles(clientDir: string) {
  const manifest: Manifest = JSON.parse(readFileSync(join(clientDir, ".vite/manifest.json"), "utf8"));
  return { pages: customerFiles(manifest), till: tillFiles(manifest) };
}

/** The files of the offline page, with its texts in every language, and none of the other pages. */
export function customerFiles(manifest: Manifest): string[] {
  const texts = offeredLocales().flatMap((locale) =>
    ["base" as const, ...offlineTexts].map((part) => textModule(locale, part)),
  );
  const wanted = (name: string) => texts.includes(name) || name.startsWith("src/loyalty/card/");
  return addresses([...chunksFrom(manifest, [offlineEntry], wanted), shared(manifest)]);
}

/** The files of the till's screen: those of every language, and each language's texts. */
export function tillFiles(manifest: Manifest): { common: string[]; texts: Record<Locale, string[]> } {
  // What the till shares with the pages may load parts of pages: of what is loaded later, only the till's own is wanted.
  const own = (name: string) => name.startsWith("src/till/") && name !== barcodeReader;
  const common = addresses([...chunksFrom(manifest, [tillEntry], own), shared(manifest)]);
  const texts = offeredLocales().map((locale) => {
    const parts = [textModule(locale, "base"), textModule(locale, "account"), `messages/${locale}.json?till`];
    return [locale, parts.flatMap((name) => manifest[name]?.file ?? []).map((file) => `/${file}`)];
  });
  return { common, texts: Object.fromEntries(texts) };
}

function shared(manifest: Manifest): Chunk {
  const { css = [], assets = [] } = manifest[pagesEntry] ?? {};
  const { theme, files } = installedBrand();
  const fonts = Object.values(theme.Typefaces).flatMap(({ Files }) => Files.map(({ File }) => files.fontAddress(File)));
  const used = assets.filter((file) => !file.endsWith(".woff2") || usesBuiltFont(theme, file));
  return { file: "", css, assets: [...used, ...fonts.map((address) => address.slice(1))] };
}

/** The chunks reachable from some entries; `later` says which of those that are loaded on demand. */
function chunksFrom(manifest: Manifest, entries: string[], later: (name: string) => boolean): Chunk[] {
  const found = new Map<string, Chunk>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || found.has(name)) return;
    found.set(name, chunk);
    chunk.imports?.forEach(add);
    chunk.dynamicImports?.filter(later).forEach(add);
  };
  entries.forEach(add);
  return [...found.values()];
}

function addresses(chunks: Chunk[]): string[] {
  const files = chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  const unique = [...new Set(files)].filter(Boolean).sort();
  return [...unique.map((file) => `/${file}`), icon];
}
