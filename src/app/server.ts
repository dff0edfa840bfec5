import { Hono } from "hono";
import { apiDescription } from "#app/api-docs/api-docs.server.tsx";
import { brandFileRoutes } from "#app/files/brand-files.server.ts";
import { robotsText, sitemap } from "#app/files/crawlers.server.ts";
import { staticFiles } from "#app/files/static-files.server.ts";
import { webManifestRoutes } from "#app/files/web-manifest.server.ts";
import { localeCookieDays } from "#i18n/locale.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { identityDependencies, identityModule } from "#identity/handlers.server.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { idleYears, noticeDays } from "#identity/privacy/retention.server.ts";
import { createCallerReads } from "#identity/session/caller-reads.server.ts";
import { sessionDays } from "#identity/session/session.server.ts";
import { endSessionOnLogout } from "#identity/sign-out/sign-out.server.ts";
import { providerHosts } from "#identity/social/provider-hosts.server.ts";
import { loyaltyModule } from "#loyalty/handlers.server.ts";
import { createFindProgramme } from "#loyalty/programme/programme.server.ts";
import { createTillCodes } from "#loyalty/rewards/till-code.server.ts";
import { appleService } from "#loyalty/wallet/apple/apple-pass.server.ts";
import { appleServiceApp } from "#loyalty/wallet/apple/apple-service.server.ts";
import { openWallets } from "#loyalty/wallet/wallets.server.ts";
import { officeModules } from "#office/modules.server.ts";
import { officePages } from "#office/shell.server.tsx";
import { checkCompanySession, needsCheck } from "#office/sign-in/company-account/company-account.server.ts";
import { createCompanyProvider } from "#office/sign-in/company-account/company-provider.server.ts";
import { companyPath } from "#office/sign-in/company-account/paths.ts";
import { companyRoutes } from "#office/sign-in/company-account/routes.server.ts";
import { officeSealing } from "#office/sign-in/credentials/totp.server.ts";
import { raiseEmergencyAlarm } from "#office/sign-in/emergency.server.ts";
import { createOpenOffice } from "#office/sign-in/session.server.ts";
import { maxCardAgeDays } from "#offline/card-cache.ts";
import { createOidc, oidcRoutes } from "#oidc/routes.server.ts";
import { createPages } from "#pages/pages.server.tsx";
import { createPreview } from "#pages/preview.server.ts";
import { createApi } from "#platform/api/api.server.ts";
import { localeOf } from "#platform/api/request-checks.server.ts";
import { apiHeaders, problemHandler, type RequestEnv, withRequest } from "#platform/api/requests.server.ts";
import type { AssetsOf } from "#platform/assets.ts";
import { clientErrorModule } from "#platform/client-errors/client-errors.server.ts";
import { createChanges } from "#platform/database/changes.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { createReadReplica } from "#platform/database/postgres/replica.server.ts";
import { legalModule } from "#platform/legal/legal.server.ts";
import { createConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import { createLimits } from "#platform/limits/limits.server.ts";
import type { Log } from "#platform/log.server.ts";
import type { Metrics } from "#platform/metrics.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { inClientSpan } from "#platform/tracing.server.ts";
import { embedRoutes } from "#shop/embed/routes.server.ts";
import { shopModule } from "#shop/handlers.server.ts";
import { createCustomerTokens } from "#shop/keys/customer-token.server.ts";
import { createOpenKey, limitsOf } from "#shop/keys/keys.server.ts";
import { shortAddress } from "#shop/poster.server.ts";
import { keptDays } from "#shop/sales/receipts.server.ts";
import { createReceiptLimits } from "#shop/sales/return/receipt-proof.server.ts";
import { eventDays } from "#shop/webhooks/events.server.ts";
import { createPins } from "#staff/pins.server.ts";
import { tillModule } from "#till/handlers.server.ts";
import { tillPages } from "#till/shell.server.tsx";
import { createOpenTill } from "#till/sign-in/open-till.server.ts";
import "./text-numbers.server.ts";
import { credentialOf } from "./credentials.server.ts";
import { customerHooks } from "./customer-hooks.server.ts";
import { createJobs, schedule } from "./jobs.server.ts";
import { registerMetrics } from "./metrics.server.ts";
import { sandboxApp } from "./sandbox-app.server.ts";
import type { Settings } from "./settings.server.ts";
import { siteOf } from "./site.server.ts";

export interface ServerDependencies {
  settings: Settings;
  database: Database;
  /** Where what may be some seconds old is read; absent, everything is read from the database. */
  replica?: Database | undefined;
  log: Log;
  /** The club's functions that identity calls. */
  club?: ClubHooks;
  /** Names of built files; in development the sources stand for themselves. */
  assetsOf: AssetsOf;
  /** Where the built files are; absent in development and in API tests. */
  clientDir?: string;
  /** The service workers and offline pages of the build; absent in development and in API tests. */
  workers?: Hono<RequestEnv>;
  /** The files of the till's screen, as the build named them; absent in API tests. */
  tillAssets?: AssetsOf;
  /** Those of the back office. */
  officeAssets?: AssetsOf;
  development?: boolean;
  /** The version and the commit of the build; absent in development. */
  release?: string;
  /** Absent, no metrics are collected. */
  metrics?: Metrics | undefined;
  /** The clock; tests set it. */
  now?: () => Date;
  /** Tests hash passwords at a lower cost. */
  passwords?: PasswordHashes;
}

/** The whole product as one function from request to response. Starts nothing. */
export function createServer(deps: ServerDependencies) {
  const { settings, database, log, metrics } = deps;
  const publicUrl = settings.publicUrl.origin;
  let draining = false;

  const { now = () => new Date() } = deps;
  const club = deps.club ?? customerHooks({ publicUrl, now, countGifts: settings.rateLimits });
  /** The sandbox's own providers are called in process: this works at every address, and before the server listens. */
  const fetchFromProvider = async (url: string, init: RequestInit): Promise<Response> =>
    settings.sandbox && url.startsWith(`${publicUrl}/sandbox/`)
      ? app.fetch(new Request(url, init), { requestId: "sandbox" })
      : inClientSpan({ method: init.method ?? "GET", url: new URL(url) }, () => fetch(url, init));
  const identity = identityDependencies({
    database,
    settings,
    club,
    fetch: fetchFromProvider,
    passwords: deps.passwords,
    onRefusedByLimit: metrics?.refusedByLimit,
  });
  if (metrics) registerMetrics(metrics, { database, passwords: identity.passwords, release: deps.release, now });
  const changes = createChanges(database);
  const wallets = openWallets({ settings, database, fetch: fetchFromProvider });
  const createLimit = createLimits({ database, on: settings.rateLimits, onRefused: metrics?.refusedByLimit });
  const oidcDependencies = {
    ...{ database, identity, settings, changes, assets: deps.assetsOf([]), now },
    limitRequests: createLimit("oidc-authorize", { points: 600, seconds: 60 }),
  };
  const oidc = createOidc(oidcDependencies);
  const findProgramme = createFindProgramme(database, changes);
  const limits = limitsOf(settings.rateLimits);
  const tokens = createCustomerTokens(database);
  const tillCodes = createTillCodes(database);
  const joinLimit = createLimit("shop-join", { points: 30, seconds: 3_600 });
  const limitSales = createConcurrencyLimit();
  const receiptLimits = createReceiptLimits(createLimit);
  const shared = { database, settings, findProgramme, receiptLimits };
  const selling = { ...shared, publicUrl, limits, limitSales, joinLimit, tokens, log };
  const pins = createPins(settings, identity.passwords);
  const companyProvider =
    settings.companyAccount &&
    createCompanyProvider({
      ...{ settings: settings.companyAccount, fetch: fetchFromProvider },
      redirectUri: `${publicUrl}${companyPath}/callback`,
    });
  const officeSeal = officeSealing(pins);
  const openOffice = createOpenOffice(
    database,
    companyProvider && {
      needsCheck,
      check: (session, call) =>
        checkCompanySession({ database, sealing: officeSeal, provider: companyProvider }, session, call),
    },
  );
  const waysIn = {
    required: settings.companyAccount?.required ?? false,
    issuer: settings.companyAccount?.issuer,
    emergencyOwner: settings.companyAccount?.emergencyOwner,
    alarm: raiseEmergencyAlarm(log),
  };
  const office = { ...shared, identity, passwords: identity.passwords, pins, createLimit, waysIn, companyProvider };
  const site = siteOf(settings, deps.release);
  const modules = [
    identityModule(identity),
    loyaltyModule({ database, publicUrl, findProgramme, wallets, tillCodes, countGifts: settings.rateLimits }),
    shopModule({ ...selling, createLimit }),
    tillModule({ ...selling, createLimit, pins, tillCodes, secureCookies: settings.secureCookies }),
    legalModule({
      ...{ idleYears, noticeDays, sessionDays, receiptDays: keptDays, eventDays },
      ...{ offlineDays: maxCardAgeDays, languageDays: localeCookieDays },
    }),
    clientErrorModule({ createLimit, log, onError: metrics?.clientError }),
    ...officeModules({
      ...office,
      readReplica: createReadReplica(database, deps.replica),
      renderPreview: createPreview({ site, assetsOf: deps.assetsOf }),
    }),
  ];
  const readsOf = createCallerReads(database, now);
  const contracts = modules.map((module) => module.contract);

  const app = new Hono<RequestEnv>();
  app.use(
    withRequest({
      log,
      secure: settings.secureCookies,
      trustProxy: settings.trustProxy,
      development: deps.development ?? false,
      onResponse: metrics?.observeRequest,
      trusted: providerHosts(settings),
    }),
  );
  app.onError(problemHandler(log, metrics?.refused));
  app.use(async (c, next) => {
    // PostgreSQL's text cannot hold a NUL, and no path of ours has one.
    if (c.req.raw.url.includes("%00")) {
      c.set("locale", localeOf(c));
      throw new Refusal("invalid");
    }
    await next();
  });
  app.use(endSessionOnLogout({ database, secure: settings.secureCookies }));

  app.get("/healthz", (c) => c.json({ status: "ok", release: deps.release ?? "development" }));
  app.get("/readyz", async (c) => {
    if (draining) throw new Refusal("unavailable", { retryAfterSeconds: 1 });
    await database.$client.query("select 1");
    return c.text("ok");
  });
  app.get("/robots.txt", (c) => c.text(robotsText(publicUrl, settings.sandbox)));
  app.get("/sitemap.xml", (c) => c.body(sitemap(publicUrl), 200, { "content-type": "application/xml; charset=UTF-8" }));
  app.route("/", embedRoutes());
  app.route("/api", apiDescription(contracts, publicUrl));
  app.route(appleService, appleServiceApp({ wallets, database, publicUrl, now, log }));
  const api = createApi({
    modules,
    database,
    readsOf,
    openKey: createOpenKey(database, limits),
    openTill: createOpenTill(database, limits),
    openOffice,
    credentialOf,
    publicOrigin: publicUrl,
    fixedHeaders: apiHeaders(settings.secureCookies),
    now,
  });
  app.route("/api", api.routes);

  const pages = createPages({
    api: (request, env) => app.fetch(request, env),
    read: api.read,
    readsOf: (request) => readsOf(request, { together: true }),
    site,
    secureCookies: settings.secureCookies,
    assetsOf: deps.assetsOf,
    log,
  });
  if (settings.sandbox) {
    const { styles } = deps.assetsOf([]);
    app.route(
      "/sandbox",
      sandboxApp({
        ...{ database, settings, pins, passwords: identity.passwords, styles, pages, now },
        fetchProvider: async (url, init) => app.fetch(new Request(url, init), { requestId: "sandbox" }),
      }),
    );
  }

  app.route("/", oidcRoutes(oidcDependencies, oidc));
  if (deps.tillAssets) app.route("/", tillPages(deps.tillAssets, deps.release));
  if (companyProvider)
    app.route(
      "/",
      companyRoutes({
        ...{ database, sealing: officeSeal, provider: companyProvider, openOffice, log, now },
        secureCookies: settings.secureCookies,
      }),
    );
  if (deps.officeAssets) app.route("/", officePages(deps.officeAssets, deps.release, settings.companyAccount));
  app.route("/", webManifestRoutes());
  app.route("/", brandFileRoutes());
  app.route("/", shortAddress());
  if (deps.workers) app.route("/", deps.workers);
  if (deps.clientDir) app.route("/", staticFiles(deps.clientDir, settings.assetsDir));
  app.all("*", pages);

  return {
    /** Every call as data, for tests and documentation. */
    contracts,
    /** Background jobs and their schedule; the caller starts the worker. */
    jobs: createJobs({
      ...{ settings, passwords: identity.passwords, club, wallets, sealing: oidc.sealing, now },
      release: deps.release ?? "development",
    }),
    cron: schedule,
    /** What the process keeps in memory until the database tells that it changed; the caller starts it. */
    changes,
    fetch: (request: Request, env: RequestEnv["Bindings"] = {}) => app.fetch(request, env),
    /** From now on /readyz fails: a load balancer sends the next request to another process. */
    drain() {
      draining = true;
    },
  };
}
