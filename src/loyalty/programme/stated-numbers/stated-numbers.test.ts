import "#brand/texts.server.ts";
import { expect, test } from "vitest";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import { findWrongNumbers } from "./stated-numbers.ts";

const seed = firstProgramme();
const rules = {
  ...seed,
  rewards: seed.rewards.map((reward) => ({ ...reward, minimumBasketCents: null, usableOn: null })),
} as Rules;
const [cotton, silk, cashmere] = rules.tiers as [Rules["tiers"][0], Rules["tiers"][0], Rules["tiers"][0]];
const [ten, ...rewards] = rules.rewards as [Rules["rewards"][0], ...Rules["rewards"]];
const found = (changes: Partial<Rules>) =>
  findWrongNumbers({ ...rules, ...changes }).map(({ field, number }) => `${field} ${number}`);

test("the seed's texts state the seed's numbers", () => {
  expect(found({})).toEqual([]);
});

test("a benefit that states another rate than its status has is found in each language", () => {
  expect(found({ tiers: [cotton, { ...silk, multiplierHundredths: 150 }, cashmere] })).toEqual([
    "tiers.1.benefits.fr.1 1,25",
    "tiers.1.benefits.en.1 1.25",
    "tiers.1.benefits.de.1 1,25",
  ]);
  expect(found({ pointsPerEuro: 2 })).toHaveLength(9);
});

test("a gift, a birthday, a price and a validity that the rules no longer have are found", () => {
  // 250 points are still the price of a reward.
  expect(found({ welcomePoints: 300 })).toEqual([
    "tiers.0.benefits.fr.0 250",
    "tiers.0.benefits.en.0 250",
    "tiers.0.benefits.de.0 250",
  ]);
  const events = rules.events.map((event) => ({ ...event, points: event.proof === "birthday" ? 250 : event.points }));
  expect(found({ events })).toEqual([
    "tiers.0.benefits.fr.3 100",
    "tiers.0.benefits.en.3 100",
    "tiers.0.benefits.de.3 100",
  ]);
  // €20 are still a reward's value, and 250 points the gift's.
  const dearer = found({ rewards: [{ ...ten, points: 300 }, ...rewards] });
  expect(dearer).toEqual(expect.arrayContaining(["tiers.0.benefits.fr.2 250", "tiers.0.benefits.en.2 250"]));
  const shorter = found({ rewards: [{ ...ten, validDays: 30 }, ...rewards] });
  expect(shorter).toEqual([
    "rewards.0.description.fr 90",
    "rewards.0.description.en 90",
    "rewards.0.description.de 90",
  ]);
});

test("numbers are read as each language writes them", () => {
  const benefits = { fr: ["Dès 3 000 points"], en: ["From 3,000 points"], de: ["Ab 3.000 Punkten"] };
  expect(found({ tiers: [cotton, silk, { ...cashmere, benefits }] })).toEqual([]);
  expect(found({ tiers: [cotton, silk, { ...cashmere, benefits, pointsRequired: 3500 }] })).toHaveLength(3);
});
