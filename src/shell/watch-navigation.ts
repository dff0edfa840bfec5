import type { createBrowserRouter } from "react-router";
import { isRefused } from "#platform/form.ts";
import { setUi } from "#ui/ui-store.ts";
import { documentIsStale } from "./chunk-failure.ts";
import { endLoading, startLoading } from "./loading-phase.ts";

export type Router = ReturnType<typeof createBrowserRouter>;

/** Tells the store and the bar when a page or a form is on its way, and how it ended. */
export function watchNavigation(router: Router): void {
  router.subscribe(({ navigation, errors, actionData }) => {
    const loading = navigation.state !== "idle";
    // A link followed after a lost file is followed by the browser itself.
    if (navigation.state === "loading" && !navigation.formMethod && documentIsStale() && navigator.onLine)
      location.assign(router.createHref(navigation.location));
    setUi({ loading });
    if (loading) startLoading();
    else endLoading(errors !== null || Object.values(actionData ?? {}).some(unanswered));
  });
}

/** A form that reached nobody: no answer, so no problem to read. */
function unanswered(result: unknown): boolean {
  return isRefused(result) && result.problem === undefined;
}
