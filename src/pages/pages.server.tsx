import type { Handler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  UNSAFE_ErrorResponseImpl as ErrorResponse,
  isRouteErrorResponse,
  type RouteObject,
  RouterContextProvider,
  type StaticHandler,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import { textModule } from "#i18n/catalogues.ts";
import {
  defaultLocale,
  isLocale,
  type Locale,
  localeCookie,
  localeCookieDays,
  localeOfCode,
  localeOfHeader,
  localeOfPath,
  localePath,
} from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { SocialSettingsProvider } from "#identity/social/social-context.tsx";
import { CallFailed, callContext, createCall, type Reply, type Transport } from "#platform/api/client.ts";
import { requestSite } from "#platform/api/csrf.server.ts";
import { withLimitedForm } from "#platform/api/fields.server.ts";
import { logFault, type RequestEnv } from "#platform/api/requests.server.ts";
import type { Assets } from "#platform/assets.ts";
import type { Log } from "#platform/log.server.ts";
import { problemOf } from "#platform/problem.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { type Site, SiteProvider } from "#shell/site.tsx";
import { compressed } from "./compress.server.ts";
import { DocumentContext, routesAround } from "./document.tsx";
import { createPublicAnswers } from "./public-cache.server.ts";
import { type Prefix, pagesUnder, prefixes, type RouteHandle } from "./routes.ts";

/** The API, called in process. */
export type ApiFetch = (request: Request, env: RequestEnv["Bindings"]) => Response | Promise<Response>;

/** Every page: loaders and actions through the API in process, then React, then one HTML answer. */
export function createPages(options: {
  api: ApiFetch;
  site: Omit<Site, "assets">;
  secureCookies: boolean;
  assetsOf: (modules: string[]) => Assets;
  log: Log;
}): Handler<RequestEnv> {
  const handlers = handlersByPrefix();
  const keptOrAsked = createPublicAnswers();

  return async (c) => {
    const startedAt = performance.now();
    const request = c.req.raw;
    const url = new URL(request.url);
    const locale = localeOfPath(url.pathname);
    c.set("locale", locale);
    c.set("route", "page");
    const readable = canDecode(url.pathname);
    if (!["GET", "HEAD", ...(readable ? ["POST"] : [])].includes(request.method)) throw new Refusal("not_found");
    if (request.method === "POST" && requestSite(request, options.site.publicUrl) === "cross-site")
      throw new Refusal("cross_site");

    const wished = localeOfCode(getCookie(c, localeCookie)) ?? localeOfHeader(c.req.header("accept-language"));
    if (url.pathname === "/" && request.method !== "POST") {
      c.header("vary", "accept-language, cookie");
      if (wished && wished !== defaultLocale) return c.redirect(localePath(wished, "/") + url.search, 302);
    }
    if (getCookie(c, localeCookie) !== locale)
      setCookie(c, localeCookie, locale, {
        path: "/",
        maxAge: localeCookieDays * 86_400,
        sameSite: "Lax",
        secure: options.secureCookies,
      });

    const cookies: string[] = [];
    const requestContext = new RouterContextProvider();
    const ask = inProcess(c.req.raw, c.env, locale, c.get("requestId"), cookies, options);
    const transport = askingOnce((path, init) =>
      init.method === "GET" ? keptOrAsked(`${locale} ${path}`, () => ask(path, init)) : ask(path, init),
    );
    const warn = (message: string) => options.log.warn({ requestId: c.get("requestId") }, message);
    requestContext.set(callContext, createCall(transport, warn));
    const page = readable ? request : new Request(new URL(localePath(locale, unknownPath), url));
    const asked = request.method === "POST" ? await withLimitedForm(request) : page;
    const context = await handlers(url.pathname).query(asked, { requestContext });
    const loadedAt = performance.now();
    for (const cookie of cookies) c.header("set-cookie", cookie, { append: true });
    c.header("cache-control", "no-store");
    if (context instanceof Response) {
      const location = context.headers.get("location");
      if (!location) return context;
      for (const cookie of context.headers.getSetCookie()) c.header("set-cookie", cookie, { append: true });
      return c.redirect(location, 302);
    }
    tidyErrors(context, locale, c.get("requestId"), options.log);
    c.set("route", `page ${context.matches.at(-1)?.route.id ?? "unknown"}`);
    const site: Site = { ...options.site, assets: options.assetsOf(modulesOf(context, locale)) };
    const html = renderPage(context, site, locale, c.get("nonce"));
    const renderedAt = performance.now();
    const { body, encoding } = await compressed(html, c.req.header("accept-encoding"));
    if (encoding) c.header("content-encoding", encoding);
    c.header("vary", "accept-encoding", { append: true });
    // Only for looking at pages: how long a form took could tell what its fields met.
    if (request.method !== "POST")
      c.header(
        "server-timing",
        serverTiming({ load: [startedAt, loadedAt], render: [loadedAt, renderedAt], startedAt }),
      );
    c.header("content-type", "text/html; charset=UTF-8");
    return c.body(body, context.statusCode as 200);
  };
}

/** No page has it. */
const unknownPath = "/unknown";

/** React Router warns on the console of a path it cannot decode, and names it: nothing of a request is printed. */
function canDecode(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Each address is looked up among those of its own prefix: the search walks all it is given, and most are of another. */
function handlersByPrefix(): (path: string) => StaticHandler {
  const handlers = Object.fromEntries(
    prefixes.map((prefix) => [prefix, createStaticHandler(routesAround([pagesUnder(prefix)]))]),
  ) as Record<Prefix, StaticHandler>;
  return (path) => {
    const [, first = ""] = path.split("/", 2);
    return handlers[isLocale(first) ? first : ""];
  };
}

/** Where the time went, for the browser's own tools: loaders (API and database), React, and all of it. */
function serverTiming(times: { load: [number, number]; render: [number, number]; startedAt: number }): string {
  const spans = { load: times.load, render: times.render, total: [times.startedAt, performance.now()] as const };
  return Object.entries(spans)
    .map(([name, [from, to]]) => `${name};dur=${(to - from).toFixed(1)}`)
    .join(", ");
}

/** The modules this page will ask for, texts included: named at once, they load side by side. */
function modulesOf(context: StaticHandlerContext, locale: Locale): string[] {
  const handles = context.matches.flatMap(({ route }) => (route.handle as RouteHandle | undefined) ?? []);
  const parts = new Set(handles.flatMap((handle) => handle.texts));
  return [
    ...handles.map((handle) => handle.module),
    textModule(locale, "base"),
    ...[...parts].map((part) => textModule(locale, part)),
  ];
}

/** The page's own calls carry the visitor's cookies, address and origin in, and bring new cookies out. */
function inProcess(
  page: Request,
  env: RequestEnv["Bindings"],
  locale: Locale,
  requestId: string,
  cookies: string[],
  options: { api: ApiFetch; site: { publicUrl: string } },
): (path: string, init: RequestInit) => Promise<Response> {
  return async (path, init) => {
    const headers = new Headers(init.headers);
    for (const name of ["cookie", "origin", "sec-fetch-site", "x-forwarded-for", "user-agent", "traceparent"]) {
      const value = page.headers.get(name);
      if (value) headers.set(name, value);
    }
    // Looking at a page is nobody's act, wherever its link stood: a mailed one is followed from the mail's own site.
    if (page.method !== "POST") headers.set("sec-fetch-site", "same-origin");
    headers.set("accept-language", locale);
    const request = new Request(new URL(path, options.site.publicUrl), { ...init, headers });
    const response = await options.api(request, { ...env, requestId });
    cookies.push(...response.headers.getSetCookie());
    return response;
  };
}

/** Several parts of a page want the same answer, such as who is signed in: it is asked for once, and anew after a change. */
function askingOnce(ask: Transport): Transport {
  const asked = new Map<string, Promise<Reply>>();
  return (path, init) => {
    if (init.method !== "GET") {
      asked.clear();
      return ask(path, init);
    }
    const reply = asked.get(path) ?? ask(path, init).then(readByAll);
    asked.set(path, reply);
    return reply;
  };
}

/** A body is there to be read once; this one may be read by everybody who asked. */
function readByAll(answer: Reply): Reply {
  let body: Promise<unknown> | undefined;
  return {
    status: answer.status,
    json() {
      body ??= answer.json();
      return body;
    },
  };
}

/** What may be shown of an error: a status and a public sentence. The rest is for the log. */
function tidyErrors(context: StaticHandlerContext, locale: Locale, requestId: string, log: Log): void {
  for (const [id, error] of Object.entries(context.errors ?? {})) {
    if (isRouteErrorResponse(error)) continue;
    const failed = error instanceof CallFailed ? error : undefined;
    if (!failed) logFault(log, error, requestId);
    const problem = failed?.problem ?? problemOf(new Refusal("broken"), locale, requestId);
    context.statusCode = problem.status;
    (context.errors as Record<string, unknown>)[id] = new ErrorResponse(problem.status, problem.title, problem);
  }
}

export function renderPage(context: StaticHandlerContext, site: Site, locale: Locale, nonce: string): string {
  const { loaderData, actionData, errors } = context;
  const router = { loaderData, actionData, errors: errors && plainErrors(errors) };
  const json = JSON.stringify({ router, site }).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `<!DOCTYPE html>${renderToString(
    <DocumentContext value={{ json, nonce }}>
      <SiteProvider value={site}>
        <SocialSettingsProvider value={site.social}>
          <TextsProvider texts={textsOf[locale]}>
            <StaticRouterProvider
              router={createStaticRouter(branchOf(context), context)}
              context={context}
              hydrate={false}
            />
          </TextsProvider>
        </SocialSettingsProvider>
      </SiteProvider>
    </DocumentContext>,
  )}`;
}

/** The matched routes alone: the router prepares whatever it is given for every page anew, and there are many. */
function branchOf({ matches }: StaticHandlerContext): RouteObject[] {
  return matches.reduceRight<RouteObject[]>(
    (children, { route }) => [route.index ? route : ({ ...route, children } as RouteObject)],
    [],
  );
}

/** The form in which React Router's browser side reads errors back. */
function plainErrors(errors: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => {
      const { status, statusText, data, internal } = error as ErrorResponse & { internal?: boolean };
      return [id, { status, statusText, data, internal, __type: "RouteErrorResponse" }];
    }),
  );
}
