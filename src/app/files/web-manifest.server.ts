import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, localePath, offeredLocales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";

/**
 * A home screen asks for these sizes. They are files of `public/`, drawn from its `favicon.svg`; a mask may cut away a
 * fifth of the maskable one, so its ring is drawn at 85 %.
 */
const icons = ["/apple-touch-icon.png", "/icon-192.png", "/icon-512.png", "/icon-maskable-512.png"];

function manifestOf(locale: Locale) {
  const { t } = textsOf[locale];
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
    background_color: "#ffffff",
    theme_color: "#ffffff",
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
    shortcuts: [{ name: t("manifest.till"), url: `${card}#till` }],
  };
}

/** What a phone needs to install the product on its home screen: a manifest for each language, and the icons. */
export function webManifestRoutes(clientDir: string | undefined): Hono<RequestEnv> {
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
  if (!clientDir) return app;
  const serve = serveStatic<RequestEnv>({ root: clientDir });
  for (const path of icons) {
    app.get(path, async (c, next) => {
      c.set("route", "icon");
      const response = await serve(c, next);
      response?.headers.set("cache-control", "public, max-age=86400");
      return response;
    });
  }
  return app;
}
