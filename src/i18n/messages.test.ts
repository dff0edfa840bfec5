import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { expect, test } from "vitest";
import { textNumbers } from "#app/text-numbers.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { fieldCodes, refusals } from "#platform/refusal.ts";
import { locales } from "./locale.ts";

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

/** What every text may name: the brand, in the form its sentence needs, and numbers. */
const brandWord = /^([Bb]rand|wordmark|[Cc]lub([A-Z]\w+)?|currenc(y|ies))$/;

/** The names of a text's placeholders. */
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
  const given = (name: string) => name !== "#" && !brandWord.test(name) && !(name in textNumbers);
  return [...names].filter(given).sort();
}

test.each(locales)("%s has every text that French has, with the same placeholders", (locale) => {
  const texts = read(locale);
  expect(Object.keys(texts).sort()).toEqual(Object.keys(french).sort());
  for (const [id, text] of Object.entries(texts)) {
    expect(text.trim(), id).toBe(text);
    expect(text, id).not.toBe("");
    expect(valuesOf(text), id).toEqual(valuesOf(french[id] ?? ""));
  }
});

test("every refusal code and field code has its text, and every such text has its code", () => {
  const said = (prefix: string) => Object.keys(french).filter((id) => id.startsWith(prefix));
  expect(said("refusal.").sort()).toEqual(
    Object.keys(refusals)
      .map((code) => `refusal.${code}`)
      .sort(),
  );
  expect(said("field.").sort()).toEqual(fieldCodes.map((code) => `field.${code}`).sort());
});

const source = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(ts|tsx|js)$/.test(file) && !file.endsWith(".test.ts"))
  .map((file) => readFileSync(join("src", file), "utf8"))
  .join("\n");

test("the values given to t() are the text's placeholders", () => {
  const said = [...source.matchAll(/\bt\(\s*"([\w.]+)"(?:,\s*\{([^{}]*)\})?,?\s*\)/g)];
  expect(said.length).toBeGreaterThan(200);
  for (const [call, id = "", values = ""] of said) {
    if (values.includes("...")) continue;
    // What is inside a call's own brackets names no value.
    const names = values.replace(/\([^()]*\)/g, "").split(",");
    const given = names.map((name) => name.replace(/:.*/s, "").trim()).filter(Boolean);
    expect(given.sort(), call).toEqual(valuesOf(french[id] ?? ""));
  }
});

test("nothing is said nowhere: each text is used by the source, whole or as one of a family", () => {
  const whole = new Set(Array.from(source.matchAll(/["'`]([a-zA-Z_.\d]+)["'`]/g), ([, id]) => id));
  // A family is named by a template: `menu.${entry}Text` speaks for menu.returnText, not for menu.open. Its members may
  // also be named as fields of the API are.
  const families = Array.from(
    source.matchAll(/`([a-z][a-zA-Z.]*\.)\$\{[^}]+\}(\w*)`/g),
    ([, start = "", end = ""]) => new RegExp(`^${start.replaceAll(".", "\\.")}(?:[a-z_]+|[A-Z][A-Za-z]+)${end}$`),
  );
  const unused = Object.keys(french).filter((id) => !whole.has(id) && !families.some((family) => family.test(id)));
  expect(unused).toEqual([]);
});

/** What the club says of itself, in one language: names, descriptions, hints, benefits. */
function programmeTexts(locale: string): [where: string, text: string][] {
  const found: [string, string][] = [];
  const walk = (value: unknown, where: string, mine: boolean): void => {
    if (typeof value === "string" && mine) found.push([where, value]);
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) walk(inner, `${where}.${name}`, mine || name === locale);
  };
  walk(JSON.parse(readFileSync("db/programme.json", "utf8")), "programme", false);
  return found;
}

/** Everything a customer may read in one language. */
const everything = (locale: string) => [...Object.entries(read(locale)), ...programmeTexts(locale)];

test("French typography: a narrow no-break space before ; : ! ? and inside « », a curved apostrophe", () => {
  for (const [id, text] of everything("fr")) {
    if (quoted.includes(id)) continue;
    const plain = text.replace(/\{[^{}]*\}/g, "").replace(/https?:\/\/\S+/g, "");
    expect(plain, id).not.toMatch(/[^\u202f][;!?»](\s|$)| [;:!?»]|\w:(\s|$)|« (?!\u202f)/u);
    expect(plain, id).not.toMatch(/\p{L}'\p{L}/u);
  }
});

test("German and English quote with their own marks; an apostrophe is curved; no number loses its euro", () => {
  for (const locale of locales) {
    for (const [id, text] of everything(locale)) {
      if (quoted.includes(id) && locale === "fr") continue;
      const plain = text.replace(/\{[^{}]*\}/g, "");
      expect(plain, `${locale} ${id}`).not.toMatch(/"|\p{L}'\p{L}|\.\.\.|\d €/u);
      if (locale === "de") expect(plain, id).not.toMatch(/[«»”]/);
      if (locale === "en") expect(plain, id).not.toMatch(/[«»„]/);
    }
  }
});

test("in German texts for customers and tills, E‑Mail has a hyphen at which no line breaks", () => {
  for (const [id, text] of everything("de")) if (!id.includes("office")) expect(text, id).not.toContain("E-Mail");
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
  const { t } = textsOf.fr;
  expect(t("field.password_length")).toBe("La longueur doit être comprise entre 6 et 15 caractères");
  expect(t("field.too_short")).toBe("La longueur doit être supérieure à 3 caractères");
  expect(french["identity.saved"]).toBe("Vos informations ont été modifiées avec succès !");
});

test("no text and no code names the default brand, whose name is in its folder alone", () => {
  const { Name } = JSON.parse(readFileSync("brand/brand.json", "utf8")) as { Name: string };
  const named = new RegExp(`${Name}|${Name.toUpperCase()}`);
  for (const locale of locales)
    for (const [id, text] of Object.entries(read(locale))) expect(text, `${locale} ${id}`).not.toMatch(named);
  const code = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|tsx|js|css)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      readFileSync(join("src", file), "utf8")
        .split("\n")
        .map((line) => `${file}: ${line.trim()}`),
    )
    .filter((line) => named.test(line) && !/: (\*|\/\/|\/\*)/.test(line));
  // The field of the shop API that tills know.
  expect(code.filter((line) => !/\bTill\b.*\bCercle\b|Cercle: z\.string|shown\(Total, Cercle\)/.test(line))).toEqual(
    [],
  );
});
