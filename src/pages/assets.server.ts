import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installedBrand } from "#brand/brand.server.ts";
import { usesBuiltFont } from "#brand/theme.server.ts";
import type { Assets } from "#platform/assets.ts";

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
}

/** Reads the build's manifest once; for each page, lists the files its first paint needs. */
export function builtAssets(clientDir: string, entryName = "src/pages/browser.tsx", manifestName = "manifest") {
  const manifestFile = join(clientDir, ".vite", `${manifestName}.json`);
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(manifestFile, "utf8"));
  const entry = manifest[entryName];
  if (!entry) throw new Error("The build lacks its entry: run npm run build.");
  const url = (file: string) => `/${file}`;
  const { theme, files: brandFiles } = installedBrand();
  const ownFonts = Object.values(theme.Typefaces)
    .flatMap(({ Files }) => Files.filter(({ Style }) => Style === "normal"))
    .map(({ File }) => brandFiles.fontAddress(File));
  // Only what the first paint uses: the italic is in the headlines of the public pages, and on wide sign-in pages.
  const usesItalic = /\/(home|loyalty|qrcode)\.page\.tsx$/;
  const usesItalicWhenWide = /\/auth\.layout\.tsx$/;
  const fonts = Object.values(manifest)
    .map((chunk) => chunk.file)
    .filter((file) => /\.woff2$/.test(file) && usesBuiltFont(theme, file));
  const cache = new Map<string, Assets>();

  return (modules: string[]): Assets => {
    const key = modules.join();
    const cached = cache.get(key);
    if (cached) return cached;
    const files = new Set<string>();
    // Every page has the pages' style sheet, whichever script it starts with.
    const styles = new Set(manifest["src/pages/browser.tsx"]?.css);
    const addChunk = (name: string) => {
      const chunk = manifest[name];
      if (!chunk || files.has(chunk.file)) return;
      files.add(chunk.file);
      for (const style of chunk.css ?? []) styles.add(style);
      chunk.imports?.forEach(addChunk);
    };
    for (const name of [entryName, ...modules]) addChunk(name);
    files.delete(entry.file);
    const assets: Assets = {
      script: url(entry.file),
      styles: [...styles].map(url),
      preload: [...files].map(url),
      fonts: [
        ...fonts.filter((file) => !/italic/.test(file) || modules.some((name) => usesItalic.test(name))).map(url),
        ...ownFonts,
      ],
      wideFonts: modules.some((name) => usesItalicWhenWide.test(name))
        ? fonts.filter((file) => /italic/.test(file)).map(url)
        : [],
    };
    cache.set(key, assets);
    return assets;
  };
}

/**
 * In development Vite serves the sources as they are.
 * @public: `scripts/dev.mjs` loads it through Vite, by its path.
 */
export function sourceAssets(): (modules: string[]) => Assets {
  return () => ({
    script: "/scripts/dev-entry.js",
    styles: [
      "/src/ui/style.css",
      "/src/identity/identity.css",
      "/src/loyalty/card/full-screen-code.css",
      "/src/loyalty/moments.css",
      "/src/shell/frame.css",
    ],
    preload: [],
    fonts: [],
  });
}
