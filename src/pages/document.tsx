import { createContext, type ReactNode, useContext, useEffect } from "react";
import {
  Outlet,
  type RouteObject,
  ScrollRestoration,
  useLocation,
  useNavigationType,
  useRouteLoaderData,
} from "react-router";
import { barePath, localePath, offeredLocales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Frame } from "#shell/frame.tsx";
import { loadCurrentCustomer, refetchAfterAction } from "#shell/session/current-customer.ts";
import { useDeleteOthersCards } from "#shell/session/others-cards.ts";
import { useBroadcastSession } from "#shell/session/session-broadcast.ts";
import { useSite } from "#shell/site.tsx";
import { lazyPart } from "#ui/lazy.tsx";

/** The hydration data that the server wrote into the page, and the script that loads the page's scripts. */
export interface DocumentData {
  json: string;
  nonce: string;
  load: string;
}

export const hydrationId = "hydration";
export const DocumentContext = createContext<DocumentData>({ json: "", nonce: "", load: "" });

/** What is wrong can be read, and its links work, before its code is there. */
const RouteErrorScreen = lazyPart(async () => (await import("#shell/error-screen.tsx")).RouteErrorScreen, {
  texts: ["later"],
});

/** The document, from <html> down: React renders and hydrates the whole of it. */
function Document({ children }: { children: ReactNode }) {
  const data = useContext(DocumentContext);
  const { publicUrl, styles } = useSite();
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
        {/* For crawlers, which run no script. What all pages have in common the server appends: page-site.server.tsx. */}
        {import.meta.env.SSR && <meta property="og:url" content={publicUrl + localePath(locale, path)} />}
        {styles.map((href) => (
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
          dangerouslySetInnerHTML={{ __html: data.load }}
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
