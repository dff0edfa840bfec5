import { Link, useLocation } from "react-router";
import { barePath, defaultLocale, localeName, localePath, offeredLocales } from "#i18n/locale.ts";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { clubPath } from "#loyalty/paths.ts";
import { useSite } from "#shell/site.tsx";
import { useShop } from "#ui/web-shop.ts";

export function Footer() {
  const { t, locale } = useTexts();
  const shop = useShop();
  const { profiles } = useSite();
  const path = useLocalePath();
  const here = barePath(useLocation().pathname);
  return (
    <footer className="mt-auto border-line border-t print:hidden">
      <div className="wrap footer-columns">
        <div>
          <span aria-hidden="true" className="font-display text-2xl leading-none tracking-wordmark">
            {t("wordmark")}
          </span>
          <p className="mt-4 text-soft sm:max-w-[15rem]">{t("shell.clubText")}</p>
        </div>
        <Column title={t("shell.club")}>
          <li>
            <Link to={path(clubPath)}>{t("shell.toProgramme")}</Link>
          </li>
          <li>
            <a href={shop("Terms")}>{t("shell.programme")}</a>
          </li>
        </Column>
        <Column title={t("shell.help")}>
          <li>
            <Link to={path(pagePaths.help)}>{t("shell.questions")}</Link>
          </li>
        </Column>
        <Column title={t("shell.rights")}>
          <li>
            <a href={shop("Privacy")}>{t("shell.privacy")}</a>
          </li>
          <li>
            <a href={shop("Imprint")}>{t("shell.legal")}</a>
          </li>
          {shop("Accessibility") && (
            <li>
              <a href={shop("Accessibility")}>{t("shell.accessibility")}</a>
            </li>
          )}
        </Column>
        <Column title={t("shell.languages")}>
          {offeredLocales().map((code) => (
            <li key={code}>
              {/* Another language is another document. The default one has its prefix here: it overrules the language that was kept. */}
              <a
                href={code === defaultLocale() ? `/${code}${here === "/" ? "" : here}` : localePath(code, here)}
                lang={code}
                hrefLang={code}
                aria-current={code === locale ? "true" : undefined}
              >
                {localeName(code)}
              </a>
            </li>
          ))}
        </Column>
        {profiles.length > 0 && (
          <Column title={t("shell.profiles")}>
            {profiles.map(({ Name, Address }) => (
              <li key={Name}>
                <a href={Address} rel="noopener">
                  {Name}
                </a>
              </li>
            ))}
          </Column>
        )}
      </div>
    </footer>
  );
}

function Column({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <p className="font-medium">{title}</p>
      <ul className="mt-2 text-soft">{children}</ul>
    </div>
  );
}
