import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locales } from "#i18n/locale.ts";
import { letterHtml } from "#platform/mail/letter.server.tsx";
import { sampleLetters } from "./sample-letters.server.ts";

/** `npm run letters -- FOLDER`: every letter in every language as a file, to look at. */
const folder = process.argv[2] ?? "letters";
for (const locale of locales) {
  mkdirSync(join(folder, locale), { recursive: true });
  for (const [name, letter] of Object.entries(sampleLetters(locale)))
    writeFileSync(join(folder, locale, `${name}.html`), letterHtml(letter, locale));
}
console.log(folder);
