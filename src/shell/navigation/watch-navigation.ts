import { setUi } from "#identity/session/browser/ui-store.ts";
import { isRefused } from "#platform/api/client/form.ts";
import { sessionStore } from "#shell/session/session-store.ts";
import { documentIsStale } from "./chunk-failure.ts";
import { endLoading, startLoading } from "./loading-phase.ts";
import type { WatchedRouter } from "./watched-router.ts";

/** Updates the UI store and the loading bar when a page or a form starts loading and when it ends. */
export function watchNavigation(router: WatchedRouter): void {
  router.subscribe(({ navigation, errors, actionData }) => {
    const loading = navigation.state !== "idle";
    // After a missing chunk, or when the session has changed, a link loads a new document.
    const stale = documentIsStale() || sessionStore.get() !== undefined;
    if (navigation.state === "loading" && !navigation.formMethod && stale && navigator.onLine)
      location.assign(router.hrefOf(navigation.location));
    setUi({ loading });
    if (loading) startLoading();
    else endLoading(errors !== null || Object.values(actionData ?? {}).some(hasNoResponse));
  });
}

/** A form that got no response, so there is no problem document. */
function hasNoResponse(result: unknown): boolean {
  return isRefused(result) && result.problem === undefined;
}
