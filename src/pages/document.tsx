import { createContext, type ReactNode, useContext, useEffect } from "react";
import {
  Outlet,
  type RouteObject,
  ScrollRestoration,
  useLocation,
  useNavigationType,
  useRouteLoaderData,
} from "react-router";
import { formatsName } from "#i18n/catalogues.ts";
import { barePath, localePath, offeredLocales, tags } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Assets } from "#platform/assets.ts";
import { Frame } from "#shell/frame.tsx";
import { loadCurrentCustomer, refetchAfterAction } from "#shell/session/current-customer.ts";
import { useDeleteOthersCards } from "#shell/session/others-cards.ts";
import { useBroadcastSession } from "#shell/session/session-broadcast.ts";
import { useSite } from "#shell/site.tsx";
import { lazyPart } from "#ui/lazy.tsx";

/** The hydration data that the server wrote into the page. */
export interface DocumentData {
  json: string;
  nonce: string;
}

export const hydrationId = "hydration";
export const DocumentContext = createContext<DocumentData>({ json: "", nonce: "" });

/** What a shared link shows. Crawlers run no script, so the browser's build goes without. */
function SocialCard({ url, image }: { url: string; image: string }) {
  const { locale, t } = useTexts();
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={t("brand")} />
      <meta property="og:locale" content={tags[locale].replace("-", "_")} />
      <meta property="og:url" content={url} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={t("brand")} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** What the whole document has in common, whichever page the browser goes to: its build goes without. */
function HeadLinks() {
  const { assets, release } = useSite();
  const { locale, formats } = useTexts();
  return (
    <>
      <meta name="release" content={release} />
      <meta name={formatsName} content={JSON.stringify(formats)} />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href={localePath(locale, "/manifest.webmanifest")} />
      {assets.fonts.map((href) => (
        <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
      ))}
      {assets.wideFonts?.map((href) => (
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
    </>
  );
}

/** The brand's look; the server's renderer provides it, and the browser's build goes without. */
export const ThemeContext = createContext({ sheet: "", paper: "" });

function Theme() {
  const { sheet, paper } = useContext(ThemeContext);
  return (
    <>
      <meta name="theme-color" content={paper} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the brand's theme, checked when it was read. */}
      <style dangerouslySetInnerHTML={{ __html: sheet }} />
    </>
  );
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

/** What is wrong can be read, and its links work, before its code is there. */
const RouteErrorScreen = lazyPart(async () => (await import("#shell/error-screen.tsx")).RouteErrorScreen, {
  texts: ["later"],
});

/** The document, from <html> down: React renders and hydrates the whole of it. */
function Document({ children }: { children: ReactNode }) {
  const data = useContext(DocumentContext);
  const { publicUrl, assets } = useSite();
  const { locale, t } = useTexts();
  const path = barePath(useLocation().pathname);
  useScrollToTop(path);
  const visitor = useRouteLoaderData<typeof loadCurrentCustomer>("root");
  useBroadcastSession(visitor);
  useDeleteOthersCards(visitor);
  return (
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {import.meta.env.SSR && <Theme />}
        {import.meta.env.SSR && (
          <SocialCard url={publicUrl + localePath(locale, path)} image={`${publicUrl}/social-card.jpg`} />
        )}
        {import.meta.env.SSR && <HeadLinks />}
        {assets.styles.map((href) => (
          // With a precedence React puts it before everything else the head loads; without, after.
          <link key={href} rel="stylesheet" href={href} precedence="page" />
        ))}
        <link rel="canonical" href={publicUrl + localePath(locale, path)} />
        {offeredLocales().map((code) => (
          <link key={code} rel="alternate" hrefLang={code} href={publicUrl + localePath(code, path)} />
        ))}
        <link rel="alternate" hrefLang="x-default" href={publicUrl + path} />
      </head>
      <body>
        <a className="skip" href="#content">
          {t("shell.skip")}
        </a>
        <Frame>{children}</Frame>
        <ScrollRestoration nonce={data.nonce} />
        <script
          id={hydrationId}
          type="application/json"
          nonce={data.nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own JSON, escaped by the server.
          dangerouslySetInnerHTML={{ __html: data.json }}
        />
        <script
          nonce={data.nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own code and file names.
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? loadAfterPaint(assets) : "" }}
        />
      </body>
    </html>
  );
}

/** A form's page keeps its scroll position when it is shown again; another page begins at its top. */
function useScrollToTop(path: string): void {
  const navigationType = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the page changes, not when what it reads does.
  useEffect(() => {
    if (navigationType !== "POP" && location.hash === "") scrollTo(0, 0);
  }, [path]);
}

/** The page routes below the root route, which renders the document; on the server and in the browser. */
export const withRootRoute = (pages: RouteObject[]): RouteObject[] => [
  {
    id: "root",
    loader: loadCurrentCustomer,
    shouldRevalidate: refetchAfterAction,
    element: (
      <Document>
        <Outlet />
      </Document>
    ),
    errorElement: (
      <Document>
        <RouteErrorScreen />
      </Document>
    ),
    children: pages,
  },
];
