import { matchRoutes, type RouteObject } from "react-router";
import { worthPrefetching } from "./connection.ts";

/** How long the browser may delay a prefetch until it is idle. */
const idleTimeoutMs = 2_000;

/** A route that can be loaded before it is navigated to. */
export interface Prefetchable {
  load(): Promise<unknown>;
}

/** Safari has no requestIdleCallback; there the timeout is the delay. */
const whenIdle: (act: () => void) => void =
  typeof requestIdleCallback === "function"
    ? (act) => requestIdleCallback(act, { timeout: idleTimeoutMs })
    : (act) => setTimeout(act, idleTimeoutMs);

/** Prefetches the module and the texts of pages whose links are in view, once each, when the browser is idle. No data. */
export function createPrefetch(routes: RouteObject[], isSignedIn: () => boolean) {
  const requested = new Set<string>();
  const observed = new WeakSet<Element>();

  function prefetch({ origin, pathname }: HTMLAnchorElement): void {
    if (origin !== location.origin || requested.has(pathname) || !worthPrefetching()) return;
    const matches = matchRoutes(routes, pathname) ?? [];
    // Without a session, a guarded page would redirect to the sign-in.
    if (matches.some(({ route }) => route.id?.endsWith(":guard")) && !isSignedIn()) return;
    requested.add(pathname);
    for (const { route } of matches) {
      const handle: Partial<Prefetchable> | undefined = route.handle;
      // A failed prefetch is ignored: the navigation loads the page again, and shows the error.
      handle?.load?.().catch(() => requested.delete(pathname));
    }
  }

  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
      observer.unobserve(target);
      whenIdle(() => prefetch(target));
    }
  });

  /** Observes the links that are new on the page. */
  return () =>
    whenIdle(() => {
      for (const link of document.querySelectorAll("a[href]:not([target])")) {
        if (observed.has(link)) continue;
        observed.add(link);
        observer.observe(link);
      }
    });
}
