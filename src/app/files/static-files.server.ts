import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** The built files, and those of the other release while an upgrade is under way. */
export function staticFiles(clientDir: string, assetsDir: string | undefined) {
  const app = new Hono<RequestEnv>();
  const serve = serveStatic<RequestEnv>({ root: clientDir, precompressed: true });
  // During an upgrade, pages of the other release ask for their files on this machine too.
  const serveOther = assetsDir
    ? serveStatic<RequestEnv>({
        root: assetsDir,
        rewriteRequestPath: (path) => path.slice("/assets".length),
        precompressed: true,
      })
    : undefined;
  app.use("/assets/*", async (c) => {
    c.set("route", "asset");
    // An unknown file must not reach the pages: their headers would stay on the refusal.
    const response = (await serve(c, async () => {})) ?? (await serveOther?.(c, async () => {}));
    if (!response) throw new Refusal("not_found");
    // The name of a built file contains its hash: its content never changes.
    response.headers.set("cache-control", "public, max-age=31536000, immutable");
    return response;
  });
  // Files whose path has a leading dot are for the server alone, such as the build's manifest.
  app.use("*", async (c, next) => {
    const { path } = c.req;
    return path.includes(".") && !path.includes("/.") ? serve(c, next) : next();
  });
  return app;
}
