import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tagIn } from "#i18n/club-day.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import type { BrandFile, Report } from "./brand-file.server.ts";
import { legalPages } from "./shop-pages.ts";

/** The periods that a legal page may name; the product hands them in from where they are enforced. */
export interface RetentionPeriods {
  idleYears: number;
  noticeDays: number;
  sessionDays: number;
  receiptDays: number;
  eventDays: number;
  offlineDays: number;
  languageDays: number;
}
const periods = ["idleYears", "noticeDays", "sessionDays", "receiptDays", "eventDays", "offlineDays", "languageDays"];
const brandValues = ["brand", "club", "legalName", "domain", "email", "phone", "address", "website"];

/** Each page of a language as it is written. */
export type LegalTexts = Partial<Record<Locale, Partial<Record<string, string>>>>;

/** Reads `pages/fr/terms.md` and its like; every language must have a page, or a link, for what the footer links to. */
export function readLegalPages(directory: string, brand: BrandFile, report: Report): LegalTexts {
  const texts: LegalTexts = {};
  for (const locale of locales) {
    const folder = join(directory, "pages", locale);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const offered = brand.Languages.includes(locale);
    if (!offered && files.length > 0) report(folder, "the folder", "this language is not among the Languages");
    texts[locale] = Object.fromEntries(
      files.map((file) => [file.replace(".md", ""), readPage(join(folder, file), report)]),
    );
    for (const { name, link } of offered ? legalPages : [])
      if (!texts[locale]?.[name] && !brand.Links[link]?.[locale] && link !== "Accessibility")
        report(
          join(folder, `${name}.md`),
          "the file",
          `the footer links to it, and neither it nor Links.${link}.${locale} is there`,
        );
  }
  return texts;
}

function readPage(file: string, report: Report): string {
  if (!legalPages.some(({ name }) => file.endsWith(`/${name}.md`)))
    report(file, "the file", `a legal page is ${legalPages.map(({ name }) => `${name}.md`).join(", ")}`);
  const text = readFileSync(file, "utf8");
  if (!/^# \S/.test(text)) report(file, "line 1", "it must be the title, after # and a space");
  text.split("\n").forEach((line, index) => {
    for (const [, name = ""] of line.matchAll(/\{(\w+)\}/g))
      if (![...periods, ...brandValues].includes(name))
        report(file, `line ${index + 1}`, `there is no value {${name}}`);
    if (/<[a-z!/]/i.test(line)) report(file, `line ${index + 1}`, "HTML is not allowed");
  });
  return text;
}

/** A page with its values filled in; dates and numbers as the language writes them. */
export function filledPage(text: string, locale: Locale, brand: BrandFile, given: RetentionPeriods): string {
  const { Contact, ClubName, Name } = brand;
  const values: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.toLocaleString(tagIn(locale, brand.Country))]),
    ),
    brand: Name,
    club: ClubName[locale]?.Plain ?? Name,
    legalName: brand.LegalName,
    domain: brand.Domain,
    website: `https://${brand.Domain}`,
    email: Contact.Email,
    phone: Contact.Phone ?? Contact.Email,
    address: Contact.Address.join("  \n"),
  };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
