import { matchRoutes, type RouteObject } from "react-router";
import { whenIdle } from "#ui/browser/when-idle.ts";
import { worthPrefetching } from "./connection.ts";

/** A route that can be loaded before it is navigated to. */
export interface Prefetchable {
  load(): Promise<unknown>;
}

/**
 * Prefetches the module and the texts of pages whose links are in view, once each, when the browser is idle, one page
 * after the other: many at once would hold up a press. No data.
 */
export function createPrefetch(routes: RouteObject[], isSignedIn: () => boolean) {
  const requested = new Set<string>();
  const observed = new WeakSet<Element>();

  async function prefetch({ origin, pathname }: HTMLAnchorElement): Promise<void> {
    if (origin !== location.origin || requested.has(pathname) || !worthPrefetching()) return;
    const matches = matchRoutes(routes, pathname) ?? [];
    // Without a session, a guarded page would redirect to the sign-in.
    if (matches.some(({ route }) => route.id?.endsWith(":guard")) && !isSignedIn()) return;
    requested.add(pathname);
    const handles: (Partial<Prefetchable> | undefined)[] = matches.map(({ route }) => route.handle);
    // A failed prefetch is ignored: the navigation loads the page again, and shows the error.
    await Promise.all(handles.map((handle) => handle?.load?.())).catch(() => requested.delete(pathname));
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
