import { localePath, locales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { clubPath } from "#loyalty/paths.ts";
import { posterPath } from "#shop/paths.ts";

/** The pages that mean something to a stranger. */
const openPages = ["/", clubPath, posterPath, pagePaths.login, pagePaths.register];
/** What belongs to one person, or answers machines. */
const closed = [
  "/api/",
  pagePaths.account,
  "/*/account",
  "/password/",
  "/*/password/",
  pagePaths.reset,
  "/*/reset",
  pagePaths.reinitialiser,
];

/** A demonstration on somebody's machine is nobody's search result. */
export function robotsText(publicUrl: string, sandbox: boolean): string {
  const rules = sandbox ? ["Disallow: /"] : closed.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...rules, "", `Sitemap: ${publicUrl}/sitemap.xml`, ""].join("\n");
}

/** Every open page in every language, each naming its sisters. */
export function sitemap(publicUrl: string): string {
  const address = (code: (typeof locales)[number], path: string) => publicUrl + localePath(code, path);
  const entries = openPages.flatMap((path) => {
    const sisters = [...locales.map((code) => [code, address(code, path)]), ["x-default", publicUrl + path]].map(
      ([code, href]) => `<xhtml:link rel="alternate" hreflang="${code}" href="${href}"/>`,
    );
    return locales.map((code) => `<url><loc>${address(code, path)}</loc>${sisters.join("")}</url>`);
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join("\n")}
</urlset>
`;
}
