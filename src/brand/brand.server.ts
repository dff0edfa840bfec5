import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Locale } from "#i18n/locale.ts";

/** A brand that cannot be used; its message is the one line the operator reads. */
export class BadBrand extends Error {}

const name = z.string().trim().min(1).max(60);
const currency = z.string().refine((code) => Intl.supportedValuesOf("currency").includes(code), "no ISO 4217 currency");
const timeZone = z.string().refine((zone) => Intl.supportedValuesOf("timeZone").includes(zone), "no IANA time zone");
/** An address, or a name and an address between angle brackets. */
const sender = z.string().regex(/^(?:[^<>@\r\n]*<)?[^\s<>@,;]+@[^\s<>@,;]+>?$/, "it must hold one mail address");

/** The club's name with its article, as each language needs it in sentences. */
const clubNames = {
  fr: z.strictObject({ Plain: name, Of: name, To: name }),
  en: z.strictObject({ Plain: name, My: name }),
  de: z.strictObject({
    ...{ Plain: name, Accusative: name, Dative: name, Genitive: name, In: name, To: name },
    My: name,
  }),
} satisfies Record<Locale, z.ZodType>;

const brandSchema = z.strictObject({
  Name: name,
  LegalName: name,
  Domain: z.hostname(),
  Sender: sender,
  Currency: currency,
  TimeZone: timeZone,
  ClubName: z.strictObject(clubNames),
});

export type Brand = z.output<typeof brandSchema>;

/** Reads a brand's folder; what is wrong with it is said with its file and field. */
export function readBrand(directory: string): Brand {
  const file = join(directory, "brand.json");
  const parsed = brandSchema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new BadBrand(`${file}: ${first?.path.join(".") || "the file"}: ${first?.message}`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new BadBrand(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The default brand: the folder `brand` of the source or of the build, whichever this file is in. */
function defaultDirectory(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at))
    if (existsSync(join(at, "brand", "brand.json"))) return join(at, "brand");
    else if (at === dirname(at)) throw new BadBrand("The folder brand is missing beside the product.");
}

/** What an installation is without a brand of its own. */
export const defaultBrand = (): Brand => readBrand(defaultDirectory());

let read: Brand | undefined;

/** The brand of this installation: BRAND_DIR, or the default one. It is read once, by whichever part asks first. */
export function installedBrand(): Brand {
  const directory = process.env["BRAND_DIR"];
  read ??= directory ? readBrand(directory) : defaultBrand();
  return read;
}
