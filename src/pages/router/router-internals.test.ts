import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import * as reactRouter from "react-router";
import {
  createStaticHandler,
  isRouteErrorResponse,
  type RouteObject,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import viteConfig from "../../../vite.config.ts";
import { createMatchedRouter, hydrationDataOf, withPublicErrors } from "./router-internals.server.ts";
import { createHydratedRouter, type HydrationData, resolveLazyRoute, watchedRouter } from "./router-internals.ts";

/*
 * One test for each thing the product relies on in React Router although its documentation does not promise it. When an
 * upgrade fails here, `router-internals.ts` and `router-internals.server.ts` are what has to change.
 */

const globalName = "__staticRouterHydrationData";

beforeEach(() => {
  const location = { href: "http://localhost/a", origin: "http://localhost", pathname: "/a", search: "", hash: "" };
  vi.stubGlobal("window", {
    document: { createElement: () => ({}) },
    location,
    history: { state: null, replaceState: () => {}, pushState: () => {} },
    addEventListener: () => {},
    removeEventListener: () => {},
    setTimeout: (...args: Parameters<typeof setTimeout>) => setTimeout(...args),
  });
  vi.stubGlobal("document", Object.assign(window.document, { defaultView: window }));
});
afterEach(() => vi.unstubAllGlobals());

/** A page below a layout, beside a page that no one asks for. */
function routesOf(page: Partial<RouteObject> = {}): RouteObject[] {
  const leaf = { id: "page", path: "a", loader: () => "from the loader", element: "the page", ...page } as RouteObject;
  const layout = createElement("main", null, createElement(reactRouter.Outlet));
  return [{ id: "root", element: layout, children: [leaf, { id: "other", path: "b", element: "the other page" }] }];
}

async function load(routes: RouteObject[]): Promise<StaticHandlerContext> {
  const loaded = await createStaticHandler(routes).query(new Request("http://localhost/a"));
  if (loaded instanceof Response) throw new Error("A page was expected, not a response.");
  return loaded;
}

const failingLoader = () => {
  throw new Error("select * from customer");
};
const publish = () => ({ status: 503, title: "Unavailable", detail: "Come back later" });

/** As it goes to the browser and is read there. */
const throughJson = (context: StaticHandlerContext): HydrationData =>
  JSON.parse(JSON.stringify(hydrationDataOf(context)));

test("UNSAFE_ErrorResponseImpl makes an error that React Router takes for an error response, with our status and data", async () => {
  const context = withPublicErrors(await load(routesOf({ loader: failingLoader })), publish);
  const [error] = Object.values(context.errors ?? {});
  expect(isRouteErrorResponse(error)).toBe(true);
  expect(error).toMatchObject({ status: 503, statusText: "Unavailable", data: { detail: "Come back later" } });
  expect(context.statusCode).toBe(503);
  expect(JSON.stringify(context.errors)).not.toContain("select");
});

test("an error response of the router's own, such as a missing page, stays as it is", async () => {
  const context = await load([{ id: "root", path: "/elsewhere", element: "x" }]);
  const shown = withPublicErrors(context, () => expect.fail("It needs no other words."));
  expect(shown).toEqual(context);
  expect(shown.statusCode).toBe(404);
});

test("a copy of the loaded page with other errors renders those errors, and leaves the first as it was", async () => {
  const errorElement = createElement(() => {
    const error = reactRouter.useRouteError();
    return createElement("p", null, isRouteErrorResponse(error) ? error.data.detail : "raw");
  });
  const loaded = await load(routesOf({ loader: failingLoader, errorElement }));
  const shown = withPublicErrors(loaded, publish);
  const render = (context: StaticHandlerContext) =>
    renderToString(
      createElement(StaticRouterProvider, { router: createMatchedRouter(context), context, hydrate: false }),
    );
  expect(render(shown)).toContain("Come back later");
  expect(render(loaded)).toContain("raw");
});

test("the server's router, given the matched routes alone, renders the page inside its layouts", async () => {
  const context = await load(routesOf());
  const router = createMatchedRouter(context);
  expect(router.routes.map(({ id, children }) => [id, children?.map((child) => child.id)])).toEqual([
    ["root", ["page"]],
  ]);
  const html = renderToString(createElement(StaticRouterProvider, { router, context, hydrate: false }));
  expect(html).toBe("<main>the page</main>");
});

test("the hydration global is read once by the browser's router, which loads nothing again, and is removed", async () => {
  const loader = vi.fn(() => "loaded again");
  const router = createHydratedRouter(routesOf({ loader }), throughJson(await load(routesOf())));
  expect(router.state.initialized).toBe(true);
  expect(router.state.loaderData).toEqual({ page: "from the loader" });
  expect(loader).not.toHaveBeenCalled();
  expect(window).not.toHaveProperty(globalName);
  router.dispose();
});

test("without the hydration global the router would load the page again", () => {
  const loader = vi.fn(() => "loaded again");
  const router = reactRouter.createBrowserRouter(routesOf({ loader }));
  expect(loader).toHaveBeenCalledTimes(1);
  router.dispose();
});

test('an error serialised with __type "RouteErrorResponse" is an error response again in the browser', async () => {
  const context = withPublicErrors(await load(routesOf({ loader: failingLoader })), publish);
  const data = throughJson(context);
  expect(Object.values(data.errors ?? {})[0]).not.toBeInstanceOf(reactRouter.UNSAFE_ErrorResponseImpl);
  const router = createHydratedRouter(routesOf(), data);
  const [error] = Object.values(router.state.errors ?? {});
  expect(error).toBeInstanceOf(reactRouter.UNSAFE_ErrorResponseImpl);
  expect(error).toEqual(Object.values(context.errors ?? {})[0]);
  router.dispose();
});

test("a lazy route that we resolved is not loaded again, and one that we left is", async () => {
  const data = throughJson(await load(routesOf()));
  const lazy = vi.fn(async () => ({ Component: () => "lazy" }));
  const routes = routesOf({ element: undefined, lazy });
  const left = createHydratedRouter(routes, data);
  expect(lazy).toHaveBeenCalledTimes(1);
  expect(left.state.initialized).toBe(false);
  left.dispose();

  lazy.mockClear();
  const page = routes[0]?.children?.[0] as RouteObject;
  await resolveLazyRoute(page);
  expect(page.lazy).toBeUndefined();
  const resolved = createHydratedRouter(routes, data);
  expect(resolved.state.initialized).toBe(true);
  expect(lazy).toHaveBeenCalledTimes(1);
  resolved.dispose();
});

test("the router's private state, subscribe and createHref say what is shown and what is on its way", async () => {
  const router = createHydratedRouter(routesOf(), throughJson(await load(routesOf())));
  const watched = watchedRouter(router);
  expect(watched.state).toMatchObject({ location: { pathname: "/a" }, navigation: { state: "idle" }, errors: null });
  const seen: string[] = [];
  watched.subscribe(({ navigation, location }) => seen.push(`${navigation.state} ${location.pathname}`));
  await router.navigate("/a?again");
  expect(seen).toEqual(["loading /a", "idle /a"]);
  expect(watched.hrefOf(watched.state.location)).toBe("/a?again");
  router.dispose();
});

/** What vite.config.ts gives customers in place of the package's development build. */
async function productionFiles(): Promise<[specifier: string, file: string][]> {
  const config = typeof viteConfig === "function" ? await viteConfig({ command: "build", mode: "production" }) : {};
  const aliases = (config.resolve?.alias ?? []) as { find: RegExp; replacement: string }[];
  return ["react-router", "react-router/dom"].map((specifier) => [
    specifier,
    aliases.find(({ find }) => find.test(specifier))?.replacement ?? "none",
  ]);
}

test("the production build stands where vite.config.ts looks for it, and has all that the development build has", async () => {
  for (const [specifier, file] of await productionFiles()) {
    expect(file).toMatch(/react-router\/dist\/production\//);
    expect(existsSync(file), file).toBe(true);
    const production = await import(/* @vite-ignore */ file);
    const development = await import(/* @vite-ignore */ specifier);
    expect(Object.keys(production).sort()).toEqual(Object.keys(development).sort());
  }
});

test("the production build reads our hydration data as the development build does", async () => {
  const [[, file]] = (await productionFiles()) as [[string, string]];
  const production: typeof reactRouter = await import(/* @vite-ignore */ file);
  expect(production.createBrowserRouter).not.toBe(reactRouter.createBrowserRouter);
  const context = withPublicErrors(await load(routesOf({ loader: failingLoader })), publish);
  Object.assign(window, { [globalName]: throughJson(context) });
  const router = production.createBrowserRouter([{ id: "root", path: "*", element: "x" }]);
  const [error] = Object.values(router.state.errors ?? {});
  expect(error).toBeInstanceOf(production.UNSAFE_ErrorResponseImpl);
  expect(error).toMatchObject({ status: 503, data: { detail: "Come back later" } });
  router.dispose();
});

test("no other file of src uses React Router's internals", () => {
  const internals = /UNSAFE_|__staticRouterHydrationData|__type\b|\bcreate(Browser|Static)Router\b|\.createHref\(/;
  const users = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && internals.test(readFileSync(`src/${file}`, "utf8")))
    .sort();
  expect(users).toEqual([
    // Uses createBrowserRouter as documented: nothing is hydrated there.
    "office/screen/routes.tsx",
    "pages/router/router-internals.server.ts",
    "pages/router/router-internals.test.ts",
    "pages/router/router-internals.ts",
  ]);
});
