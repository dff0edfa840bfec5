import type { ReactNode } from "react";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { Assets } from "#platform/assets.ts";

interface Props {
  locale: Locale;
  title: string;
  assets: Pick<Assets, "styles"> & Partial<Assets>;
  /** Uses the whole screen of a phone with rounded corners; its style sheet keeps controls out of them. */
  edgeToEdge?: boolean;
  /** What this document says beyond that. */
  children?: ReactNode;
}

/** The head of the documents beside the customers' pages, which no search engine lists: till, back office, sign-in for other applications. */
export function DocumentHead({ locale, title, assets, edgeToEdge = false, children }: Props) {
  const { styles, fonts = [], preload = [] } = assets;
  const { sheet, theme } = installedBrand();
  return (
    <head>
      <meta charSet="utf-8" />
      <meta
        name="viewport"
        content={`width=device-width, initial-scale=1${edgeToEdge ? ", viewport-fit=cover" : ""}`}
      />
      <meta name="robots" content="noindex" />
      <meta name="theme-color" content={theme.dark["paper"]} media="(prefers-color-scheme: dark)" />
      <meta name="theme-color" content={theme.Colours.Paper} />
      {children}
      <title>{`${title} · ${textsOf[locale].t("brand")}`}</title>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the brand's theme, checked when it was read. */}
      <style dangerouslySetInnerHTML={{ __html: sheet }} />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      {fonts.map((href) => (
        <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
      ))}
      {styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {preload.map((href) => (
        // What the document shows by itself comes first.
        <link key={href} rel="modulepreload" href={href} fetchPriority="low" />
      ))}
    </head>
  );
}
