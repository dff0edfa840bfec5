/** The name of each language in that language; without one, its code is shown. */
const names: Partial<Record<string, string>> = { fr: "Français", en: "English", de: "Deutsch" };

export function localeName(code: string): string {
  return names[code] ?? code.toUpperCase();
}
