import "#ui/style.css";
import "#shell/frame.css";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider } from "react-router/dom";
import { loadTexts, openTexts } from "#i18n/catalogues.ts";
import { localeOfPath } from "#i18n/locale.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { detectShopDevice, shopDevice } from "#identity/session/shop-device.ts";
import { watchWidth } from "#identity/session/ui-store.ts";
import { SocialSettingsProvider } from "#identity/social/social-context.tsx";
import { barStore } from "#shell/frame.tsx";
import { orReload, reloadTowards } from "#shell/navigation/chunk-failure.ts";
import { watchConnection, worthPrefetching } from "#shell/navigation/connection.ts";
import { type Router, watchNavigation } from "#shell/navigation/watch-navigation.ts";
import { SiteProvider } from "#shell/site.tsx";
import { DocumentContext, hydrationId, routesAround } from "./document.tsx";
import { elsewhere, pagesUnder, prefixes } from "./routes.ts";

const locale = localeOfPath(location.pathname);
/** Only the pages of this document's language: a router looks through all it is given, at every link. */
const routes = routesAround(
  prefixes.map((prefix) => (localeOfPath(`/${prefix}`) === locale ? pagesUnder(prefix) : elsewhere(prefix))),
);

/** Takes over the page the server rendered: same tree, same data, same words. */
async function hydrate() {
  // React sets this script in the head, and a cached one may run before the page's end, where its data stand, is read.
  if (document.readyState === "loading")
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  const script = document.getElementById(hydrationId) as HTMLScriptElement;
  const json = script.textContent ?? "";
  const { router: state, site } = JSON.parse(json);
  const matches = matchRoutes(routes, location) ?? [];
  const texts = await orReload(() => openTexts(locale));
  await Promise.all(matches.map(({ route }) => loadLazy(route)));
  await yieldToMain();
  Object.assign(window, { __staticRouterHydrationData: state });
  const router = createBrowserRouter(routes);
  watch(router);
  await yieldToMain();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <DocumentContext value={{ json, nonce: script.nonce }}>
          <SiteProvider value={site}>
            <SocialSettingsProvider value={site.social}>
              <TextsProvider texts={texts}>
                <RouterProvider router={router} />
              </TextsProvider>
            </SocialSettingsProvider>
          </SiteProvider>
        </DocumentContext>
      </StrictMode>,
    );
  });
}

/** Lets the browser see to whoever touches the page meanwhile: on a phone each step takes a while. */
const yieldToMain = () => new Promise((resolve) => setTimeout(resolve));

/** What stays awake as long as the document does. */
function watch(router: Router) {
  watchWidth();
  detectShopDevice();
  if (shopDevice.get()) void openShopBar();
  watchNavigation(router);
  watchConnection(router);
  reloadTowards(
    () => new URL(router.createHref(router.state.navigation.location ?? router.state.location), location.href).href,
  );
  void prefetch(router);
}

/** The shop's own device shows a bar on every page; no other is sent its code and words. */
async function openShopBar() {
  const [{ ShopBar }] = await orReload(() => Promise.all([import("#shell/session/shop-bar.tsx"), loadTexts("public")]));
  barStore.set(<ShopBar />);
}

/** Who saves data is not even sent the code that would spend it. */
async function prefetch(router: Router) {
  if (!worthPrefetching()) return;
  const { createPrefetch } = await import("#shell/navigation/prefetch.ts");
  const lookForLinks = createPrefetch(routes, () => Boolean(router.state.loaderData["root"]?.customer));
  lookForLinks();
  router.subscribe(({ navigation }) => navigation.state === "idle" && lookForLinks());
}

/** A matched page must be there before React looks at its markup. */
async function loadLazy(route: (typeof routes)[number]) {
  if (typeof route.lazy !== "function") return;
  const module = await route.lazy();
  Object.assign(route, module, { lazy: undefined });
}

void hydrate();
