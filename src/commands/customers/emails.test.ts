import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { installedBrand } from "#brand/brand.server.ts";
import { locales } from "#i18n/locale.ts";
import { emailHtml, emailText } from "#platform/mail/email.server.tsx";
import { sampleEmails } from "./sample-emails.server.ts";

test("there is a sample of every email", () => {
  const ids = Object.keys(JSON.parse(readFileSync("messages/fr.json", "utf8")));
  const named = ids.flatMap((id) => /^mail\.(\w+)\.subject$/.exec(id)?.[1] ?? []);
  expect(Object.keys(sampleEmails("fr"))).toEqual(expect.arrayContaining(named));
});

test.each(locales)(
  "every email to customers names the help page, in both forms, and fetches no picture but the cloth that all share: %s",
  (locale) => {
    const { served } = installedBrand().files;
    for (const [name, email] of Object.entries(sampleEmails(locale))) {
      const [html, text] = [emailHtml(email, locale), emailText(email, locale)];
      if (!["invitation", "emergency", "pin", "manyGifts", "unknownCodes"].includes(name))
        for (const form of [html, text]) expect(form, name).toContain("/help");
      expect(html, name).not.toContain("url(");
      const pictures = [...html.matchAll(/<img[^>]* src="([^"]*)"[^>]*>/g)];
      expect(pictures.length, name).toBe(email.cloth ? 1 : 0);
      for (const [tag, address = ""] of pictures) {
        expect(tag, name).toContain('alt=""');
        // It says nothing about the email, and it is there.
        expect(address, name).toMatch(/^https:\/\/cercle\.example\/assets\/brand\/email-\d-\w{8}\.jpg$/);
        expect(served.has(new URL(address).pathname), address).toBe(true);
      }
      // A mail program cuts an email of more than 102 kB.
      expect(html.length, name).toBeLessThan(40_000);
    }
  },
);
