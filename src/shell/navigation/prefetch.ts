import { matchRoutes, type RouteObject } from "react-router";
import { worthPrefetching } from "./connection.ts";

/** How long the browser may put off a prefetch for want of an idle moment. */
const idleTimeoutMs = 2_000;

/** What a route offers to those who come early. */
export interface Prefetchable {
  bring(): Promise<unknown>;
}

/** Safari has no idle callback; there the longest wait is the wait. */
const whenIdle: (act: () => void) => void =
  typeof requestIdleCallback === "function"
    ? (act) => requestIdleCallback(act, { timeout: idleTimeoutMs })
    : (act) => setTimeout(act, idleTimeoutMs);

/** Brings the module and the texts of pages whose links are in view, once each, in idle moments. Data is not asked for. */
export function createPrefetch(routes: RouteObject[], mayEnter: () => boolean) {
  const asked = new Set<string>();
  const seen = new WeakSet<Element>();

  function prefetch({ origin, pathname }: HTMLAnchorElement): void {
    if (origin !== location.origin || asked.has(pathname) || !worthPrefetching()) return;
    const matches = matchRoutes(routes, pathname) ?? [];
    // A stranger would be sent from the account to the sign-in.
    if (matches.some(({ route }) => route.id?.endsWith(":guard")) && !mayEnter()) return;
    asked.add(pathname);
    for (const { route } of matches) {
      const handle: Partial<Prefetchable> | undefined = route.handle;
      // A prefetch that fails is no news: the navigation will ask again, and tell.
      handle?.bring?.().catch(() => asked.delete(pathname));
    }
  }

  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
      observer.unobserve(target);
      whenIdle(() => prefetch(target));
    }
  });

  /** Looks for links that were not there before. */
  return () =>
    whenIdle(() => {
      for (const link of document.querySelectorAll("a[href]:not([target])")) {
        if (seen.has(link)) continue;
        seen.add(link);
        observer.observe(link);
      }
    });
}
