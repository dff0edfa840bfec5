import de from "../../messages/de.json";
import en from "../../messages/en.json";
import fr from "../../messages/fr.json";
import type { Locale } from "./locale.ts";
import { createTexts, type Texts } from "./texts.ts";

/** The server speaks all languages at once. */
export const textsOf: Record<Locale, Texts> = {
  fr: createTexts("fr", fr),
  en: createTexts("en", en),
  de: createTexts("de", de),
};
