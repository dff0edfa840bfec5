import { legalAddress } from "#brand/brand.server.ts";
import { legalPages } from "#brand/shop-pages.ts";
import { defaultLocale, type Locale, localePath, offeredLocales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { clubPath } from "#loyalty/paths.ts";
import { legalPath } from "#platform/legal/paths.ts";
import { posterPath } from "#shop/paths.ts";

/** The pages that anybody may see. */
const publicPages = () => [
  pagePaths.home,
  clubPath,
  pagePaths.help,
  posterPath,
  pagePaths.login,
  pagePaths.register,
  ...ownLegalPages(),
];
/** The legal pages of the brand's folder. */
const ownLegalPages = () =>
  legalPages.flatMap(({ link, name }) => (legalAddress(link, defaultLocale()) ? [`${legalPath}/${name}`] : []));
/** Pages of one customer, and what is not for people. */
const disallowed = [
  "/api/",
  pagePaths.account,
  `/*${pagePaths.account}`,
  "/password/",
  "/*/password/",
  pagePaths.reset,
  `/*${pagePaths.reset}`,
  pagePaths.reinitialiser,
];

/** A demonstration, with its sandbox, must not be found by search engines at all. */
export function robotsText(publicUrl: string, sandbox: boolean): string {
  const rules = sandbox ? ["Disallow: /"] : disallowed.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...rules, "", `Sitemap: ${publicUrl}/sitemap.xml`, ""].join("\n");
}

/** Every open page in every language, each with its alternates in the other languages. */
export function sitemap(publicUrl: string): string {
  const address = (code: Locale, path: string) => publicUrl + localePath(code, path);
  const entries = publicPages().flatMap((path) => {
    const alternates = [
      ...offeredLocales().map((code) => [code, address(code, path)]),
      ["x-default", publicUrl + path],
    ].map(([code, href]) => `<xhtml:link rel="alternate" hreflang="${code}" href="${href}"/>`);
    return offeredLocales().map((code) => `<url><loc>${address(code, path)}</loc>${alternates.join("")}</url>`);
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join("\n")}
</urlset>
`;
}
