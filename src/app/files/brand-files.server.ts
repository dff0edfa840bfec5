import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { installedBrand } from "#brand/brand.server.ts";
import { typeOf } from "#brand/brand-files.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";

/** Icons, pictures and fonts of the brand's folder. */
export function brandFileRoutes(): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const [path, { file, forever }] of installedBrand().files.served) {
    app.get(path, async (c) => {
      c.set("route", forever ? "asset" : "icon");
      return c.body(await readFile(file), 200, {
        "content-type": typeOf(file),
        "cache-control": forever ? "public, max-age=31536000, immutable" : "public, max-age=86400",
      });
    });
  }
  return app;
}
