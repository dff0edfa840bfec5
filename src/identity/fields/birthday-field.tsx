import type { Locale } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Field } from "#ui/field.tsx";

/** All three languages write day, month, year; German puts dots between them. */
const separatorOf = (locale: Locale) => (locale === "de" ? "." : "/");

/** What people type (24/12/1990, 24.12.1990, 24121990) as an ISO date; anything else is left for the server to refuse. */
export function isoDay(typed: string): string {
  const text = typed.trim();
  const parts = /^\d{8}$/.test(text) ? split(text) : text.split(/[\s./-]+/);
  const [first = "", second = "", year = ""] = parts;
  if (parts.length !== 3 || !/^\d\d?-\d\d?-\d{4}$/.test(parts.join("-"))) return text;
  // Month first, as Americans write it, is accepted where day first makes no date.
  const [day, month] = Number(second) > 12 && Number(first) <= 12 ? [second, first] : [first, second];
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

const split = (digits: string) => [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)];

/** An ISO date as the language writes it: the field's initial value. */
export function typedDay(iso: string, locale: Locale): string {
  return iso.split("-").reverse().join(separatorOf(locale));
}

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
  const parts = split(digits).filter(Boolean);
  const next = parts.join(separator);
  // Nothing is added after the last digit, so that a deletion stays a deletion.
  if (next.length > input.value.length) input.value = next;
}
