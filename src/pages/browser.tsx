import "./styles.ts";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { matchRoutes } from "react-router";
import { RouterProvider } from "react-router/dom";
import { loadTexts, openTexts, provideFormats } from "#i18n/catalogues.ts";
import { localeOfPath } from "#i18n/locale.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { watchWidth } from "#identity/session/browser/ui-store.ts";
import { detectShopDevice, shopDevice } from "#identity/session/device/shop-device.ts";
import { SocialSettingsProvider } from "#identity/social/screen/social-context.tsx";
import { createHydratedRouter, resolveLazyRoute, watchedRouter } from "#pages/router/router-internals.ts";
import { setWarningPrefix } from "#platform/api/client/client.ts";
import { reportCaughtError, reportErrors } from "#platform/client-errors/report-errors.ts";
import { shopBarStore } from "#shell/frame.tsx";
import { loadOrReload, setReloadTarget } from "#shell/navigation/chunk-failure.ts";
import { watchConnection, worthPrefetching } from "#shell/navigation/connection.ts";
import { watchNavigation } from "#shell/navigation/watch-navigation.ts";
import type { WatchedRouter } from "#shell/navigation/watched-router.ts";
import { SiteProvider } from "#shell/site.tsx";
import { DocumentContext, hydrationId, withRootRoute } from "./document.tsx";
import { pageRoutes, prefixes, redirectToDocument } from "./routes.ts";
import { warningPrefix } from "./warning-prefix.ts";

provideFormats();
const locale = localeOfPath(location.pathname);
/** Only the pages of this document's language: the router searches all its routes at every link. */
const routes = withRootRoute(
  prefixes().map((prefix) => (localeOfPath(`/${prefix}`) === locale ? pageRoutes(prefix) : redirectToDocument(prefix))),
);

/** Hydrates the page that the server rendered: same tree, same data, same texts. */
async function hydrate() {
  setWarningPrefix(warningPrefix);
  // React puts this script into the head, and a cached one may run before the end of the page, where its data is, is parsed.
  if (document.readyState === "loading")
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  const script = document.getElementById(hydrationId) as HTMLScriptElement;
  const json = script.textContent ?? "";
  const { router: state, site } = JSON.parse(json);
  const matches = matchRoutes(routes, location) ?? [];
  const texts = await loadOrReload(() => openTexts(locale));
  // The components of a matched page must be loaded before React hydrates its markup.
  await Promise.all(matches.map(({ route }) => resolveLazyRoute(route)));
  await yieldToMain();
  const router = createHydratedRouter(routes, state);
  watch(watchedRouter(router));
  await yieldToMain();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <DocumentContext value={{ json, nonce: script.nonce, load: "" }}>
          <SiteProvider value={site}>
            <SocialSettingsProvider value={site.social}>
              <TextsProvider texts={texts}>
                <RouterProvider router={router} />
              </TextsProvider>
            </SocialSettingsProvider>
          </SiteProvider>
        </DocumentContext>
      </StrictMode>,
      { onCaughtError: reportCaughtError },
    );
  });
}

/** Lets the browser handle input in between: on a phone each step takes a while. */
const yieldToMain = () => new Promise((resolve) => setTimeout(resolve));

/** What runs as long as the document is open. */
function watch(router: WatchedRouter) {
  watchWidth();
  detectShopDevice();
  if (shopDevice.get()) void openShopBar();
  if (!("name" in HTMLDetailsElement.prototype)) void closeOthersOfGroup();
  watchNavigation(router);
  watchConnection(router);
  setReloadTarget(
    () => new URL(router.hrefOf(router.state.navigation.location ?? router.state.location), location.href).href,
  );
  void prefetch(router);
}

/** The shop's own device shows a bar on every page; no other device loads its code and texts. */
async function openShopBar() {
  const [{ ShopBar }] = await loadOrReload(() =>
    Promise.all([import("#shell/session/shop-bar.tsx"), loadTexts("public")]),
  );
  shopBarStore.set(<ShopBar />);
}

/** Only where the browser does not do it by itself. */
async function closeOthersOfGroup() {
  (await import("#ui/browser/exclusive-details.ts")).closeOthersOfGroup();
}

/** Where prefetching is off, its code is not loaded either. */
async function prefetch(router: WatchedRouter) {
  if (!worthPrefetching()) return;
  const { createPrefetch } = await import("#shell/navigation/prefetch.ts");
  const observeNewLinks = createPrefetch(routes, () => Boolean(router.state.loaderData["root"]?.customer));
  observeNewLinks();
  router.subscribe(({ navigation }) => navigation.state === "idle" && observeNewLinks());
}

reportErrors();
void hydrate();
