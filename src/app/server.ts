import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { identityDependencies, identityRoom } from "#identity/handlers.server.ts";
import { identityJobs, identitySchedule } from "#identity/jobs.server.ts";
import { endSessionOnLogout } from "#identity/session/logout.server.ts";
import { createAuthenticate } from "#identity/session/session.server.ts";
import { providerHosts } from "#identity/social/provider-hosts.server.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { loyaltyRoom } from "#loyalty/handlers.server.ts";
import { loyaltyJobs, loyaltySchedule } from "#loyalty/ledger/expiry.server.ts";
import { appleService } from "#loyalty/wallet/apple-pass.server.ts";
import { appleServiceApp } from "#loyalty/wallet/apple-service.server.ts";
import { sandboxKeyName } from "#loyalty/wallet/google-issuer.server.ts";
import { openWallets, walletJobs, walletSchedule } from "#loyalty/wallet/wallets.server.ts";
import { createPages } from "#pages/pages.server.tsx";
import { createApi, localeOf } from "#platform/api/api.server.ts";
import { idempotencyJobs, idempotencySchedule } from "#platform/api/idempotency.server.ts";
import { problemHandler, type RequestEnv, withRequest } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import type { Log } from "#platform/log.server.ts";
import { mailJobs } from "#platform/mail/mail.server.ts";
import type { Metrics } from "#platform/metrics.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { isOwnRequest } from "#sandbox/own-request.server.ts";
import { createSandbox } from "#sandbox/sandbox.server.ts";
import type { Site } from "#shell/site.tsx";
import { storeRoom } from "#shop/handlers.server.ts";
import { shortAddress } from "#shop/poster.server.ts";
import { apiDescription } from "./api-docs.server.tsx";
import { robotsText, sitemap } from "./crawlers.server.ts";
import { watchProduct } from "./metrics.server.ts";
import { installing } from "./web-manifest.server.ts";

export interface ServerParts {
  settings: Settings;
  database: Database;
  log: Log;
  /** What identity calls of the club. */
  club?: ClubHooks;
  /** Names of built files; in development the sources stand for themselves. */
  assetsOf: Parameters<typeof createPages>[0]["assetsOf"];
  /** Where the built files are; absent in development and in API tests. */
  clientDir?: string;
  development?: boolean;
  /** Where the product tells how it is doing; absent, it tells nobody. */
  metrics?: Metrics | undefined;
  /** What time it is; tests move it. */
  now?: () => Date;
}

/** The whole product as one function from request to answer. Starts nothing. */
export function createServer(parts: ServerParts) {
  const { settings, database, log, metrics } = parts;
  const publicUrl = settings.publicUrl.origin;
  let draining = false;

  const { now = () => new Date() } = parts;
  const club = parts.club ?? clubHooks({ publicUrl, now });
  /** The sandbox's own providers answer in process: they work for whoever asks the product, and before anything listens. */
  const askProvider = async (url: string, init: RequestInit): Promise<Response> =>
    settings.sandbox && url.startsWith(`${publicUrl}/sandbox/`)
      ? app.fetch(new Request(url, init), { requestId: "sandbox" })
      : fetch(url, init);
  const identity = identityDependencies({
    database,
    settings,
    club,
    fetch: askProvider,
    onRefusedByLimit: metrics?.refusedByLimit,
  });
  if (metrics) watchProduct(metrics, { database, passwords: identity.passwords });
  const wallets = openWallets({ settings, database, fetch: askProvider });
  const rooms = [
    identityRoom(identity),
    loyaltyRoom({ database, publicUrl, now, wallets }),
    storeRoom({ database, publicUrl, now }),
  ];
  const authenticate = createAuthenticate(database);
  const contracts = rooms.map((room) => room.contract);

  const jobs: Jobs = {
    ...mailJobs({ smtpUrl: settings.smtpUrl, from: settings.mailFrom }),
    ...identityJobs({ settings, club }),
    ...loyaltyJobs({ publicUrl, now }),
    ...walletJobs({ wallets, publicUrl, now }),
    ...idempotencyJobs,
  };
  const cron: Scheduled[] = [...identitySchedule, ...loyaltySchedule, ...walletSchedule, ...idempotencySchedule];

  const app = new Hono<RequestEnv>();
  app.use(
    withRequest({
      log,
      secure: settings.secureCookies,
      trustProxy: settings.trustProxy,
      development: parts.development ?? false,
      onResponse: metrics?.observeRequest,
      trusted: providerHosts(settings),
    }),
  );
  app.onError(problemHandler(log));
  app.use(async (c, next) => {
    // PostgreSQL's text cannot hold a NUL, and no address of ours does.
    if (c.req.raw.url.includes("%00")) {
      c.set("locale", localeOf(c));
      throw new Refusal("invalid");
    }
    await next();
  });
  app.use(endSessionOnLogout({ database, secure: settings.secureCookies }));

  app.get("/healthz", (c) => c.text("ok"));
  app.get("/readyz", async (c) => {
    if (draining) throw new Refusal("unavailable", { retryAfterSeconds: 1 });
    await database.$client.query("select 1");
    return c.text("ok");
  });
  app.get("/robots.txt", (c) => c.text(robotsText(publicUrl, settings.sandbox)));
  app.get("/sitemap.xml", (c) => c.body(sitemap(publicUrl), 200, { "content-type": "application/xml; charset=UTF-8" }));
  app.route("/api", apiDescription(contracts, publicUrl));
  app.route(appleService, appleServiceApp({ wallets, database, publicUrl, now, log }));
  app.route("/api", createApi({ rooms, database, authenticate, publicOrigin: publicUrl }));

  const pages = createPages({
    api: (request, env) => app.fetch(request, env),
    site: siteOf(settings),
    secureCookies: settings.secureCookies,
    assetsOf: parts.assetsOf,
    log,
  });
  if (settings.sandbox) {
    const { styles } = parts.assetsOf([]);
    app.use("/sandbox/*", async (c, next) => {
      // The product's own questions to its stand-ins come from nowhere else.
      const inProcess = c.env?.requestId !== undefined;
      return inProcess || isOwnRequest(c.req.raw, settings.sandboxName) ? next() : pages(c, next);
    });
    app.route(
      "/sandbox",
      createSandbox({
        database,
        styles,
        mailLeaves: settings.smtpUrl !== undefined,
        publicUrl,
        googleWalletKey: sandboxKeyName,
      }),
    );
  }

  app.route("/", installing());
  app.route("/", shortAddress());
  if (parts.clientDir) {
    const serve = serveStatic<RequestEnv>({ root: parts.clientDir, precompressed: true });
    app.use("/assets/*", async (c) => {
      c.set("route", "asset");
      // An unknown file must not go on to the pages: their headers would stay on the refusal.
      const answer = await serve(c, async () => {});
      if (!answer) throw new Refusal("not_found");
      // The name of a built file holds its hash: it never changes.
      answer.headers.set("cache-control", "public, max-age=31536000, immutable");
      return answer;
    });
    app.get("/service-worker.js", async (c, next) => {
      c.set("route", "service worker");
      const answer = await serve(c, next);
      // It names the files of its build: an old one kept by a cache would bring back what is gone.
      answer?.headers.set("cache-control", "no-cache");
      return answer;
    });
    // What begins with a dot is the build's own, such as its manifest.
    app.use("*", async (c, next) => {
      const { path } = c.req;
      return path.includes(".") && !path.includes("/.") ? serve(c, next) : next();
    });
  }
  app.all("*", pages);

  return {
    /** Every call as data, for whoever tests or describes them all. */
    contracts,
    /** What runs in the background, and what by the clock; whoever starts the product starts its worker. */
    jobs,
    cron,
    fetch: (request: Request, env: RequestEnv["Bindings"] = {}) => app.fetch(request, env),
    /** From now on not ready: a load balancer sends the next request elsewhere. */
    drain() {
      draining = true;
    },
  };
}

/** What every page may know of the settings; of the providers, never the secret. */
export function siteOf({ publicUrl, shopUrl, sandbox, google, facebook }: Settings): Omit<Site, "assets"> {
  return {
    publicUrl: publicUrl.origin,
    shopUrl,
    sandbox,
    social: {
      ...(google && { google: { clientId: google.clientId, scriptUrl: google.scriptUrl } }),
      ...(facebook && {
        facebook: { appId: facebook.appId, sdkUrl: facebook.sdkUrl, sdkVersion: facebook.sdkVersion },
      }),
    },
  };
}
