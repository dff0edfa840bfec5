import { setUi } from "#identity/session/ui-store.ts";
import { isRefused } from "#platform/api/form.ts";
import { sessionStore } from "#shell/session/session-store.ts";
import { documentIsStale } from "./chunk-failure.ts";
import { endLoading, startLoading } from "./loading-phase.ts";
import type { WatchedRouter } from "./watched-router.ts";

/** Tells the store and the bar when a page or a form is on its way, and how it ended. */
export function watchNavigation(router: WatchedRouter): void {
  router.subscribe(({ navigation, errors, actionData }) => {
    const loading = navigation.state !== "idle";
    // After a lost file, or when the session is another, a link is followed by the browser itself.
    const stale = documentIsStale() || sessionStore.get() !== undefined;
    if (navigation.state === "loading" && !navigation.formMethod && stale && navigator.onLine)
      location.assign(router.hrefOf(navigation.location));
    setUi({ loading });
    if (loading) startLoading();
    else endLoading(errors !== null || Object.values(actionData ?? {}).some(unanswered));
  });
}

/** A form that reached nobody: no answer, so no problem to read. */
function unanswered(result: unknown): boolean {
  return isRefused(result) && result.problem === undefined;
}
