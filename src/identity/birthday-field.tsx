import { type Locale, tags } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Field } from "#ui/field.tsx";

type Part = "day" | "month" | "year";

/** In which order a language writes day, month and year. */
function orderOf(locale: Locale): Part[] {
  return new Intl.DateTimeFormat(tags[locale])
    .formatToParts(new Date(0))
    .map((part) => part.type)
    .filter((type): type is Part => type === "day" || type === "month" || type === "year");
}

/** What people type (24/12/1990, 24.12.1990, 24121990) as the wire's date; anything else stays for the server to refuse. */
export function isoDay(typed: string, locale: Locale): string {
  const text = typed.trim();
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const order = orderOf(locale);
  const parts = /^\d{8}$/.test(text) ? split(text, order) : text.split(/[\s./-]+/).filter((part) => /^\d+$/.test(part));
  if (parts.length !== 3) return text;
  const value = (part: Part) => parts[order.indexOf(part)] ?? "";
  if (value("year").length !== 4) return text;
  return `${value("year")}-${value("month").padStart(2, "0")}-${value("day").padStart(2, "0")}`;
}

const lengthOf: Record<Part, number> = { day: 2, month: 2, year: 4 };

function split(digits: string, order: Part[]): string[] {
  const starts = order.map((_, index) => order.slice(0, index).reduce((sum, part) => sum + lengthOf[part], 0));
  return order.map((part, index) => digits.slice(starts[index], (starts[index] ?? 0) + lengthOf[part]));
}

/** The wire's date as the language writes it, for a field to start with. */
export function typedDay(iso: string, locale: Locale): string {
  const [year = "", month = "", day = ""] = iso.split("-");
  const parts = { year, month, day };
  return orderOf(locale)
    .map((part) => parts[part])
    .join(locale === "de" ? "." : "/");
}

/** One field with the number keyboard: quicker on a phone than a calendar that opens in this year. */
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
      onInput={(event) => separate(event.currentTarget, locale)}
    />
  );
}

/** Puts the separators in while the digits are typed at the end; corrections in the middle are left alone. */
function separate(input: HTMLInputElement, locale: Locale): void {
  const separator = locale === "de" ? "." : "/";
  const digits = input.value.replaceAll(separator, "");
  if (!/^\d{1,8}$/.test(digits) || input.selectionStart !== input.value.length) return;
  const parts = split(digits, orderOf(locale)).filter(Boolean);
  const next = parts.join(separator);
  // Nothing is added after the last digit, so that a deletion stays a deletion.
  if (next.length > input.value.length) input.value = next;
}
