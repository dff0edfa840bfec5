import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { defaultLocale, type Locale, localeCookie, localeOfCode, localeOfHeader, localePath } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";

const sandboxStyles = "/sandbox/sandbox.css";

/** Stricter than the product's own pages: styles from files only; scripts, from files too, and forms where needed. */
const policyOf = ({ window: isWindow = false, script }: { window?: boolean; script?: string }) =>
  [
    "default-src 'none'",
    ...(script ? ["script-src 'self'"] : []),
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    `form-action ${isWindow ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The language of a page whose address names none: the cookie's, the browser's, French. */
export function visitorLocale(c: Context<RequestEnv>): Locale {
  c.header("vary", "accept-language, cookie");
  return localeOfCode(getCookie(c, localeCookie)) ?? localeOfHeader(c.req.header("accept-language")) ?? defaultLocale;
}

/** One page of the sandbox, as plain HTML. */
export function answerPage(
  c: Context<RequestEnv>,
  page: {
    locale: Locale;
    title: string;
    styles: readonly string[];
    children: ReactNode;
    /** A small window of its own, which leads nowhere else and may send its forms. */
    window?: boolean;
    /** The address of a script file. */
    script?: string;
  },
) {
  const { locale } = page;
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
        <meta name="theme-color" content="#ffffff" />
        <title>{`${page.title} · Cercle`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {[...page.styles, sandboxStyles].map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body className="sandbox">
        <header className="bar">
          {page.window ? (
            <span className="brand">CERCLE</span>
          ) : (
            <>
              <a className="brand" href={localePath(locale, "/")}>
                CERCLE
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

/** A script file of the sandbox, put together from its parts. */
export function answerScript(c: Context<RequestEnv>, parts: string[]) {
  c.header("content-type", "text/javascript; charset=utf-8");
  c.header("cache-control", "no-cache");
  return c.body(parts.join("\n"));
}
