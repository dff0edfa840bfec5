import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Assets } from "#shell/site.tsx";

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
}

/** Reads the build's manifest once; for each page, names the files its first paint needs. */
export function builtAssets(clientDir: string, entryName = "src/browser.tsx") {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(clientDir, ".vite/manifest.json"), "utf8"));
  const entry = manifest[entryName];
  // One style sheet for all of the product; it comes with the pages.
  const styles = manifest["src/browser.tsx"]?.css ?? [];
  if (!entry) throw new Error("The build lacks its entry: run npm run build.");
  const url = (file: string) => `/${file}`;
  const fonts = Object.values(manifest)
    .map((chunk) => chunk.file)
    .filter((file) => /\.woff2$/.test(file));
  const known = new Map<string, Assets>();

  return (modules: string[]): Assets => {
    const key = modules.join();
    const found = known.get(key);
    if (found) return found;
    const files = new Set<string>();
    const follow = (name: string) => {
      const chunk = manifest[name];
      if (!chunk || files.has(chunk.file)) return;
      files.add(chunk.file);
      chunk.imports?.forEach(follow);
    };
    for (const name of [entryName, ...modules]) follow(name);
    files.delete(entry.file);
    const assets: Assets = {
      script: url(entry.file),
      styles: styles.map(url),
      preload: [...files].map(url),
      fonts: fonts.map(url),
    };
    known.set(key, assets);
    return assets;
  };
}

/** In development Vite serves the sources as they are. */
export function sourceAssets(): (modules: string[]) => Assets {
  return () => ({
    script: "/scripts/dev-entry.js",
    styles: ["/src/ui/style.css", "/src/shell/frame.css"],
    preload: [],
    fonts: [],
  });
}
