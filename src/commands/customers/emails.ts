import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operatorEnvironment } from "#app/environment.server.ts";
import { offeredLocales } from "#i18n/locale.ts";
import "#app/text-numbers.server.ts";
import { emailHtml } from "#platform/mail/email.server.tsx";
import { sampleEmails } from "./sample-emails.server.ts";

/** `npm run emails -- FOLDER`: every email in every language as a file, to look at. */
// The file .env may name the brand.
operatorEnvironment();
const folder = process.argv[2] ?? "emails";
for (const locale of offeredLocales()) {
  mkdirSync(join(folder, locale), { recursive: true });
  for (const [name, email] of Object.entries(sampleEmails(locale)))
    writeFileSync(join(folder, locale, `${name}.html`), emailHtml(email, locale));
}
console.log(folder);
