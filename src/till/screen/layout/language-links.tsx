import { localePath, locales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { tillPath } from "#till/paths.ts";

export function LanguageLinks() {
  const { t, locale } = useTexts();
  return (
    <nav className="till-languages" aria-label={t("till.language")}>
      {locales.map((code) => (
        <a
          key={code}
          href={localePath(code, tillPath)}
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
