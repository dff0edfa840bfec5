import { existsSync } from "node:fs";
import { join } from "node:path";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { z } from "zod";
import type { Locale } from "#i18n/locale.ts";
import { textParts } from "#i18n/text-parts.ts";
import type { Catalogue } from "#i18n/texts.ts";
import { parseFile, type Report } from "./brand-file.server.ts";
import { catalogues } from "./catalogues.server.ts";

/** What every text may name, in the form its sentence needs. */
const brandWord = /^([Bb]rand|wordmark|[Cc]lub([A-Z]\w+)?|[Cc]urrenc(y|ies))$/;

/** The names of a compiled text's placeholders. */
export function namesIn(text: unknown): string[] {
  const names = new Set<string>();
  const walk = (tokens: unknown): void => {
    for (const token of Array.isArray(tokens) ? tokens : []) {
      if (!Array.isArray(token)) continue;
      names.add(String(token[0]));
      for (const choice of Object.values(token[2] ?? {})) walk(choice);
    }
  };
  walk(text);
  return [...names].filter((name) => name !== "#");
}

/** The same without the brand's words. */
const placeholdersOf = (text: unknown) =>
  namesIn(text)
    .filter((name) => !brandWord.test(name))
    .sort();

/** The texts that a brand words in its own way: `messages/fr.json` of its folder, with ids and placeholders of ours. */
export function readTextOverrides(directory: string, locale: Locale, report: Report): Catalogue {
  const file = join(directory, "messages", `${locale}.json`);
  if (!existsSync(file)) return {};
  const written = parseFile(file, z.record(z.string(), z.string().trim().min(1)), report);
  const compiled: Catalogue = {};
  for (const [id, words] of Object.entries(written)) {
    const original = catalogues[locale][id];
    if (!original) {
      report(file, id, "no text has this id");
      continue;
    }
    const text = compileMessage(words) as Catalogue[string];
    // The compiler prints where a text goes wrong, and hands it back as it was.
    if (text.some((token) => typeof token === "string" && /[{}]/.test(token)))
      report(file, id, "it is not in ICU syntax");
    compiled[id] = text;
    const [wanted, found] = [placeholdersOf(original), placeholdersOf(text)];
    if (wanted.join() !== found.join())
      report(file, id, `its placeholders must be ${listed(wanted)}, not ${listed(found)}`);
  }
  return compiled;
}

const listed = (names: string[]) => names.map((name) => `{${name}}`).join(", ") || "none";

/** The texts of some parts of a catalogue. */
export function textsIn(texts: Catalogue, isIn: (part: string) => boolean): Catalogue {
  const found = Object.entries(texts).filter(([id]) => isIn(textParts.find(({ ids }) => ids.test(id))?.part ?? ""));
  return Object.fromEntries(found);
}
