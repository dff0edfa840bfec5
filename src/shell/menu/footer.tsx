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
  const link = "inline-flex min-h-11 items-center hover:text-ink";
  return (
    <footer className="mt-auto border-line border-t print:hidden">
      <div className="wrap grid grid-cols-2 gap-x-6 gap-y-5 pt-8 pb-12 text-md sm:gap-y-9 sm:pt-12 lg:grid-cols-12">
        <div className={`col-span-2 ${profiles.length > 0 ? "" : "lg:col-span-4"}`}>
          <span aria-hidden="true" className="font-display text-2xl leading-none tracking-wordmark">
            {t("wordmark")}
          </span>
          <p className="mt-4 text-soft sm:max-w-[15rem]">{t("shell.clubText")}</p>
        </div>
        <Column title={t("shell.club")}>
          <li>
            <Link className={link} to={path(clubPath)}>
              {t("shell.toProgramme")}
            </Link>
          </li>
          <li>
            <a className={link} href={shop("Terms")}>
              {t("shell.programme")}
            </a>
          </li>
        </Column>
        <Column title={t("shell.help")}>
          <li>
            <Link className={link} to={path(pagePaths.help)}>
              {t("shell.questions")}
            </Link>
          </li>
        </Column>
        <Column title={t("shell.rights")}>
          <li>
            <a className={link} href={shop("Privacy")}>
              {t("shell.privacy")}
            </a>
          </li>
          <li>
            <a className={link} href={shop("Imprint")}>
              {t("shell.legal")}
            </a>
          </li>
          {shop("Accessibility") && (
            <li>
              <a className={link} href={shop("Accessibility")}>
                {t("shell.accessibility")}
              </a>
            </li>
          )}
        </Column>
        <Column title={t("shell.languages")}>
          {offeredLocales().map((code) => (
            <li key={code}>
              {/* Another language is another document. The default one has its prefix here: it overrules the language that was kept. */}
              <a
                className={`${link} ${code === locale ? "text-ink" : ""}`}
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
                <a className={link} href={Address} rel="noopener">
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
    <div className="lg:col-span-2">
      <p className="font-medium">{title}</p>
      <ul className="mt-2 text-soft">{children}</ul>
    </div>
  );
}
