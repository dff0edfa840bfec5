import type { Locale } from "#i18n/locale.ts";

/** The club's name in the forms that a language's sentences need. */
export type ClubNames = Partial<Record<Locale, { Plain: string } & Record<string, string>>>;

/** What every text may name: `{brand}`, `{club}`, and the other forms of the club's name, such as `{clubOf}`. */
export function brandWords(
  {
    Name,
    Wordmark = Name.toUpperCase(),
    ClubName,
  }: { Name: string; Wordmark?: string | undefined; ClubName: ClubNames },
  locale: Locale,
) {
  const { Plain = Name, ...forms }: Record<string, string> = ClubName[locale] ?? {};
  const named = Object.entries(forms).map(([form, words]) => [`club${form}`, words]);
  return { brand: Name, wordmark: Wordmark, club: Plain, ...Object.fromEntries(named) } as Record<string, string>;
}
