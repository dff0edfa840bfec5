import { Hono } from "hono";
import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand } from "#brand/brand.server.ts";
import { staffFormats, textsOf } from "#brand/texts.server.ts";
import { formatsName } from "#i18n/catalogues.ts";
import { barePath, type Locale, localeOfPath, localePath, offeredLocales } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Assets } from "#platform/assets.ts";
import { compressedFor } from "#platform/compress.server.ts";
import { DocumentHead } from "#ui/document-head.server.tsx";
import { officePath, visitorMark } from "./paths.ts";
import { companyAccountName } from "./sign-in/company-account/paths.ts";
import { readOfficeToken } from "./sign-in/cookies.server.ts";

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

/** The back office's page in each language. It holds nothing personal, only whether nobody is signed in: its script does the rest. */
export function officePages(
  assets: Assets,
  release: string | undefined,
  companyAccount: { required: boolean } | undefined,
) {
  const app = new Hono<RequestEnv>();
  const csp = policy();
  const shells = Object.fromEntries(
    offeredLocales().map((locale) => [locale, shell(locale, { assets, release, companyAccount })]),
  ) as Record<Locale, string>;
  const paths = ["", `/:locale{${offeredLocales().join("|")}}`].flatMap((prefix) =>
    [officePath, `${officePath}/*`].map((path) => prefix + path),
  );
  return app.on("GET", paths, async (c) => {
    c.set("route", "office");
    // One address each: that of the default language names none.
    const address = localePath(localeOfPath(c.req.path), barePath(c.req.path));
    if (address !== c.req.path) return c.redirect(address + new URL(c.req.url).search);
    const visitor = isVisitor(c.req.raw);
    const html = shells[localeOfPath(c.req.path)].replace("</head>", visitor ? `${mark}</head>` : "</head>");
    return c.body(await compressedFor(c, html), 200, {
      "content-type": "text/html; charset=UTF-8",
      "content-security-policy": csp,
      // A document with the mark is for this one request.
      "cache-control": visitor ? "no-store" : "no-cache",
    });
  });
}

const mark = `<meta name="${visitorMark}"/>`;

/** The session's cookie is not sent by who follows a link of another site, so its absence says nothing there. */
const isVisitor = (request: Request) =>
  !readOfficeToken(request) && ["none", "same-origin"].includes(request.headers.get("sec-fetch-site") ?? "");

function shell(
  locale: Locale,
  options: { assets: Assets; release: string | undefined; companyAccount: { required: boolean } | undefined },
): string {
  const { assets, release, companyAccount } = options;
  const { t } = textsOf[locale];
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang={locale}>
      <DocumentHead {...{ locale, assets }} title={t("office.title")}>
        <meta name="release" content={release} />
        {companyAccount && (
          <meta name={companyAccountName} content={companyAccount.required ? "required" : "optional"} />
        )}
        <meta name={formatsName} content={JSON.stringify(staffFormats[locale])} />
        {/* An invitation's token stands in the address. */}
        <meta name="referrer" content="no-referrer" />
      </DocumentHead>
      <body className="office">
        <noscript>{t("office.noscript")}</noscript>
        <div id="office" />
        <script type="module" src={assets.script} async />
      </body>
    </html>,
  )}`;
}
