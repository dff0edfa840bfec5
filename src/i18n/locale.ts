/** The languages the product has texts in. */
export const locales = ["fr", "en", "de"] as const;
export type Locale = (typeof locales)[number];

/** The languages of this installation, the default first, which has no prefix in its paths. */
export let offeredLocales = (): readonly Locale[] => locales;
export const defaultLocale = (): Locale => offeredLocales()[0] ?? locales[0];

/** Says which languages there are: the brand's on the server, the document's in a browser. */
export function provideLocales(read: () => readonly Locale[]): void {
  offeredLocales = read;
}

/** The full tags for dates, numbers and money. English is British: day before month. (The wire accepts `en-US` too.) */
export const tags: Record<Locale, string> = { fr: "fr-FR", en: "en-GB", de: "de-DE" };

/** The name of each language in that language; without one, its code is shown. */
const names: Partial<Record<string, string>> = { fr: "Français", en: "English", de: "Deutsch" };

export function localeName(code: string): string {
  return names[code] ?? code.toUpperCase();
}

/** Set by `#chooseLocale` of the pages, which reads it, and by the language dialog; the API reads it where no header says more. */
export const localeCookie = "i18n_redirected";
export const localeCookieDays = 365;

export function isLocale(code: string): code is Locale {
  return (offeredLocales() as readonly string[]).includes(code);
}

/** The first path segment is the language; any other first segment, or none, means the default one. */
export function localeOfPath(path: string): Locale {
  const first = path.split("/")[1] ?? "";
  return isLocale(first) ? first : defaultLocale();
}

/** Whether a path begins with a language. It may carry a query. */
export function namesLocale(path: string): boolean {
  return isLocale(path.split(/[/?]/)[1] ?? "");
}

/**
 * The path without its language: `/en/account` and `/account` are the same page. It begins with one slash:
 * `//evil.example`, which `/en//evil.example` would leave, is the address of another site.
 */
export function barePath(path: string): string {
  const [, first = ""] = path.split("/");
  const bare = isLocale(first) ? path.slice(first.length + 1) : path;
  return `/${bare.replace(/^[/\\]+/, "")}`;
}

/** The address of a page in a language, or in the default one where the language is not offered. `path` may carry a query. */
export function localePath(locale: Locale, path: string): string {
  if (locale === defaultLocale() || !isLocale(locale)) return path;
  return path === "/" ? `/${locale}` : `/${locale}${path.startsWith("/?") ? path.slice(1) : path}`;
}

/** The language for a code such as `fr-FR`, `de_AT` or `EN`, if we have it. */
export function localeOfCode(code: string | undefined): Locale | undefined {
  const language = code?.trim().toLowerCase().split(/[-_]/)[0] ?? "";
  return isLocale(language) ? language : undefined;
}

/** The best of our languages for an Accept-Language header. */
export function localeOfHeader(header: string | null | undefined): Locale | undefined {
  const preferences = (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((preference) => {
      const [code, ...parameters] = preference.split(";");
      const q = parameters.find((parameter) => parameter.trim().startsWith("q="))?.split("=")[1];
      return { locale: localeOfCode(code), weight: q === undefined ? 1 : Number(q) };
    })
    .filter(({ locale, weight }) => locale && weight > 0);
  return preferences.sort((a, b) => b.weight - a.weight)[0]?.locale;
}
