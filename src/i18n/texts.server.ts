import de from "../../messages/de.json";
import en from "../../messages/en.json";
import fr from "../../messages/fr.json";
import type { Locale } from "./locale.ts";
import { type Catalogue, createTexts, type Texts } from "./texts.ts";

/** The build compiles the files; TypeScript sees them as they are written. */
const compiled = (catalogue: unknown) => catalogue as Catalogue;

/** The server has the texts of all languages. */
export const textsOf: Record<Locale, Texts> = {
  fr: createTexts("fr", compiled(fr)),
  en: createTexts("en", compiled(en)),
  de: createTexts("de", compiled(de)),
};
