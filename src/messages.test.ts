import { readFileSync } from "node:fs";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { expect, test } from "vitest";
import { locales } from "#i18n/locale.ts";
import { fieldCodes, refusals } from "#platform/refusal.ts";

const read = (locale: string): Record<string, string> => JSON.parse(readFileSync(`messages/${locale}.json`, "utf8"));
const french = read("fr");

/** The specification quotes these to the byte. */
const quoted = [
  "field.required",
  "field.password_length",
  "field.too_short",
  "form.required",
  "refusal.wrong_login",
  "refusal.email_taken",
  "identity.emailTaken",
  "identity.saved",
];

/** The names of the values a text takes. */
function valuesOf(text: string): string[] {
  const names = new Set<string>();
  const walk = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens) {
      if (Array.isArray(token)) {
        names.add(String(token[0]));
        for (const choice of Object.values(token[2] ?? {})) walk(choice);
      }
    }
  };
  walk(compileMessage(text));
  return [...names].filter((name) => name !== "#").sort();
}

test.each(locales)("%s says everything French says, with the same values", (locale) => {
  const texts = read(locale);
  expect(Object.keys(texts).sort()).toEqual(Object.keys(french).sort());
  for (const [id, text] of Object.entries(texts)) {
    expect(text.trim(), id).toBe(text);
    expect(text, id).not.toBe("");
    expect(valuesOf(text), id).toEqual(valuesOf(french[id] ?? ""));
  }
});

test("every refusal and every field's refusal has its text", () => {
  for (const code of Object.keys(refusals)) expect(french).toHaveProperty([`refusal.${code}`]);
  for (const code of fieldCodes) expect(french).toHaveProperty([`field.${code}`]);
});

test("French typography: a narrow no-break space before ; : ! ? and inside « », a curved apostrophe", () => {
  for (const [id, text] of Object.entries(french)) {
    if (quoted.includes(id)) continue;
    const plain = text.replace(/\{[^{}]*\}/g, "").replace(/https?:\/\/\S+/g, "");
    expect(plain, id).not.toMatch(/[^\u202f][;!?»](\s|$)| [;:!?»]|\w:(\s|$)|« (?!\u202f)/u);
    expect(plain, id).not.toMatch(/\p{L}'\p{L}/u);
  }
});

test("no exclamation marks, save in the specification's own messages", () => {
  for (const locale of locales)
    for (const [id, text] of Object.entries(read(locale)))
      if (!quoted.includes(id)) expect(text, `${locale} ${id}`).not.toContain("!");
});

test("the specification's French sentences are kept to the byte", () => {
  expect(french["refusal.wrong_login"]).toBe("Le mot de passe ou l'email est incorrect");
  expect(french["refusal.email_taken"]).toBe("Cette adresse e-mail est déjà utilisée");
  expect(french["field.required"]).toBe("Champ requis");
  expect(french["form.required"]).toBe("Champs obligatoire");
  expect(french["field.password_length"]).toBe("La longueur doit être comprise entre 6 et 15 caractères");
  expect(french["field.too_short"]).toBe("La longueur doit être supérieure à 3 caractères");
  expect(french["identity.saved"]).toBe("Vos informations ont été modifiées avec succès !");
});
