import { provideUnits } from "./club-day.ts";
import { defaultLocale, type Locale, localeOfCode, provideLocales } from "./locale.ts";
import type { TextPart } from "./text-parts.ts";
import { type Catalogue, createTexts, type Formats, type Texts } from "./texts.ts";

type Load = Record<string, () => Promise<Catalogue>>;

/** Vite reads the options of each glob as they are written, so they cannot be made of the table (text-parts.ts). */
const catalogues = {
  base: import.meta.glob<Catalogue>("/messages/*.json", { query: "?base", import: "default" }),
  public: import.meta.glob<Catalogue>("/messages/*.json", { query: "?public", import: "default" }),
  help: import.meta.glob<Catalogue>("/messages/*.json", { query: "?help", import: "default" }),
  identity: import.meta.glob<Catalogue>("/messages/*.json", { query: "?identity", import: "default" }),
  entrance: import.meta.glob<Catalogue>("/messages/*.json", { query: "?entrance", import: "default" }),
  password: import.meta.glob<Catalogue>("/messages/*.json", { query: "?password", import: "default" }),
  account: import.meta.glob<Catalogue>("/messages/*.json", { query: "?account", import: "default" }),
  informations: import.meta.glob<Catalogue>("/messages/*.json", { query: "?informations", import: "default" }),
  tiles: import.meta.glob<Catalogue>("/messages/*.json", { query: "?tiles", import: "default" }),
  member: import.meta.glob<Catalogue>("/messages/*.json", { query: "?member", import: "default" }),
  club: import.meta.glob<Catalogue>("/messages/*.json", { query: "?club", import: "default" }),
  links: import.meta.glob<Catalogue>("/messages/*.json", { query: "?links", import: "default" }),
  later: import.meta.glob<Catalogue>("/messages/*.json", { query: "?later", import: "default" }),
} satisfies Record<TextPart | "base", Load>;

/** The module of a part, as the build's manifest names it. */
export function textModule(locale: Locale, part: TextPart | "base"): string {
  return `messages/${locale}.json?${part}`;
}

/** Where a document carries the formats of its language and installation: the name of its <meta>. */
export const formatsName = "formats";

let texts: Texts | undefined;
/** Parts that came before the language was opened. */
const early: Catalogue[] = [];

async function load(locale: Locale, part: TextPart | "base"): Promise<Catalogue> {
  return (await catalogues[part][`/messages/${locale}.json`]?.()) ?? {};
}

/** Reads what the document says of its installation: languages, time zone, words of the brand. */
export function provideFormats(): Formats {
  const formats: Formats = JSON.parse(
    document.querySelector<HTMLMetaElement>(`meta[name="${formatsName}"]`)?.content ?? "",
  );
  provideUnits(() => formats);
  provideLocales(() => formats.locales);
  return formats;
}

/** Loads the language of this document; another language is another document. */
export async function openTexts(locale: Locale): Promise<Texts> {
  const formats = provideFormats();
  texts = createTexts(locale, await load(locale, "base"), formats);
  early.forEach(texts.add);
  return texts;
}

/** Loads the texts of a group of pages with the first of them. The server has all texts already. */
export async function loadTexts(part: TextPart): Promise<void> {
  if (import.meta.env.SSR) return;
  const catalogue = await load(localeOfCode(document.documentElement.lang) ?? defaultLocale(), part);
  if (texts) texts.add(catalogue);
  else early.push(catalogue);
}
