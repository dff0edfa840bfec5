import "#ui/style.css";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider } from "react-router/dom";
import { openTexts } from "#i18n/catalogues.ts";
import { localeOfPath } from "#i18n/locale.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { SocialSettingsProvider } from "#identity/social-context.tsx";
import { SiteProvider } from "#shell/site.tsx";
import { DocumentContext, hydrationId, routes } from "./root.tsx";

/** Takes over the page the server rendered: same tree, same data, same words. */
async function hydrate() {
  const script = document.getElementById(hydrationId) as HTMLScriptElement;
  const json = script.textContent ?? "";
  const { router: state, site } = JSON.parse(json);
  const matches = matchRoutes(routes, location) ?? [];
  const texts = await openTexts(localeOfPath(location.pathname));
  await Promise.all(matches.map(({ route }) => loadLazy(route)));
  Object.assign(window, { __staticRouterHydrationData: state });
  const router = createBrowserRouter(routes);
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

/** A matched page must be there before React looks at its markup. */
async function loadLazy(route: (typeof routes)[number]) {
  if (typeof route.lazy !== "function") return;
  const module = await route.lazy();
  Object.assign(route, module, { lazy: undefined });
}

void hydrate();
