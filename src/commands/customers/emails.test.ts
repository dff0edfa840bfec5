import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("the command writes the emails of the brand that the file .env names", async () => {
  const [folder, before, { argv }] = [mkdtempSync(join(tmpdir(), "emails-")), process.cwd(), process];
  writeFileSync(join(folder, ".env"), `BRAND_DIR=${resolve("examples/brand-nord")}\n`);
  onTestFinished(() => {
    process.chdir(before);
    process.argv = argv;
    delete process.env["BRAND_DIR"];
    vi.resetModules();
  });
  vi.resetModules();
  process.chdir(folder);
  process.argv = [...argv.slice(0, 2), "written"];
  vi.spyOn(console, "log").mockImplementationOnce(() => {});
  await import("./emails.ts");
  expect(readFileSync(join(folder, "written/de/joined.html"), "utf8")).toContain("Nordlicht");
});
