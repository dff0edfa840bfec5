import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { defaultLocale, type Locale, localeCookie, localeOfCode, localeOfHeader, localePath } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";

/** The elements of another origin, under a policy with a nonce. */
interface Embed {
  origin: string;
  nonce: string;
  /** Of the customer who is signed in here. */
  token: string | undefined;
}

const sandboxStyles = "/sandbox/sandbox.css";

/** Stricter than the Content-Security-Policy of the product's pages: styles and scripts from files only, forms where a page has some. */
const policyOf = ({ forms = false, script, embed }: { forms?: boolean; script?: string; embed?: Embed }) =>
  [
    "default-src 'none'",
    ...(embed ? [`script-src 'nonce-${embed.nonce}'`, `connect-src ${embed.origin}`] : []),
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    `style-src 'self'${embed ? ` 'nonce-${embed.nonce}'` : ""}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The language of a page whose address names none: the cookie's, else the browser's, else French. */
export function visitorLocale(c: Context<RequestEnv>): Locale {
  c.header("vary", "accept-language, cookie");
  return localeOfCode(getCookie(c, localeCookie)) ?? localeOfHeader(c.req.header("accept-language")) ?? defaultLocale();
}

/** A page of the sandbox, as static HTML. */
export function renderPage(
  c: Context<RequestEnv>,
  page: {
    locale: Locale;
    title: string;
    styles: readonly string[];
    children: ReactNode;
    /** A popup has no links to other pages. */
    popup?: boolean;
    /** May send forms to us. */
    forms?: boolean;
    /** The URL of a script file. */
    script?: string;
    embed?: Embed;
  },
) {
  const { locale, embed } = page;
  const { t } = textsOf[locale];
  c.set("locale", locale);
  c.header("content-security-policy", policyOf(page));
  c.header("cache-control", "no-store");
  c.header("content-language", locale);
  const html = renderToStaticMarkup(
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="theme-color" content={installedBrand().theme.Colours.Paper} />
        <title>{`${page.title} · ${installedBrand().Name}`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {[...page.styles, sandboxStyles].map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {embed && (
          <>
            <link
              rel="stylesheet"
              href={`${embed.origin}/embed/cercle.css`}
              nonce={embed.nonce}
              crossOrigin="anonymous"
            />
            <script src={`${embed.origin}/embed/cercle.js`} nonce={embed.nonce} data-token={embed.token} defer />
          </>
        )}
      </head>
      <body className="sandbox light-scheme">
        <header className="bar">
          {page.popup ? (
            <span className="brand">{t("wordmark")}</span>
          ) : (
            <>
              <a className="brand" href={localePath(locale, "/")}>
                {t("wordmark")}
              </a>
              <a className="link" href={localePath(locale, "/account")}>
                {t("sandbox.frame.account")}
              </a>
            </>
          )}
        </header>
        {page.children}
        {page.script && <script src={page.script} defer />}
      </body>
    </html>,
  );
  return c.html(`<!DOCTYPE html>${html}`);
}

/** A script file of the sandbox, concatenated from its parts. */
export function scriptResponse(c: Context<RequestEnv>, parts: string[]) {
  c.header("content-type", "text/javascript; charset=utf-8");
  c.header("cache-control", "no-cache");
  return c.body(parts.join("\n"));
}
