import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";

export const compress = (file: string) => gzipSync(readFileSync(file), { level: 9 });

/** The baseline: an empty app of two pages, built with the product's own configuration: React and the router alone. */
export async function buildFloor() {
  const folder = mkdtempSync(join(tmpdir(), "cercle-floor-"));
  await build({
    logLevel: "error",
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: { input: "bench/browser/floor/browser.tsx" },
    },
    environments: {
      client: { build: { outDir: folder, rolldownOptions: { input: "bench/browser/floor/browser.tsx" } } },
    },
  });
  const assets = join(folder, "assets");
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  return {
    assets,
    scripts,
    /** What its first page loads. */
    first: scripts.filter((name) => !name.startsWith("other")),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Serves the empty app as the product serves its own files: compressed, with the scripts named in the document. */
export async function serveFloor(port: number) {
  const { assets, scripts, first, remove } = await buildFloor();
  const files = new Map(scripts.map((name) => [`/assets/${name}`, compress(join(assets, name))]));
  const entry = scripts.find((name) => name.startsWith("browser"));
  const document = `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"/><title>One</title>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
${first.map((name) => `<link rel="modulepreload" href="/assets/${name}"/>`).join("")}
<script type="module" src="/assets/${entry}" async></script></head><body><a href="/other">Other</a></body></html>`;
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    if (!file) return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(document);
    const headers = {
      "content-type": "text/javascript",
      "content-encoding": "gzip",
      "cache-control": "max-age=31536000",
    };
    return response.writeHead(200, headers).end(file);
  });
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return () => {
    server.close();
    remove();
  };
}
