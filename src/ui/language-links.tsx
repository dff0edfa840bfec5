import { localePath, offeredLocales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";

/** The same page in the other languages; another language is another document. */
export function LanguageLinks({ label, path }: { label: string; path: string }) {
  const { locale } = useTexts();
  return (
    <nav className="tabs languages" aria-label={label}>
      {offeredLocales().map((code) => (
        <a
          key={code}
          href={localePath(code, path)}
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
