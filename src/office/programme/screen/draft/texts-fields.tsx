import type { Locale } from "#i18n/locale.ts";
import { offeredLocales } from "#i18n/locale.ts";
import { Field } from "#ui/form/field.tsx";

/** One text in three languages, side by side. */
export function TextsFields({
  label,
  texts,
  maxLength,
  errorOf,
  onChange,
}: {
  label: string;
  texts: Record<Locale, string>;
  maxLength: number;
  errorOf: (locale: Locale) => string | undefined;
  onChange: (texts: Record<Locale, string>) => void;
}) {
  return (
    <div className="programme-texts">
      {offeredLocales().map((locale) => (
        <Field
          key={locale}
          name={`${label} ${locale}`}
          label={`${label}, ${locale.toUpperCase()}`}
          lang={locale}
          spellCheck
          autoCapitalize="sentences"
          autoComplete="off"
          maxLength={maxLength}
          value={texts[locale]}
          error={errorOf(locale)}
          onChange={({ target }) => onChange({ ...texts, [locale]: target.value })}
        />
      ))}
    </div>
  );
}
