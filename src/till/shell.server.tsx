import { Hono } from "hono";
import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand } from "#brand/brand.server.ts";
import { staffFormats, textsOf } from "#brand/texts.server.ts";
import { formatsName, textModule } from "#i18n/catalogues.ts";
import { type Locale, localeOfPath, localePath, offeredLocales } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Assets, AssetsOf } from "#platform/assets.ts";
import { compressedFor } from "#platform/compress.server.ts";
import { DocumentHead } from "#ui/document-head.server.tsx";
import { tillPath } from "./paths.ts";

/** The camera and the barcode reader's WebAssembly are allowed here and on no other page. */
const policy = () =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' ${installedBrand().sheetSource}`,
    "img-src 'self' data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
const permissions = "camera=(self), microphone=(), geolocation=(), payment=(), usb=(), screen-wake-lock=(self)";

/** The till's page in each language. It holds nothing personal and is the same for everybody: its script does the rest. */
export function tillPages(assetsOf: AssetsOf, release: string | undefined) {
  const app = new Hono<RequestEnv>();
  const csp = policy();
  const shells = Object.fromEntries(
    offeredLocales().map((locale) => [locale, shell(locale, assetsOf(tillTexts(locale)), release)]),
  ) as Record<Locale, string>;
  return app.on("GET", [tillPath, `/:locale{${offeredLocales().join("|")}}${tillPath}`], async (c) => {
    c.set("route", "till");
    return c.body(await compressedFor(c, shells[localeOfPath(c.req.path)]), 200, {
      "content-type": "text/html; charset=UTF-8",
      "content-security-policy": csp,
      "permissions-policy": permissions,
      "cache-control": "no-cache",
    });
  });
}

/** The modules of the texts that the screen is shown with. */
export const tillTexts = (locale: Locale) => [
  textModule(locale, "base"),
  textModule(locale, "account"),
  `messages/${locale}.json?till`,
];

function shell(locale: Locale, assets: Assets, release: string | undefined): string {
  const { t } = textsOf[locale];
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang={locale}>
      <DocumentHead {...{ locale, assets }} title={t("till.title")} edgeToEdge>
        <meta name="release" content={release} />
        <meta name={formatsName} content={JSON.stringify(staffFormats[locale])} />
        <link rel="manifest" href={localePath(locale, "/manifest.webmanifest")} />
      </DocumentHead>
      <body className="till">
        <noscript>{t("till.noscript")}</noscript>
        {/* What its script shows first, too. */}
        <div id="till">
          <p className="till-loading">{t("till.loading")}</p>
        </div>
        <script type="module" src={assets.script} async fetchPriority="low" />
      </body>
    </html>,
  )}`;
}
