import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Locale, locales } from "#i18n/locale.ts";
import { legalPages, shopPages } from "./shop-pages.ts";

/** A brand that cannot be used; its message is the one line the operator reads. */
export class BadBrand extends Error {}

/** Takes what is wrong with a brand: the check collects everything, a start refuses the first. */
export type Report = (file: string, field: string, problem: string) => void;

export const refuse: Report = (file, field, problem) => {
  throw new BadBrand(`${file}: ${field}: ${problem}`);
};

const name = z.string().trim().min(1).max(60);
const currency = z.string().refine((code) => Intl.supportedValuesOf("currency").includes(code), "no ISO 4217 currency");
const timeZone = z.string().refine((zone) => Intl.supportedValuesOf("timeZone").includes(zone), "no IANA time zone");
const country = z.string().regex(/^[A-Z]{2}$/, "no ISO 3166 country");
const mailAddress = /[^\s<>@,;]+@[^\s<>@,;]+/.source;
/** An address, or a name and an address between angle brackets. */
const sender = z.string().regex(new RegExp(`^(?:[^<>@\\r\\n]*<)?${mailAddress}>?$`), "it must hold one mail address");
const language = z.enum(locales);
const address = z.string().regex(/^https:\/\/[^\s"<>]+$/, "it must begin with https://");
/** An address, or a path below SHOP_URL. */
const shopPage = z
  .string()
  .regex(
    /^(https:\/\/|[\w~%.-])[^\s"<>]*$/,
    "it must begin with https://, or be a path of the web shop without a slash before it",
  );

/** The club's name with its article, as each language needs it in sentences. */
const clubNames = {
  fr: z.strictObject({ Plain: name, Of: name, To: name }).optional(),
  en: z.strictObject({ Plain: name, My: name }).optional(),
  de: z
    .strictObject({ Plain: name, Accusative: name, Dative: name, Genitive: name, In: name, To: name, My: name })
    .optional(),
} satisfies Record<Locale, z.ZodType>;

const shopPageIn = z.strictObject({ fr: shopPage.optional(), en: shopPage.optional(), de: shopPage.optional() });
/** Pages that the brand's folder may hold itself. */
const optionalPages = legalPages.map(({ link }): string => link);

const brandSchema = z
  .strictObject({
    Name: name,
    /** How the name is set as a word mark; by default in capitals. */
    Wordmark: name.optional(),
    LegalName: name,
    Domain: z.hostname(),
    Sender: sender,
    Contact: z.strictObject({
      Email: z.string().regex(new RegExp(`^${mailAddress}$`), "no mail address"),
      Phone: name.optional(),
      Address: z.array(name).min(1).max(6),
    }),
    Country: country,
    Languages: z.array(language).min(1),
    DefaultLanguage: language,
    Currency: currency,
    TimeZone: timeZone,
    ClubName: z.strictObject(clubNames),
    Links: z.strictObject(
      Object.fromEntries(
        shopPages.map((page) => [page, optionalPages.includes(page) ? shopPageIn.optional() : shopPageIn]),
      ) as Record<(typeof shopPages)[number], typeof shopPageIn>,
    ),
    Profiles: z.array(z.strictObject({ Name: name, Address: address })).max(6),
  })
  .superRefine((brand, context) => {
    const issue = (message: string, ...path: string[]) => context.addIssue({ code: "custom", message, path });
    if (!brand.Languages.includes(brand.DefaultLanguage)) issue("it is not among the Languages", "DefaultLanguage");
    if (new Set(brand.Languages).size < brand.Languages.length) issue("a language occurs twice", "Languages");
    const perLanguage: [string[], object | undefined][] = [
      [["ClubName"], brand.ClubName],
      ...shopPages.map((page): [string[], object | undefined] => [["Links", page], brand.Links[page]]),
    ];
    for (const [path, values] of perLanguage)
      for (const locale of values ? locales : []) {
        const known = locale in (values ?? {});
        if (known !== brand.Languages.includes(locale))
          issue(known ? "this language is not among the Languages" : "it is missing", ...path, locale);
      }
  });

export type BrandFile = z.output<typeof brandSchema>;

/** Reads `brand.json`; what is wrong with it is said with its field. */
export function readBrandFile(file: string, report: Report): BrandFile {
  return parseFile(file, brandSchema, report);
}

/** Reads a file of JSON by its schema. */
export const parseFile = <T>(file: string, schema: z.ZodType<T>, report: Report): T =>
  parseJson(file, readJson(file), schema, report);

/** The content of a file by its schema. */
export function parseJson<T>(file: string, content: unknown, schema: z.ZodType<T>, report: Report): T {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) report(file, path.join(".") || "the file", message);
  throw new BadBrand(`${file} cannot be used.`);
}

export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new BadBrand(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}
