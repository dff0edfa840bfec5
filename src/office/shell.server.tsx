import { Hono } from "hono";
import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { formatsName } from "#i18n/catalogues.ts";
import { type Locale, localeOfPath, offeredLocales } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Assets } from "#platform/assets.ts";
import { officePath } from "./paths.ts";

const policy = () =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${installedBrand().sheetSource}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // Previews of pages and emails.
    "frame-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The back office's page in each language. It holds nothing personal and is the same for everybody: its script does the rest. */
export function officePages(assets: Assets, release: string | undefined) {
  const app = new Hono<RequestEnv>();
  const csp = policy();
  const shells = Object.fromEntries(
    offeredLocales().map((locale) => [locale, shell(locale, assets, release)]),
  ) as Record<Locale, string>;
  const paths = ["", `/:locale{${offeredLocales().join("|")}}`].flatMap((prefix) =>
    [officePath, `${officePath}/*`].map((path) => prefix + path),
  );
  return app.on("GET", paths, (c) => {
    c.set("route", "office");
    return c.html(shells[localeOfPath(c.req.path)], 200, {
      "content-security-policy": csp,
      "cache-control": "no-cache",
    });
  });
}

function shell(locale: Locale, assets: Assets, release: string | undefined): string {
  const { t, formats } = textsOf[locale];
  const { sheet } = installedBrand();
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="release" content={release} />
        <meta name={formatsName} content={JSON.stringify(formats)} />
        {/* An invitation's token stands in the address. */}
        <meta name="referrer" content="no-referrer" />
        <title>{`${t("office.title")} · ${t("brand")}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the brand's theme, checked when it was read. */}
        <style dangerouslySetInnerHTML={{ __html: sheet }} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
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
      <body className="office">
        <noscript>{t("office.noscript")}</noscript>
        <div id="office" />
        <script type="module" src={assets.script} async />
      </body>
    </html>,
  )}`;
}
