import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand } from "#brand/brand.server.ts";
import { pageFormats, textsOf } from "#brand/texts.server.ts";
import { formatsName } from "#i18n/catalogues.ts";
import type { Locale } from "#i18n/locale.ts";
import type { Assets } from "#platform/assets.ts";
import { offlineRoot } from "./offline-screen.tsx";

/**
 * The page shown without a network, rendered once at the start and cached by the service worker. It may be shown under
 * any address, and holds nothing personal: the browser's script adds the cached card.
 */
export function offlineShell(locale: Locale, assets: Assets): string {
  const { t } = textsOf[locale];
  const { sheet, theme } = installedBrand();
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <meta name={formatsName} content={JSON.stringify(pageFormats[locale])} />
        <meta name="theme-color" content={theme.dark["paper"]} media="(prefers-color-scheme: dark)" />
        <meta name="theme-color" content={theme.Colours.Paper} />
        <title>{`${t("offline.title")} · ${t("brand")}`}</title>
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
      <body>
        <header className="flex min-h-[3.75rem] items-center border-line border-b px-5 lg:min-h-[4.75rem] lg:px-[2.6rem]">
          <span className="font-display text-3xl leading-none tracking-wordmark lg:text-4xl">{t("wordmark")}</span>
        </header>
        <main id={offlineRoot} className="wrap grow pt-8 pb-16 lg:pt-14" />
        <script type="module" src={assets.script} async />
      </body>
    </html>,
  )}`;
}
