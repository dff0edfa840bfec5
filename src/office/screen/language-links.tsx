import { barePath, localePath, locales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";

/** The same page in the other languages; another language is another document. */
export function LanguageLinks() {
  const { t, locale } = useTexts();
  const here = barePath(location.pathname) + location.search;
  return (
    <nav className="languages" aria-label={t("office.language")}>
      {locales.map((code) => (
        <a
          key={code}
          href={localePath(code, here)}
          lang={code}
          hrefLang={code}
          aria-current={code === locale ? "page" : undefined}
        >
          {code.toUpperCase()}
        </a>
      ))}
    </nav>
  );
}
