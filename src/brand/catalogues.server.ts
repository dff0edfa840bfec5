import type { Locale } from "#i18n/locale.ts";
import type { Catalogue } from "#i18n/texts.ts";
import de from "../../messages/de.json";
import en from "../../messages/en.json";
import fr from "../../messages/fr.json";

/** The build compiles the files; TypeScript sees them as they are written. */
export const catalogues = { fr, en, de } as unknown as Record<Locale, Catalogue>;
