import type { Context, Handler } from "hono";
import type { ComponentType, ReactNode } from "react";
import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  RouterContextProvider,
  type StaticHandler,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import { textsOf } from "#brand/texts.server.ts";
import { textModule } from "#i18n/catalogues.ts";
import { isLocale, type Locale, localeOfPath, localePath } from "#i18n/locale.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { maybeSignedIn } from "#identity/session/browser/session.ts";
import { navigationSource } from "#identity/sign-in/autologin/navigation-source.server.ts";
import { navigationSourceContext } from "#identity/sign-in/autologin/navigation-source.ts";
import { SocialSettingsProvider } from "#identity/social/screen/social-context.tsx";
import {
  createMatchedRouter,
  createPartRouter,
  hydrationDataOf,
  withPublicErrors,
} from "#pages/router/router-internals.server.ts";
import type { Incoming } from "#platform/api/api.server.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { CallFailed, createCall, type Reply, type Transport } from "#platform/api/client/client.ts";
import { requestSite } from "#platform/api/csrf.server.ts";
import { readQuery, withLimitedForm } from "#platform/api/fields.server.ts";
import type { CallerReads } from "#platform/api/reads.server.ts";
import { logFault, type RequestEnv, refusalOf } from "#platform/api/requests.server.ts";
import type { Assets } from "#platform/assets.ts";
import { compressedFor } from "#platform/compress.server.ts";
import type { Log } from "#platform/log.server.ts";
import { problemOf } from "#platform/problem.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { SiteProvider } from "#shell/site.tsx";
import { sharedParts, sharedPlace } from "#ui/lazy.tsx";
import { DocumentContext, withRootRoute } from "./document.tsx";
import { chooseLocale } from "./locale-detection.server.ts";
import { createPageSites, type InstalledSite, type PageSite, scriptJson } from "./page-site.server.tsx";
import { createRenderedPages } from "./rendered-pages.server.ts";
import { type Prefix, pageRoutes, type RouteHandle } from "./routes.ts";
import { createSharedParts, type SharedParts } from "./shared-parts.server.ts";
import { warningPrefix } from "./warning-prefix.ts";

/** The API, called in process. */
export type ApiFetch = (request: Request, env: RequestEnv["Bindings"]) => Response | Promise<Response>;

/** Every page: loaders and actions call the API in process, then React renders one HTML response. */
export function createPages(options: {
  api: ApiFetch;
  /** The body of a reading call; a refusal is thrown. */
  read: (line: string, incoming: Incoming) => Promise<unknown>;
  /** Reads of the person who is signed in, shared by the calls of one page. */
  readsOf: (request: Request) => CallerReads;
  site: InstalledSite;
  secureCookies: boolean;
  assetsOf: (modules: string[]) => Assets;
  log: Log;
}): Handler<RequestEnv> {
  const siteOf = createPageSites(options.site);
  const rendered = createRenderedPages();
  const parts = createSharedParts();

  return async (c) => {
    const startedAt = performance.now();
    const request = c.req.raw;
    const url = new URL(request.url);
    const locale = localeOfPath(url.pathname);
    c.set("locale", locale);
    c.set("route", "page");
    const decodable = canDecode(url.pathname);
    if (!["GET", "HEAD", ...(decodable ? ["POST"] : [])].includes(request.method)) throw new Refusal("not_found");
    if (request.method === "POST" && requestSite(request, options.site.publicUrl) === "cross-site")
      throw new Refusal("cross_site");

    const redirect = chooseLocale(c, locale, options.secureCookies);
    if (redirect) return redirect;

    const cookies: string[] = [];
    const requestContext = new RouterContextProvider();
    const transport = deduplicated(inProcess(c, locale, cookies, options));
    const warn = (message: string) => options.log.warn({ requestId: c.get("requestId") }, message);
    requestContext.set(navigationSourceContext, navigationSource(request, options.site));
    requestContext.set(callContext, createCall(transport, { warn, warningPrefix }));
    const pageRequest = decodable ? request : new Request(new URL(localePath(locale, unknownPath), url));
    const query = request.method === "POST" ? await withLimitedForm(request) : pageRequest;
    const loaded = await pageHandler(prefixOf(url.pathname)).query(query, { requestContext });
    const loadedAt = performance.now();
    for (const cookie of cookies) c.header("set-cookie", cookie, { append: true });
    c.header("cache-control", "no-store");
    if (loaded instanceof Response) {
      const location = loaded.headers.get("location");
      if (!location) return loaded;
      for (const cookie of loaded.headers.getSetCookie()) c.header("set-cookie", cookie, { append: true });
      return c.redirect(location, 302);
    }
    const context = publicErrors(loaded, locale, c.get("requestId"), options.log);
    c.set("route", `page ${context.matches.at(-1)?.route.id ?? "unknown"}`);
    const site = siteOf(locale, options.assetsOf(modulesOf(context, locale)));
    const nonce = c.get("nonce");
    const json = hydrationJson(context, site);
    const render = () => renderPage(context, site, locale, nonce, parts, json);
    // All that such a document shows is in its address, which has one language, in its data, or the same for everybody.
    const shared =
      request.method !== "POST" && url.search === "" && context.statusCode === 200 && !maybeSignedIn(request);
    const html = shared ? rendered(`${url.pathname} ${json}`, nonce, render) : render();
    const renderedAt = performance.now();
    const body =
      url.search !== "" && maybeSignedIn(request) && isElsewhere(request) ? html : await compressedFor(c, html);
    // Not for forms: how long one took could reveal whether an account exists.
    if (request.method !== "POST")
      c.header(
        "server-timing",
        serverTiming({ load: [startedAt, loadedAt], render: [loadedAt, renderedAt], startedAt }),
      );
    c.header("content-type", "text/html; charset=UTF-8");
    return c.body(body, context.statusCode as 200);
  };
}

/**
 * A page of another site has chosen the address. A form repeats its query beside what is the customer's own, such as codes
 * of vouchers: compressed, the length of the document would tell how much the two have in common (BREACH).
 */
function isElsewhere({ headers }: Request): boolean {
  return !["same-origin", "none"].includes(headers.get("sec-fetch-site") ?? "");
}

/** A path that no page has. */
const unknownPath = "/unknown";

/** React Router prints a path it cannot decode to the console, and nothing of a request may be printed. */
function canDecode(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** One handler for each prefix, since the router searches all its routes: made when first asked for, and kept by the process. */
export function pageHandler(prefix: Prefix): StaticHandler {
  const handler = handlers.get(prefix) ?? createStaticHandler(withRootRoute([pageRoutes(prefix)]));
  handlers.set(prefix, handler);
  return handler;
}
const handlers = new Map<Prefix, StaticHandler>();

function prefixOf(path: string): Prefix {
  const [, first = ""] = path.split("/", 2);
  return isLocale(first) ? first : "";
}

/** The Server-Timing header: loaders (API and database), React, and the total. */
function serverTiming(times: { load: [number, number]; render: [number, number]; startedAt: number }): string {
  const spans = { load: times.load, render: times.render, total: [times.startedAt, performance.now()] as const };
  return Object.entries(spans)
    .map(([name, [from, to]]) => `${name};dur=${(to - from).toFixed(1)}`)
    .join(", ");
}

/** The modules this page will import, texts included: preloaded, they load in parallel. */
export function modulesOf(context: StaticHandlerContext, locale: Locale): string[] {
  const handles = context.matches.flatMap(({ route }) => (route.handle as RouteHandle | undefined) ?? []);
  const parts = new Set(handles.flatMap((handle) => handle.texts));
  return [
    ...handles.map((handle) => handle.module),
    textModule(locale, "base"),
    ...[...parts].map((part) => textModule(locale, part)),
  ];
}

/** The page's calls to the API, without a network. */
function inProcess(
  c: Context<RequestEnv>,
  locale: Locale,
  cookies: string[],
  options: Parameters<typeof createPages>[0],
): Transport {
  const requestId = c.get("requestId");
  const address = c.get("address");
  const page = c.req.raw;
  let reads: CallerReads | undefined;

  /** A reading call is a function call. */
  async function read(path: string, line: string): Promise<Reply> {
    reads ??= options.readsOf(page);
    const fields = readQuery(options.site.publicUrl + path);
    try {
      const body = await options.read(line, { request: page, fields, locale, reads, requestId, address });
      return { status: 200, json: async () => body };
    } catch (error) {
      const refusal = refusalOf(error, options.log, requestId);
      return { status: refusal.status, json: async () => problemOf(refusal, locale, requestId) };
    }
  }

  /** Any other is a request: it carries the visitor's cookies, address and origin, and its cookies are collected. */
  async function send(path: string, init: RequestInit): Promise<Reply> {
    const headers = new Headers(init.headers);
    for (const name of ["cookie", "origin", "sec-fetch-site", "x-forwarded-for", "user-agent", "traceparent"]) {
      const value = page.headers.get(name);
      if (value) headers.set(name, value);
    }
    // A page view changes nothing, whichever site its link is on: a mailed link is followed from the webmail's site.
    if (page.method !== "POST") headers.set("sec-fetch-site", "same-origin");
    headers.set("accept-language", locale);
    const request = new Request(new URL(path, options.site.publicUrl), { ...init, headers });
    const response = await options.api(request, { ...c.env, requestId });
    cookies.push(...response.headers.getSetCookie());
    // What was read before it is read again, at a later moment.
    reads = undefined;
    return response;
  }

  return (path, init, line) => (init.method === "GET" ? read(path, line) : send(path, init));
}

/** Several loaders of a page make the same call, such as who is signed in: it is made once, and again after a change. */
function deduplicated(send: Transport): Transport {
  const sent = new Map<string, Promise<Reply>>();
  return (path, init, line) => {
    if (init.method !== "GET") {
      sent.clear();
      return send(path, init, line);
    }
    const reply = sent.get(path) ?? send(path, init, line);
    sent.set(path, reply);
    return reply;
  };
}

/** What may be shown of an error: a status and a public text. The rest goes to the log. */
function publicErrors(context: StaticHandlerContext, locale: Locale, requestId: string, log: Log) {
  return withPublicErrors(context, (error) => {
    const failed = error instanceof CallFailed ? error : undefined;
    if (!failed) logFault(log, error, requestId);
    return failed?.problem ?? problemOf(new Refusal("broken"), locale, requestId);
  });
}

/** What the browser's router starts with, and what it knows of the installation. */
const hydrationJson = (context: StaticHandlerContext, { json }: Pick<PageSite, "json">) =>
  `{"router":${scriptJson(hydrationDataOf(context))},"site":${json}}`;

export function renderPage(
  context: StaticHandlerContext,
  { site, json: siteJson, head, load }: PageSite,
  locale: Locale,
  nonce: string,
  parts: SharedParts,
  json = hydrationJson(context, { json: siteJson }),
): string {
  const inSite = (children: ReactNode) => (
    <SiteProvider value={site}>
      <SocialSettingsProvider value={site.social}>
        <TextsProvider texts={textsOf[locale]}>{children}</TextsProvider>
      </SocialSettingsProvider>
    </SiteProvider>
  );
  const router = <StaticRouterProvider router={createMatchedRouter(context)} context={context} hydrate={false} />;
  const html = renderToString(<DocumentContext value={{ json, nonce, load }}>{inSite(router)}</DocumentContext>);
  const { pathname } = context.location;
  const renderPart = (Part: ComponentType | undefined) =>
    renderToString(inSite(<StaticRouterProvider {...createPartRouter(Part && <Part />, context)} hydrate={false} />));
  const whole = html.replace(sharedPlace, (_, number) =>
    parts(site, pathname, number, () => renderPart(sharedParts[Number(number)])),
  );
  const headEnd = whole.indexOf("</head>");
  return `<!DOCTYPE html>${whole.slice(0, headEnd)}${head}${whole.slice(headEnd)}`;
}
