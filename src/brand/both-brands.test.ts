import { describe, expect, test } from "vitest";
import { createTexts, type Texts } from "#i18n/texts.ts";
import { installFrom, seedItsProgramme } from "#testing/brand.server.ts";
import { contrastOf } from "./contrast.ts";

/** Elements without an end. */
const empty = /^(meta|img|br|hr|link|input)$/;

/** The words of an email with the colours they are in and on, as its inline styles say. */
function wordsOn(html: string): { words: string; colour: string; ground: string }[] {
  const stack = [{ colour: "", ground: "", hidden: false }];
  const found: { words: string; colour: string; ground: string }[] = [];
  const body = html.slice(html.indexOf("<body")).replace(/<style[\s\S]*?<\/style>/g, "");
  for (const [, close, name = "", attributes = "", words = ""] of body.matchAll(/<(\/?)(\w+)([^>]*)>([^<]*)/g)) {
    const outer = stack.at(-1) ?? { colour: "", ground: "", hidden: false };
    if (close) stack.pop();
    else if (!empty.test(name)) {
      const style = /style="([^"]*)"/.exec(attributes)?.[1] ?? "";
      const colour = /(?:^|;)color:(#[\da-f]{6})/.exec(style)?.[1] ?? outer.colour;
      const ground = /background-color:(#[\da-f]{6})/.exec(style)?.[1] ?? outer.ground;
      stack.push({ colour, ground, hidden: outer.hidden || /display:none/.test(style) });
    }
    const { colour, ground, hidden } = stack.at(-1) ?? outer;
    if (words.trim() && !hidden) found.push({ words: words.trim(), colour, ground });
  }
  return found;
}

const hexOf = (rgb: string) =>
  `#${(rgb.match(/\d+/g) ?? []).map((channel) => Number(channel).toString(16).padStart(2, "0")).join("")}`;

describe.each(["brand", "examples/brand-nord"])("of %s", async (directory) => {
  installFrom(directory);
  const { installedBrand } = await import("./brand.server.ts");
  const { localePath } = await import("#i18n/locale.ts");
  const { pageFormats, textsOf } = await import("./texts.server.ts");
  const { catalogues } = await import("./catalogues.server.ts");
  const { sampleEmails } = await import("#commands/customers/sample-emails.server.ts");
  const { emailHtml, emailText } = await import("#platform/mail/email.server.tsx");
  const { openTestPhones, unpack, json } = await import("#testing/services/phone.server.ts");
  const { googleClass, googleObject } = await import("#loyalty/wallet/google/google-pass.server.ts");
  const { readPassContent } = await import("#loyalty/wallet/pass-content.server.ts");
  const { barcodeSvg } = await import("#loyalty/card/barcode.server.ts");
  const { readLoyalty } = await import("#loyalty/calls.ts");
  const { findWrongNumbers } = await import("#loyalty/programme/stated-numbers/stated-numbers.ts");
  const { defaultProgrammeId, queryProgramme } = await import("#loyalty/programme/programme.server.ts");
  const brand = installedBrand();
  const { addMember, clock, database, earn, fetch } = await openTestPhones();
  await seedItsProgramme(database);

  test("every number that the programme's texts state is one of its rules", async () => {
    const programme = await queryProgramme(database, defaultProgrammeId, clock.now);
    expect(findWrongNumbers(programme)).toEqual([]);
    const [reward] = programme.rewards;
    if (!reward) throw new Error("no reward");
    const changed = findWrongNumbers({ ...programme, rewards: [{ ...reward, amountCents: reward.amountCents + 100 }] });
    expect(changed.map(({ field }) => field)).toContain("rewards.0.name.de");
  });

  test("browsers write amounts, numbers, days and times as the server does, in the way of the brand's country", () => {
    const written = ({ money, number, date, time }: Texts) => [
      ...[0, 10, "89.90", "1234567.5"].map((amount) => money(amount)),
      ...[number(1_234_567.5), date("2027-03-01"), time("2027-07-01T05:07:00Z")],
    ];
    for (const locale of brand.locales) {
      const inBrowser = createTexts(locale, catalogues[locale], JSON.parse(JSON.stringify(pageFormats[locale])));
      expect(written(inBrowser)).toEqual(written(textsOf[locale]));
    }
    expect(textsOf.de.money(1_000)).toBe(brand.Country === "CH" ? "CHF\u00a01’000.00" : "1.000\u00a0€");
  });

  test("the sandbox's shop writes as the brand's country does", async () => {
    const page = await (await fetch(`/sandbox/shop${localePath("de", "/")}`)).text();
    expect(page).toContain(`data-tag="${brand.Country === "CH" ? "de-CH" : "de-DE"}"`);
  });

  test("every email can be read: contrast, language, texts for pictures, files that are there, and its size", () => {
    for (const locale of brand.locales)
      for (const [name, email] of Object.entries(sampleEmails(locale))) {
        const html = emailHtml(email, locale);
        expect(html, name).toContain(`<html lang="${locale}"`);
        expect(html.length, name).toBeLessThan(40_000);
        const words = wordsOn(html);
        expect(words.length, name).toBeGreaterThan(3);
        for (const { words: said, colour, ground } of words)
          expect(contrastOf(colour, ground), `${name}: ${said}: ${colour} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        for (const [tag, address = ""] of html.matchAll(/<img[^>]* src="([^"]*)"[^>]*>/g)) {
          expect(tag, name).toContain(" alt=");
          expect(brand.files.served.has(new URL(address).pathname), address).toBe(true);
        }
        for (const form of [html, emailText(email, locale)]) expect(form, name).not.toMatch(/undefined|\{\w+\}/);
      }
  });

  test("barcodes of emails and pages are black on white, with room on either side", () => {
    const voucher = emailHtml(sampleEmails(brand.DefaultLanguage)["voucher"] ?? expect.fail(), brand.DefaultLanguage);
    const cells = [...voucher.matchAll(/<td class="b(\d+)"[^>]*background-color:(#\w{6})/g)];
    expect(cells.length).toBeGreaterThan(40);
    expect(cells.map(([, , colour]) => colour)).toEqual(cells.map((_, at) => (at % 2 ? "#000000" : "#ffffff")));
    expect([cells[0]?.[1], cells.at(-1)?.[1]]).toEqual(["10", "10"]);
    expect(barcodeSvg("ean13", "2900000123496")).toMatch(/fill="#fff(fff)?"/);
  });

  test("the pass of every status has the brand's name, languages and marks, and words that can be read", async () => {
    const { default: programme } = await import("#loyalty/programme/first-programme.server.ts").then(
      ({ firstProgramme }) => ({ default: firstProgramme() }),
    );
    for (const tier of programme.tiers) {
      const member = await addMember({ language: brand.DefaultLanguage });
      if (tier.pointsRequired > 0) await earn(member.id, tier.pointsRequired);
      const files = unpack(Buffer.from(await (await member.download()).arrayBuffer()));
      const pass = json(files, "pass.json");
      expect(pass).toMatchObject({
        organizationName: brand.Name,
        logoText: brand.Wordmark ?? brand.Name.toUpperCase(),
      });
      const { Card } = await member.call(readLoyalty);
      expect(pass.barcodes).toMatchObject([{ message: Card?.Number, altText: Card?.Number }]);
      const ground = hexOf(pass.backgroundColor);
      for (const words of [pass.foregroundColor, pass.labelColor])
        expect(contrastOf(hexOf(words), ground), `${tier.rank}: ${words}`).toBeGreaterThanOrEqual(4.5);
      const languages = [...files.keys()].flatMap((file) => /^(\w+)\.lproj/.exec(file)?.[1] ?? []);
      expect(new Set(languages)).toEqual(new Set(brand.Languages));
      for (const locale of brand.Languages)
        expect(files.get(`${locale}.lproj/pass.strings`)?.toString()).toContain(
          `"tier" = "${(tier.name as Record<string, string>)[locale]}"`,
        );

      const content = (await readPassContent(database, member.id, clock.now)) ?? expect.fail();
      const context = { issuerId: "1", publicUrl: "https://club.example" };
      expect(googleClass(context)).toMatchObject({ issuerName: brand.Name, countryCode: brand.Country });
      expect(googleClass(context).hexBackgroundColor).toBe(brand.theme.Colours.Accent);
      expect(googleObject(context, "1.a", content)).toMatchObject({ barcode: { value: Card?.Number } });
      const said = JSON.stringify([googleClass(context), googleObject(context, "1.a", content)]);
      for (const [, language] of said.matchAll(/"language":"(\w\w)-/g)) expect(brand.Languages).toContain(language);
      if (brand.Name !== "Cercle") expect(said + JSON.stringify(pass)).not.toMatch(/Cercle|CERCLE/);
    }
  });
});
