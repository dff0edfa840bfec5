import { createBrowserRouter, type RouteObject } from "react-router";
import type { WatchedRouter } from "#shell/navigation/watched-router.ts";

/*
 * The browser's half of what the product relies on in React Router although its documentation promises none of it; the
 * server's half is `router-internals.server.ts`. No other file uses React Router's internals. `router-internals.test.ts`
 * checks each against the installed package: an upgrade that changes one fails there.
 */

type Router = ReturnType<typeof createBrowserRouter>;

/** What the server wrote into the page, as it came out of JSON. */
export interface HydrationData {
  loaderData: Record<string, unknown>;
  actionData: Record<string, unknown> | null;
  errors: Record<string, unknown> | null;
}

/**
 * The browser's router, started with what the server loaded. React Router reads it from a global of its own, and only
 * there does it turn serialised errors back into error responses.
 */
export function createHydratedRouter(routes: RouteObject[], hydrationData: HydrationData): Router {
  const globals = window as { __staticRouterHydrationData?: HydrationData };
  globals.__staticRouterHydrationData = hydrationData;
  const router = createBrowserRouter(routes);
  delete globals.__staticRouterHydrationData;
  return router;
}

/**
 * Loads a lazy route's module now and puts it into the route, as if it had never been lazy. The router alone would load it
 * only after hydration began, and React would find markup for which it has no component.
 */
export async function resolveLazyRoute(route: RouteObject): Promise<void> {
  if (typeof route.lazy !== "function") return;
  Object.assign(route, await route.lazy(), { lazy: undefined });
}

/** The router as the frame watches it. React Router marks these members private. */
export const watchedRouter = (router: Router): WatchedRouter => ({
  get state() {
    return router.state;
  },
  subscribe: (listener) => router.subscribe(listener),
  hrefOf: (location) => router.createHref(location),
});
