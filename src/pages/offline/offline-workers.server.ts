import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { textModule } from "#i18n/catalogues.ts";
import { offeredLocales } from "#i18n/locale.ts";
import { offlineShell } from "#offline/offline-shell.server.tsx";
import { builtAssets } from "#pages/assets.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { compressedFor } from "#platform/compress.server.ts";
import { offlineFiles } from "./offline-files.server.ts";

const hashOf = (text: string) => createHash("sha256").update(text);

/**
 * The service workers, and the offline page of each language, made once at the start: they are of this build and of this
 * brand. A page is named by its content; a worker has an id of its files, so that any changed file is a new worker.
 */
export function offlineWorkers(clientDir: string): Hono<RequestEnv> {
  const assetsOf = builtAssets(clientDir, "src/offline/offline.tsx");
  const pages = offeredLocales().map((locale) => {
    const html = offlineShell(locale, assetsOf([textModule(locale, "base"), textModule(locale, "account")]));
    const path = `/assets/offline-${locale}-${hashOf(html).digest("base64url").slice(0, 8)}.html`;
    return { locale, path, html };
  });
  const files = offlineFiles(clientDir);
  const shells = Object.fromEntries(pages.map(({ locale, path }) => [locale, path]));
  const app = new Hono<RequestEnv>();
  const serve = (path: string, text: string, route: string, headers: Record<string, string>) =>
    app.get(path, async (c) => {
      c.set("route", route);
      return c.body(await compressedFor(c, text), 200, headers);
    });
  for (const { path, html } of pages)
    serve(path, html, "asset", {
      "content-type": "text/html; charset=UTF-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
  for (const [name, build] of [
    ["service-worker.js", { files: files.pages, shells }],
    ["till-worker.js", files.till],
  ] as const) {
    const code = readFileSync(join(clientDir, name), "utf8");
    const id = hashOf(JSON.stringify([build, code]))
      .digest("hex")
      .slice(0, 12);
    // It lists the files of its build: a cached old one would ask for files that are gone.
    serve(`/${name}`, `const build=${JSON.stringify({ id, ...build })};\n${code}`, "service worker", {
      "content-type": "text/javascript; charset=UTF-8",
      "cache-control": "no-cache",
    });
  }
  return app;
}
