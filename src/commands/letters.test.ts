import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { locales } from "#i18n/locale.ts";
import { letterHtml, letterText } from "#platform/mail/letter.server.tsx";
import { sampleLetters } from "./sample-letters.server.ts";

test("there is a sample of every letter", () => {
  const ids = Object.keys(JSON.parse(readFileSync("messages/fr.json", "utf8")));
  const named = ids.flatMap((id) => /^mail\.(\w+)\.subject$/.exec(id)?.[1] ?? []);
  expect(Object.keys(sampleLetters("fr"))).toEqual(expect.arrayContaining(named));
});

test.each(locales)(
  "every letter to customers names the help page, in both forms, and no picture is fetched: %s",
  (locale) => {
    for (const [name, letter] of Object.entries(sampleLetters(locale))) {
      const [html, text] = [letterHtml(letter, locale), letterText(letter, locale)];
      if (name !== "invitation") for (const form of [html, text]) expect(form, name).toContain("/help");
      expect(html, name).not.toMatch(/<img|url\(/);
      // A mail program cuts a letter of more than 102 kB.
      expect(html.length, name).toBeLessThan(40_000);
    }
  },
);
