import { Hono } from "hono";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, localePath, offeredLocales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";

function manifestOf(locale: Locale) {
  const { t } = textsOf[locale];
  const { Paper: paper } = installedBrand().theme.Colours;
  const card = localePath(locale, pagePaths.memberPage);
  return {
    id: pagePaths.account,
    name: t("brand"),
    short_name: t("brand"),
    description: t("manifest.description"),
    lang: locale,
    start_url: card,
    scope: "/",
    display: "standalone",
    background_color: paper,
    theme_color: paper,
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
    shortcuts: [{ name: t("manifest.till"), url: `${card}#till` }],
  };
}

/** What a phone needs to install the product on its home screen: a manifest for each language. */
export function webManifestRoutes(): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const locale of offeredLocales()) {
    app.get(localePath(locale, "/manifest.webmanifest"), (c) => {
      c.set("route", "manifest");
      return c.body(JSON.stringify(manifestOf(locale)), 200, {
        "content-type": "application/manifest+json; charset=utf-8",
        "cache-control": "public, max-age=3600",
      });
    });
  }
  return app;
}
