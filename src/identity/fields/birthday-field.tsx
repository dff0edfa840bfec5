import type { Locale } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Field } from "#ui/form/field.tsx";
import { separatorOf, splitDay, typedDay } from "./iso-day.ts";

/** One field with the numeric keyboard: quicker on a phone than a date picker that opens in this year. */
export function BirthdayField({
  name = "Birthday",
  initial,
  optional = false,
}: {
  name?: string;
  initial?: string | null;
  optional?: boolean;
}) {
  const { t, locale } = useTexts();
  return (
    <Field
      name={name}
      optional={optional}
      label={t("identity.birthday")}
      hint={t("identity.birthdayHint", { example: typedDay("1990-04-24", locale) })}
      placeholder={t("identity.birthdayFormat")}
      inputMode="numeric"
      autoComplete="bday"
      pattern="[\d\s.\/\-]{6,10}"
      code="date"
      initial={initial ? typedDay(initial, locale) : ""}
      onInput={(event) => insertSeparators(event.currentTarget, locale)}
    />
  );
}

/** Inserts the separators while digits are typed at the end; corrections in the middle are left alone. */
function insertSeparators(input: HTMLInputElement, locale: Locale): void {
  const separator = separatorOf(locale);
  const digits = input.value.replaceAll(separator, "");
  if (!/^\d{1,8}$/.test(digits) || input.selectionStart !== input.value.length) return;
  const parts = splitDay(digits).filter(Boolean);
  const next = parts.join(separator);
  // Nothing is added after the last digit, so that a deletion stays a deletion.
  if (next.length > input.value.length) input.value = next;
}
