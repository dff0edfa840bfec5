import { serveStatic } from "@hono/node-server/serve-static";
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { customers } from "#identity/customer.tables.server.ts";
import { loyaltyRoom } from "#loyalty/handlers.server.ts";
import { type Caller, createApi } from "#platform/api.server.ts";
import type { Database } from "#platform/database.server.ts";
import type { Log } from "#platform/log.server.ts";
import { openApi } from "#platform/openapi.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { asProblem, type RequestEnv, withRequest } from "#platform/requests.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { storeRoom, type UpdateContact } from "#store/handlers.server.ts";
import { createPages } from "./pages.server.tsx";

export interface ServerParts {
  settings: Settings;
  database: Database;
  log: Log;
  /** Names of built files; in development the sources stand for themselves. */
  assetsOf: Parameters<typeof createPages>[0]["assetsOf"];
  /** Where the built files are; absent in development and in API tests. */
  clientDir?: string;
  development?: boolean;
  /** What time it is; tests move it. */
  now?: () => Date;
  /** Who calls; tests say so until sessions exist. */
  authenticate?: (request: Request) => Promise<Caller | undefined>;
}

/** Stands where identity's rule belongs, the one that knows phone numbers and keeps the consent log. */
const updateContactRow: UpdateContact = async (queries, customerId, change) => {
  await queries.update(customers).set(change).where(eq(customers.id, customerId));
};

/** The whole product as one function from request to answer. Starts nothing. */
export function createServer(parts: ServerParts) {
  const { settings, database, log } = parts;
  const publicUrl = settings.publicUrl.origin;
  let draining = false;

  const { now = () => new Date(), authenticate = async () => undefined } = parts;
  const rooms = [
    loyaltyRoom({ publicUrl, now }),
    storeRoom({ database, publicUrl, now, updateContact: updateContactRow }),
  ];
  const description = openApi(
    rooms.map((room) => room.contract),
    publicUrl,
  );

  const app = new Hono<RequestEnv>();
  app.use(
    withRequest({
      log,
      secure: settings.secureCookies,
      trustProxy: settings.trustProxy,
      development: parts.development ?? false,
    }),
  );
  app.onError(asProblem(log));

  app.get("/healthz", (c) => c.text("ok"));
  app.get("/readyz", async (c) => {
    if (draining) throw new Refusal("unavailable", { retryAfterSeconds: 1 });
    await database.$client.query("select 1");
    return c.text("ok");
  });
  app.get("/api/openapi.json", (c) => c.json(description));
  app.route("/api", createApi({ rooms, database, authenticate, publicOrigin: publicUrl }));

  if (parts.clientDir) {
    const serve = serveStatic<RequestEnv>({ root: parts.clientDir, precompressed: true });
    app.use("/assets/*", async (c, next) => {
      c.set("route", "asset");
      const answer = await serve(c, next);
      // The name of a built file holds its hash: it never changes.
      if (answer) answer.headers.set("cache-control", "public, max-age=31536000, immutable");
      else throw new Refusal("not_found");
      return answer;
    });
    app.use("*", async (c, next) => (c.req.path.includes(".") ? serve(c, next) : next()));
  }
  app.all(
    "*",
    createPages({
      api: (request, env) => app.fetch(request, env),
      site: { publicUrl, shopUrl: settings.shopUrl, sandbox: settings.sandbox },
      secureCookies: settings.secureCookies,
      assetsOf: parts.assetsOf,
      log,
    }),
  );

  return {
    fetch: (request: Request, env: RequestEnv["Bindings"] = {}) => app.fetch(request, env),
    /** From now on not ready: a load balancer sends the next request elsewhere. */
    drain() {
      draining = true;
    },
  };
}
