import { Hono } from "hono";
import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { formatsName } from "#i18n/catalogues.ts";
import { type Locale, localeOfPath, localePath, offeredLocales } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Assets } from "#platform/assets.ts";
import { tillPath } from "./paths.ts";

/** The camera and the barcode reader's WebAssembly are allowed here and on no other page. */
const policy = () =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' ${installedBrand().sheetSource}`,
    "img-src 'self' data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
const permissions = "camera=(self), microphone=(), geolocation=(), payment=(), usb=(), screen-wake-lock=(self)";

/** The till's page in each language. It holds nothing personal and is the same for everybody: its script does the rest. */
export function tillPages(assets: Assets, release: string | undefined) {
  const app = new Hono<RequestEnv>();
  const csp = policy();
  const shells = Object.fromEntries(
    offeredLocales().map((locale) => [locale, shell(locale, assets, release)]),
  ) as Record<Locale, string>;
  return app.on("GET", [tillPath, `/:locale{${offeredLocales().join("|")}}${tillPath}`], (c) => {
    c.set("route", "till");
    return c.html(shells[localeOfPath(c.req.path)], 200, {
      "content-security-policy": csp,
      "permissions-policy": permissions,
      "cache-control": "no-cache",
    });
  });
}

function shell(locale: Locale, assets: Assets, release: string | undefined): string {
  const { t, formats } = textsOf[locale];
  const { sheet, theme } = installedBrand();
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <meta name="release" content={release} />
        <meta name={formatsName} content={JSON.stringify(formats)} />
        <meta name="theme-color" content={theme.Colours.Paper} />
        <title>{`${t("till.title")} · ${t("brand")}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the brand's theme, checked when it was read. */}
        <style dangerouslySetInnerHTML={{ __html: sheet }} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href={localePath(locale, "/manifest.webmanifest")} />
        {assets.fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
        ))}
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {assets.preload.map((href) => (
          <link key={href} rel="modulepreload" href={href} />
        ))}
      </head>
      <body className="till">
        <noscript>{t("till.noscript")}</noscript>
        <div id="till" />
        <script type="module" src={assets.script} async />
      </body>
    </html>,
  )}`;
}
