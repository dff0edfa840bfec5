import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Locale, localePath, provideLocales } from "#i18n/locale.ts";
import type { Catalogue } from "#i18n/texts.ts";
import { BadBrand, type BrandFile, type Report, readBrandFile, refuse } from "./brand-file.server.ts";
import { type BrandFiles, readBrandFiles } from "./brand-files.server.ts";
import { type LegalTexts, readLegalPages } from "./legal-pages.server.ts";
import { legalPages, type ShopPages, shopPages } from "./shop-pages.ts";
import { readTextOverrides } from "./text-overrides.server.ts";
import { hashSource, readTheme, type Theme, themeSheet } from "./theme.server.ts";

export interface Brand extends BrandFile {
  directory: string;
  /** Its languages, the default one first. */
  locales: Locale[];
  /** Texts in words of its own. */
  texts: Partial<Record<Locale, Catalogue>>;
  /** The legal pages of its folder, as they are written. */
  legal: LegalTexts;
  theme: Theme;
  files: BrandFiles;
  /** The theme as a style of the document's head, and the source that allows it in a content security policy. */
  sheet: string;
  sheetSource: string;
}

/** Reads a brand's folder; what is wrong with it is said with its file and field. */
export function readBrand(directory: string, report: Report = refuse): Brand {
  const file = readBrandFile(join(directory, "brand.json"), report);
  const { DefaultLanguage, Languages } = file;
  const texts = Languages.map((locale) => [locale, readTextOverrides(directory, locale, report)]);
  const theme = readTheme(directory, report);
  const fonts = Object.values(theme.Typefaces).flatMap(({ Files }) => Files.map(({ File }) => File));
  const files = readBrandFiles(directory, { fonts, showsLogo: theme.Header === "logo" }, report);
  const sheet = themeSheet(theme, files);
  return {
    ...file,
    directory,
    legal: readLegalPages(directory, file, report),
    theme,
    files,
    sheet,
    sheetSource: hashSource(sheet),
    locales: [DefaultLanguage, ...Languages.filter((locale) => locale !== DefaultLanguage)],
    texts: Object.fromEntries(texts),
  };
}

/** The addresses of the web shop's pages in a language. */
export function shopPagesIn(locale: Locale, shopUrl: string): ShopPages {
  const { Links, DefaultLanguage } = installedBrand();
  const addressOf = (page: keyof ShopPages) => {
    const link = Links[page]?.[locale] ?? Links[page]?.[DefaultLanguage];
    if (link === undefined) return legalAddress(page, locale) ?? "";
    return link.startsWith("https://") ? link : `${shopUrl}/${link}`;
  };
  return Object.fromEntries(shopPages.map((page) => [page, addressOf(page)])) as ShopPages;
}

/** The path of a legal page of the brand's folder, if it has one. */
export function legalAddress(page: keyof ShopPages, locale: Locale): string | undefined {
  const { legal, DefaultLanguage, Languages } = installedBrand();
  const found = legalPages.find(({ link }) => link === page);
  const texts = legal[Languages.includes(locale) ? locale : DefaultLanguage];
  return found && texts?.[found.name] ? localePath(locale, `/legal/${found.name}`) : undefined;
}

/** The default brand: the folder `brand` of the source or of the build, whichever this file is in. */
function defaultDirectory(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at))
    if (existsSync(join(at, "brand", "brand.json"))) return join(at, "brand");
    else if (at === dirname(at)) throw new BadBrand("The folder brand is missing beside the product.");
}

/** What an installation is without a brand of its own. */
export const defaultBrand = (): Brand => readBrand(defaultDirectory());

/** Where the demo's shops are: the city of the brand's address, else the one that the time zone is named after. */
export function clubCity(): string {
  const { Contact, TimeZone } = installedBrand();
  const line = Contact.Address.find((written) => /^\d{4,5} /.test(written));
  return (line?.replace(/^\d+ /, "") ?? TimeZone.split("/").at(-1) ?? "").replaceAll("_", " ");
}

let installed: Brand | undefined;

/** The brand of this installation: BRAND_DIR, or the default one. It is read once, by whichever part asks first. */
export function installedBrand(): Brand {
  installed ??= process.env["BRAND_DIR"] ? readBrand(process.env["BRAND_DIR"]) : defaultBrand();
  return installed;
}

/** Another brand from now on; undefined, the environment's. For tests, which run several installations in one process. */
export function installBrand(brand: Brand | undefined): void {
  installed = brand;
}

/** What is made of the brand when it is first asked for: a bad brand is refused with one line, not by a failed import. */
export function ofBrand<T>(make: (brand: Brand) => T): () => T {
  let made: { brand: Brand; value: T } | undefined;
  return () => {
    const brand = installedBrand();
    if (made?.brand !== brand) made = { brand, value: make(brand) };
    return made.value;
  };
}

provideLocales(() => installedBrand().locales);
