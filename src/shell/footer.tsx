import { Link, useLocation } from "react-router";
import { barePath, defaultLocale, localePath, locales } from "#i18n/locale.ts";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { clubPath } from "#loyalty/paths.ts";
import { localeName } from "./locale-name.ts";
import { useShop } from "./site.tsx";

export function Footer() {
  const { t } = useTexts();
  const shop = useShop();
  const path = barePath(useLocation().pathname);
  const to = useLocalePath();
  const pages = [
    [t("shell.club"), to(clubPath)],
    [t("shell.help"), to(pagePaths.help)],
  ] as const;
  const links = [
    [t("shell.privacy"), shop("content/privacy-policy")],
    [t("shell.programme"), shop("programme-fidelite")],
    [t("shell.legal"), shop("content/legal-notice")],
  ] as const;
  return (
    <footer className="mt-auto border-line border-t print:hidden">
      <div className="wrap flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-7">
        <span aria-hidden="true" className="font-display text-[1.15rem] leading-none tracking-[0.28em]">
          CERCLE
        </span>
        <ul className="flex flex-wrap gap-x-8 text-[0.875rem] text-soft">
          {pages.map(([label, page]) => (
            <li key={page}>
              <Link className="inline-flex min-h-11 items-center hover:text-ink" to={page}>
                {label}
              </Link>
            </li>
          ))}
          {links.map(([label, href]) => (
            <li key={href}>
              <a className="inline-flex min-h-11 items-center hover:text-ink" href={href}>
                {label}
              </a>
            </li>
          ))}
        </ul>
        {/* The language dialog needs script; these links do not. */}
        <noscript>
          {import.meta.env.SSR && (
            <ul className="flex gap-6 text-[0.875rem] text-soft">
              {locales.map((code) => (
                <li key={code}>
                  <a
                    className="inline-flex min-h-11 items-center"
                    href={code === defaultLocale ? `/${code}${path === "/" ? "" : path}` : localePath(code, path)}
                    lang={code}
                  >
                    {localeName(code)}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </noscript>
      </div>
    </footer>
  );
}
