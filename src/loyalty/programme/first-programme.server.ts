import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ofBrand } from "#brand/brand.server.ts";
import { type BrandFile, parseJson, type Report, readJson, refuse } from "#brand/brand-file.server.ts";
import { brandWords } from "#brand/brand-words.ts";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import defaultProgramme from "../../../db/programme.json";
import { rulesShape } from "./parse-rules.server.ts";
import { checkRules } from "./rules.ts";

type Seed = typeof defaultProgramme & { contactEmail: string; contactPhone: string };

const { tiers, rewards } = rulesShape.shape;
/** The rules, as `npm run programme` writes them, with the ids and ranks that the first version is stored by. */
const fileShape = rulesShape.extend({
  id: z.literal(defaultProgramme.id),
  tiers: z.array(tiers.element.extend({ rank: z.int() })),
  rewards: z.array(rewards.element.extend({ minimumBasketCents: z.int().nullable().default(null) })),
});

/** The first programme of a brand's folder, or the default one, with the brand's contact; what is wrong with it is said with its field. */
export function readFirstProgramme(directory: string, brand: BrandFile, report: Report): Seed {
  const file = join(directory, "programme.json");
  const { Email: contactEmail, Phone: contactPhone } = brand.Contact;
  const own: unknown = existsSync(file) ? readJson(file) : defaultProgramme;
  const written = { contactEmail, contactPhone, ...Object(own) };
  const rules = parseJson(file, inBrandsWords(written, brand), fileShape, report);
  for (const { field, code } of checkRules(rules)) report(file, field, textsOf.en.t(`field.${code}`));
  rules.tiers.forEach(({ rank }, index) => {
    if (rank !== index + 1)
      report(file, `tiers.${index}.rank`, `it must be ${index + 1}: tiers stand from the lowest up`);
  });
  rules.events.forEach(({ id, proof, frequency }, index) => {
    const known = defaultProgramme.events.find((event) => event.id === id);
    if (known?.proof !== proof || known.frequency !== frequency)
      report(
        file,
        `events.${index}.id`,
        "no event of the product has this id, proof and frequency (db/programme.json)",
      );
  });
  return rules as Seed;
}

export const firstProgramme = ofBrand((brand) => readFirstProgramme(brand.directory, brand, refuse));

/**
 * Texts may name the brand and its club, as those of the catalogues do: `{club}`. The database wants them in all languages
 * of the product: one that the brand lacks has the default language's.
 */
function inBrandsWords(value: unknown, brand: BrandFile): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => inBrandsWords(inner, brand));
  const { DefaultLanguage, Languages } = brand;
  if (!(DefaultLanguage in value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inBrandsWords(inner, brand)]));
  const texts: Partial<Record<Locale, unknown>> = value;
  const named = (locale: Locale) => nameIn(texts[locale] ?? texts[DefaultLanguage], brandWords(brand, locale));
  return Object.fromEntries(
    locales.map((locale) => [locale, named(Languages.includes(locale) ? locale : DefaultLanguage)]),
  );
}

/** A text, or a list of texts. */
function nameIn(text: unknown, words: Record<string, string>): unknown {
  if (Array.isArray(text)) return text.map((one) => nameIn(one, words));
  return typeof text === "string" ? text.replace(/\{(\w+)\}/g, (whole, name) => words[name] ?? whole) : text;
}
