import { afterAll, expect, test } from "vitest";
import { provideNumbers, textsOf } from "#brand/texts.server.ts";
import { sampleEmails } from "#commands/customers/sample-emails.server.ts";
import { type Locale, localePath, locales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { emailHtml, emailText } from "#platform/mail/email.server.tsx";
import { openTestPages, wordsOf } from "#testing/member-page.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { textNumbers } from "./text-numbers.server.ts";

const { addCustomer, clock, database, fetch, see } = await openTestPages();

const units =
  "jours?|mois|ans?|heures?|minutes?|caractères|points?|days?|months?|years?|hours?|characters|Tagen?|Tag|Monaten?|Monat|Jahren?|Stunden?|Minuten?|Zeichen|Punkten?|Punkt";
const words =
  "deux|trois|cinq|sept|dix|douze|vingt|trente|two|three|five|seven|ten|twelve|twenty|thirty|zwei|drei|fünf|sieben|zehn|zwölf|zwanzig|dreißig";
const stated = new RegExp(
  `(?<![\\p{L}\\d.,])(\\d[\\d.,\\u202f]*|${words})[\\s\\u00a0\\u202f-](?=(?:${units})(?!\\p{L}))`,
  "giu",
);
/** Not a rule: how long it takes to join. */
const estimate = /(deux minutes|two minutes|zwei Minuten)(?=[,.])/gi;
/** What a metric is, by its definition in SQL, and the first status, which is that of every member. */
const definitions =
  /^(office\.(customer\.bought|figures\.(lastYear|activeNote|mean)|definition\.active_share)|field\.first_zero)$/;

/** Every number with a unit in a text, as it is written. */
const numbersIn = (text: string) =>
  Array.from(text.replace(estimate, "").matchAll(stated), ([, number = ""]) => number);

// Each number another one, that occurs nowhere else.
const otherNumbers = Object.fromEntries(Object.keys(textNumbers).map((name, index) => [name, 600 + index]));
const plain = { fr: "Un texte", en: "A text", de: "Ein Text" };
const noBenefits = { fr: [], en: [], de: [] };
const otherRules = {
  ...{ welcomePoints: 701, pointsPerEuro: 4, pointsValidMonths: 18, tierMonths: 6, pendingDays: 9 },
  referral: { points: 730, days: 18, perYear: 6 },
};

const numbersOfRules = ({ tiers, rewards, events, ...rules }: ReturnType<typeof firstProgramme>) => [
  ...[rules.welcomePoints, rules.pointsValidMonths, rules.tierMonths, rules.pendingDays],
  ...[rules.referral.points, rules.referral.days, rules.referral.perYear],
  ...tiers.flatMap(({ pointsRequired }) => pointsRequired || []),
  ...rewards.flatMap(({ points, validDays }) => [points, validDays]),
  ...events.map(({ points }) => points),
];
/** What no page may say any more, in digits and in words. */
const old = [...Object.values(textNumbers), ...numbersOfRules(firstProgramme())].filter(
  (number) => number > 1 && ![18, 60, 6, 9].includes(number),
);
const oldWritten = new Set(locales.flatMap((locale) => old.map((number) => textsOf[locale].number(number))));
const leaks = (text: string) => numbersIn(text).filter((number) => oldWritten.has(number) || !/^\d/.test(number));

await publishNow(
  database,
  (rules) => ({
    ...otherRules,
    tiers: rules.tiers.map((tier, index) => ({
      ...tier,
      benefits: noBenefits,
      multiplierHundredths: 100 + 10 * index,
      pointsRequired: 710 * index,
    })),
    rewards: rules.rewards.map((reward, index) => ({
      ...{
        ...reward,
        points: 720 + index,
        amountCents: 1_900 + index,
        validDays: 60,
        name: plain,
        description: plain,
      },
    })),
    events: rules.events.map((event, index) => ({
      ...event,
      points: 730 + index,
      name: plain,
      description: plain,
      hint: plain,
    })),
  }),
  { now: clock.now },
);
provideNumbers(otherNumbers);
// Files share their modules.
afterAll(() => provideNumbers(textNumbers));

const everyPage = Object.values(pagePaths).filter((path) => !path.includes(":"));

test.each(locales)("with other numbers, no page states one of before: %s", async (locale) => {
  const customer = await addCustomer({ language: locale });
  const member = await addCustomer({ language: locale });
  await member.call("POST loyalty/subscribe", { IdLoyaltyProgram: String(defaultProgrammeId) });
  let said = "";
  for (const path of ["/loyalty", "/store/qrcode", ...everyPage]) {
    const address = localePath(locale, path);
    for (const html of [
      await (await fetch(address)).text(),
      (await see(customer, address)).html,
      (await see(member, address)).html,
    ]) {
      const text = wordsOf(html);
      expect(leaks(text), `${address}: ${text}`).toEqual([]);
      said += text;
    }
  }
  // The new ones are there.
  for (const name of ["receiptDays", "firstWarningDays", "lastWarningDays", "stopDays", "passwordMin", "recentMinutes"])
    expect(said, name).toContain(` ${otherNumbers[name]} `);
  for (const number of [18, 6, 60, 9, 720]) expect(said).toContain(` ${number} `);
});

test.each(locales)("with other numbers, no email states one of before: %s", async (locale) => {
  const programme = await queryProgramme(database, defaultProgrammeId, clock.now);
  const emails = sampleEmails(locale, { ...firstProgramme(), ...programme } as ReturnType<typeof firstProgramme>);
  for (const [name, email] of Object.entries(emails))
    for (const text of [wordsOf(emailHtml(email, locale)), emailText(email, locale)])
      expect(leaks(text), `${name}: ${text}`).toEqual([]);
});

test.each(locales)("no text of the catalogue states a number with a unit: %s", async (locale: Locale) => {
  const { catalogues } = await import("#brand/catalogues.server.ts");
  const wordsIn = (text: unknown): string =>
    Array.isArray(text)
      ? text
          .map((token) =>
            typeof token === "string"
              ? token
              : Object.values(token[2] ?? {})
                  .map(wordsIn)
                  .join(" | "),
          )
          .join("")
      : "";
  const found = Object.entries(catalogues[locale]).flatMap(([id, text]) =>
    definitions.test(id) ? [] : numbersIn(wordsIn(text)).map((number) => `${id}: ${number}`),
  );
  expect(found).toEqual([]);
});
