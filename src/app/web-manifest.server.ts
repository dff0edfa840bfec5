import { Hono } from "hono";
import { type Locale, localePath, locales } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import { pagePaths } from "#identity/paths.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { markPng } from "#ui/mark.server.ts";

/** A home screen asks for these sizes; a mask may cut away a fifth, so that ring is drawn smaller. */
const icons: Record<string, () => Buffer> = {
  "/apple-touch-icon.png": () => markPng(180),
  "/icon-192.png": () => markPng(192),
  "/icon-512.png": () => markPng(512),
  "/icon-maskable-512.png": () => markPng(512, { scale: 0.85 }),
};

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

/** What a phone needs to keep the product on its home screen: a manifest for each language, and our mark. */
export function installing(): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const locale of locales) {
    app.get(localePath(locale, "/manifest.webmanifest"), (c) => {
      c.set("route", "manifest");
      return c.body(JSON.stringify(manifestOf(locale)), 200, {
        "content-type": "application/manifest+json; charset=utf-8",
        "cache-control": "public, max-age=3600",
      });
    });
  }
  const drawn = new Map<string, Buffer>();
  for (const [path, draw] of Object.entries(icons)) {
    app.get(path, (c) => {
      c.set("route", "icon");
      const png = drawn.get(path) ?? draw();
      drawn.set(path, png);
      return c.body(new Uint8Array(png), 200, {
        "content-type": "image/png",
        "cache-control": "public, max-age=86400",
      });
    });
  }
  return app;
}
