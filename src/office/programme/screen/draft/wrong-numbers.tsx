import { locales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Rules } from "#loyalty/programme/rules.ts";
import { findWrongNumbers } from "#loyalty/programme/stated-numbers/stated-numbers.ts";

/** Texts of the draft that state numbers which its rules do not have: a warning, which keeps nothing from being published. */
export function WrongNumbers({ rules }: { rules: Rules }) {
  const { t } = useTexts();
  const found = findWrongNumbers(rules);
  if (found.length === 0) return null;
  return (
    <div className="banner" role="status">
      <p>{t("office.programme.wrongNumbers", { count: found.length })}</p>
      <ul>
        {found.map(({ field, text, number }) => (
          <li key={`${field} ${number}`}>
            {t("office.programme.wrongNumber", { text, number, language: languageOf(field).toUpperCase() })}
          </li>
        ))}
      </ul>
    </div>
  );
}

function languageOf(field: string): string {
  return locales.find((locale) => field.split(".").includes(locale)) ?? "";
}
