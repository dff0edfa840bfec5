import { Hono } from "hono";
import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand } from "#brand/brand.server.ts";
import { staffFormats, textsOf } from "#brand/texts.server.ts";
import { formatsName, textModule } from "#i18n/catalogues.ts";
import { barePath, type Locale, localeOfPath, localePath, offeredLocales } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Assets, AssetsOf } from "#platform/assets.ts";
import { compressedFor } from "#platform/compress.server.ts";
import { DocumentHead } from "#ui/document-head.server.tsx";
import { invitationPath, officePath, pinPath, visitorMark } from "./paths.ts";
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

/**
 * The back office's page in each language, and for a browser without a session, which is shown the sign-in and loads no more.
 * It holds nothing personal: its script does the rest.
 */
export function officePages(
  assetsOf: AssetsOf,
  release: string | undefined,
  companyAccount: { required: boolean } | undefined,
) {
  const app = new Hono<RequestEnv>();
  const csp = policy();
  const shellsOf = (visitor: boolean) =>
    Object.fromEntries(
      offeredLocales().map((locale) => {
        const assets = assetsOf([...(visitor ? [] : [pagesModule]), ...textsModules(locale)]);
        return [locale, shell(locale, { assets, release, companyAccount, visitor })];
      }),
    ) as Record<Locale, string>;
  const shells = { visitor: shellsOf(true), staff: shellsOf(false) };
  const paths = ["", `/:locale{${offeredLocales().join("|")}}`].flatMap((prefix) =>
    [officePath, `${officePath}/*`].map((path) => prefix + path),
  );
  return app.on("GET", paths, async (c) => {
    c.set("route", "office");
    // One address each: that of the default language names none.
    const address = localePath(localeOfPath(c.req.path), barePath(c.req.path));
    if (address !== c.req.path) return c.redirect(address + new URL(c.req.url).search);
    const visitor = isVisitor(c.req.raw);
    const html = shells[visitor ? "visitor" : "staff"][localeOfPath(c.req.path)];
    return c.body(await compressedFor(c, html), 200, {
      "content-type": "text/html; charset=UTF-8",
      "content-security-policy": csp,
      // A document with the mark is for this one request.
      "cache-control": visitor ? "no-store" : "no-cache",
    });
  });
}

/** The session's cookie is not sent by who follows a link of another site, so its absence says nothing there. */
const isVisitor = (request: Request) =>
  !readOfficeToken(request) &&
  ["none", "same-origin"].includes(request.headers.get("sec-fetch-site") ?? "") &&
  // Mailed links need no session.
  ![invitationPath, pinPath].includes(barePath(new URL(request.url).pathname));

/** What is loaded for those who are signed in. */
const pagesModule = "src/office/screen/routes.tsx";

/** The texts that the screen is shown with. */
const textsModules = (locale: Locale) => [
  textModule(locale, "base"),
  textModule(locale, "account"),
  `messages/${locale}.json?office`,
];

function shell(
  locale: Locale,
  options: {
    assets: Assets;
    release: string | undefined;
    companyAccount: { required: boolean } | undefined;
    visitor: boolean;
  },
): string {
  const { assets, release, companyAccount, visitor } = options;
  const { t } = textsOf[locale];
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang={locale}>
      <DocumentHead {...{ locale, assets }} title={t("office.title")}>
        <meta name="release" content={release} />
        {visitor && <meta name={visitorMark} />}
        {companyAccount && (
          <meta name={companyAccountName} content={companyAccount.required ? "required" : "optional"} />
        )}
        <meta name={formatsName} content={JSON.stringify(staffFormats[locale])} />
        {/* An invitation's token stands in the address. */}
        <meta name="referrer" content="no-referrer" />
      </DocumentHead>
      <body className="office">
        <noscript>{t("office.noscript")}</noscript>
        {/* What its script shows first, too. */}
        <div id="office">
          <p className="office-opening">{t("office.loading")}</p>
        </div>
        <script type="module" src={assets.script} async fetchPriority="low" />
      </body>
    </html>,
  )}`;
}
