import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import styles from "./cercle.css?raw";
import script from "./cercle.js?raw";

/** The files for the pages of other sites, and the question that browsers ask before they send a token. */
export function embedRoutes() {
  const app = new Hono<RequestEnv>();
  const files = { "cercle.js": [script, "text/javascript"], "cercle.css": [styles, "text/css"] } as const;
  for (const [name, [text, type]] of Object.entries(files)) {
    const zipped = gzipSync(text, { level: 9 });
    app.get(`/embed/${name}`, (c) => {
      c.set("route", "embed file");
      const takesGzip = c.req.header("accept-encoding")?.includes("gzip") ?? false;
      return c.body(takesGzip ? zipped : text, 200, {
        "content-type": `${type}; charset=utf-8`,
        "cache-control": "public, max-age=300",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        vary: "accept-encoding",
        ...(takesGzip && { "content-encoding": "gzip" }),
      });
    });
  }
  app.options("/api/embed", (c) => {
    c.set("route", "embed preflight");
    return c.body(null, 204, {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "authorization",
      "access-control-allow-methods": "GET",
      "access-control-max-age": "86400",
    });
  });
  return app;
}
