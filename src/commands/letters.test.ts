import { existsSync, readFileSync } from "node:fs";
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
  "every letter to customers names the help page, in both forms, and fetches no picture but the cloth that all share: %s",
  (locale) => {
    for (const [name, letter] of Object.entries(sampleLetters(locale))) {
      const [html, text] = [letterHtml(letter, locale), letterText(letter, locale)];
      if (!["invitation", "pin", "manyGifts"].includes(name))
        for (const form of [html, text]) expect(form, name).toContain("/help");
      expect(html, name).not.toContain("url(");
      const pictures = [...html.matchAll(/<img[^>]* src="([^"]*)"[^>]*>/g)];
      expect(pictures.length, name).toBe(letter.cloth ? 1 : 0);
      for (const [tag, address = ""] of pictures) {
        expect(tag, name).toContain('alt=""');
        // It says nothing about the letter, and it is there.
        expect(address, name).toMatch(/^https:\/\/cercle\.example\/assets\/cloth\/\w+-letter-\d+\.jpg$/);
        expect(existsSync(`public${new URL(address).pathname}`), address).toBe(true);
      }
      // A mail program cuts a letter of more than 102 kB.
      expect(html.length, name).toBeLessThan(40_000);
    }
  },
);
