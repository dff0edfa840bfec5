import "#ui/style.css";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider } from "react-router/dom";
import { type Locale, localeOfPath } from "#i18n/locale.ts";
import { createTexts } from "#i18n/texts.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { SiteProvider } from "#shell/site.tsx";
import { DocumentContext, hydrationId, routes } from "./root.tsx";

const catalogues: Record<Locale, () => Promise<{ default: object }>> = {
  fr: () => import("../messages/fr.json"),
  en: () => import("../messages/en.json"),
  de: () => import("../messages/de.json"),
};

/** Takes over the page the server rendered: same tree, same data, same words. */
async function hydrate() {
  const script = document.getElementById(hydrationId) as HTMLScriptElement;
  const json = script.textContent ?? "";
  const { router: state, site } = JSON.parse(json);
  const locale = localeOfPath(location.pathname);
  const matches = matchRoutes(routes, location) ?? [];
  const [catalogue] = await Promise.all([catalogues[locale](), ...matches.map(({ route }) => loadLazy(route))]);
  Object.assign(window, { __staticRouterHydrationData: state });
  const router = createBrowserRouter(routes);
  const texts = createTexts(locale, catalogue.default as Record<string, unknown>);
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <DocumentContext value={{ json, nonce: script.nonce }}>
          <SiteProvider value={site}>
            <TextsProvider texts={texts}>
              <RouterProvider router={router} />
            </TextsProvider>
          </SiteProvider>
        </DocumentContext>
      </StrictMode>,
    );
  });
}

/** A matched page must be there before React looks at its markup. */
async function loadLazy(route: (typeof routes)[number]) {
  if (typeof route.lazy !== "function") return;
  const module = await route.lazy();
  Object.assign(route, module, { lazy: undefined });
}

void hydrate();
