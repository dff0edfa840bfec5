import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand, shopPagesIn } from "#brand/brand.server.ts";
import { pageFormats, textsOf } from "#brand/texts.server.ts";
import { formatsName } from "#i18n/catalogues.ts";
import { type Locale, localePath, tags } from "#i18n/locale.ts";
import type { Assets } from "#platform/assets.ts";
import type { Site } from "#shell/site.tsx";

/** What pages know of the installation, in whichever language. */
export type InstalledSite = Omit<Site, "styles" | "shop"> & { shopUrl: string };

/** What is the same in every response with a page's language and files: made once, not rendered with each of them. */
export interface PageSite {
  site: Site;
  /** The site as JSON for the browser, which may stand inside a script element. */
  json: string;
  /** The end of the document's head. Browsers do not change it when they go to another page. */
  head: string;
  /** The script that loads the page's scripts. */
  load: string;
}

export function pageSite(locale: Locale, { shopUrl, ...installed }: InstalledSite, assets: Assets): PageSite {
  const site = { ...installed, shop: shopPagesIn(locale, shopUrl), styles: assets.styles };
  return { site, json: scriptJson(site), head: headOf(locale, site, assets), load: loadAfterPaint(assets) };
}

/** The same for all requests of a language with the same files, which `assetsOf` lists once for each page. */
export function createPageSites(installed: InstalledSite): (locale: Locale, assets: Assets) => PageSite {
  const sites = new Map<Locale, WeakMap<Assets, PageSite>>();
  return (locale, assets) => {
    const ofLocale = sites.get(locale) ?? new WeakMap<Assets, PageSite>();
    sites.set(locale, ofLocale);
    const site = ofLocale.get(assets) ?? pageSite(locale, installed, assets);
    ofLocale.set(assets, site);
    return site;
  };
}

/** JSON that ends no script element and breaks no line of one. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function headOf(locale: Locale, { publicUrl, release }: Site, { fonts, wideFonts = [] }: Assets): string {
  const { t } = textsOf[locale];
  const { sheet, theme } = installedBrand();
  const elements = renderToStaticMarkup(
    <>
      {/* The first that fits counts. */}
      <meta name="theme-color" content={theme.dark["paper"]} media="(prefers-color-scheme: dark)" />
      <meta name="theme-color" content={theme.Colours.Paper} />
      {/* What a shared link shows; its address is the page's own. */}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={t("brand")} />
      <meta property="og:locale" content={tags[locale].replace("-", "_")} />
      <meta property="og:image" content={`${publicUrl}/social-card.jpg`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={t("brand")} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="release" content={release} />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href={localePath(locale, "/manifest.webmanifest")} />
      {fonts.map((href) => (
        <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
      ))}
      {wideFonts.map((href) => (
        <link
          key={href}
          rel="preload"
          as="font"
          type="font/woff2"
          href={href}
          crossOrigin="anonymous"
          media="(min-width: 64rem)"
        />
      ))}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the brand's theme, checked when it was read. */}
      <style dangerouslySetInnerHTML={{ __html: sheet }} />
    </>,
  );
  // In single quotes, because React writes each of JSON's double quotes as six characters.
  const formats = JSON.stringify(pageFormats[locale]).replaceAll("&", "&amp;").replaceAll("'", "&#39;");
  return `${elements}<meta name="${formatsName}" content='${formats}'/>`;
}

/**
 * The page can be read, and its forms work, before any script: texts, fonts and the first picture have the connection to
 * themselves until the browser has painted. A tab in the background paints nothing: its scripts come after the rest.
 */
function loadAfterPaint({ script, preload }: Assets): string {
  const add = "const add=(tag,of)=>document.head.append(Object.assign(document.createElement(tag),of));";
  const links = `for(const href of ${JSON.stringify(preload)})add("link",{rel:"modulepreload",href});`;
  const entry = `add("script",{type:"module",src:${JSON.stringify(script)}})`;
  const load = `let load=()=>{load=()=>{};${add}${links}${entry}};`;
  const idle = "const soon=()=>self.requestIdleCallback?requestIdleCallback(()=>load(),{timeout:200}):load();";
  const painted = `${idle}new PerformanceObserver(soon).observe({type:"paint",buffered:true});`;
  return `{${load}${painted}addEventListener("load",()=>setTimeout(()=>load(),1000))}`;
}
