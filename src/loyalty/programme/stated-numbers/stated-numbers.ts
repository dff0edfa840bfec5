import { centsPerUnit } from "#brand/amounts.ts";
import { type Locale, offeredLocales } from "#i18n/locale.ts";
import type { Rules } from "#loyalty/programme/rules.ts";

/** A text of the rules that states a number which the rules do not have. */
export interface WrongNumber {
  /** Its path in the rules, such as `tiers.1.benefits.fr.0`. */
  field: string;
  text: string;
  /** As it is written. */
  number: string;
}

const written = /\d+(?:[\s.,’']\d{3})*(?:[.,]\d+)?/g;
const rateText = /(\d+(?:[.,]\d+)?)\s+(?:points?|Punkte?)\s+(?:par|per|je|pro)\s+[\p{Sc}\p{L}]/iu;
const pointsText = /(\d[\d\s.,’']*)\s(?:points?|Punkte?)/iu;
const amountText = /(\d[\d\s.,’']*)\s?(?:\p{Sc}|[A-Z]{3}\b)|(?:\p{Sc}|\b[A-Z]{3})\s?(\d[\d\s.,’']*)/u;

/**
 * Marketers write benefits, names and descriptions by hand, so a changed rule leaves old numbers in them. This finds
 * them for a warning; it does not keep the rules from being published, since a text may state a number of its own.
 */
export function findWrongNumbers(rules: Rules): WrongNumber[] {
  const { welcomePoints, pointsPerEuro, pointsValidMonths, tierMonths, tiers, rewards, events } = rules;
  const rateOf = (tier: Rules["tiers"][number]) => (pointsPerEuro * tier.multiplierHundredths) / 100;
  const ofReward = (reward: Rules["rewards"][number]) => [
    reward.points,
    reward.validDays,
    reward.amountCents / centsPerUnit(),
    (reward.minimumBasketCents ?? 0) / centsPerUnit(),
  ];
  const pointsOf = (event: Rules["events"][number]) => (event.proof === "welcome" ? welcomePoints : event.points);
  const all = [
    ...[welcomePoints, pointsPerEuro, pointsValidMonths, tierMonths],
    ...tiers.flatMap((tier) => [tier.pointsRequired, tier.multiplierHundredths / 100, rateOf(tier)]),
    ...rewards.flatMap(ofReward),
    ...events.map(pointsOf),
  ];
  const birthday = events.filter(({ proof }) => proof === "birthday").map(pointsOf);

  /** The numbers that a benefit may state, by what it speaks of. */
  function ofBenefit(tier: Rules["tiers"][number], text: string, locale: Locale): number[] {
    if (rateText.test(text)) return [rateOf(tier)];
    if (/bienvenue|welcome|begrüßung|willkommen/i.test(text)) return [welcomePoints];
    if (/anniversaire|birthday|geburtstag/i.test(text)) return birthday;
    const stated = amountText.exec(text);
    if (stated && pointsText.test(text)) {
      const amount = read(stated[1] ?? stated[2] ?? "", locale);
      return rewards.filter(({ amountCents }) => amountCents === amount * centsPerUnit()).flatMap(ofReward);
    }
    return all;
  }

  const found: WrongNumber[] = [];
  const check = (field: string, text: string, locale: Locale, known: number[]) => {
    for (const [number] of text.matchAll(written))
      if (!known.includes(read(number, locale))) found.push({ field, text, number });
  };
  for (const locale of offeredLocales()) {
    tiers.forEach((tier, index) => {
      tier.benefits[locale].forEach((text, n) => {
        check(`tiers.${index}.benefits.${locale}.${n}`, text, locale, ofBenefit(tier, text, locale));
      });
    });
    rewards.forEach((reward, index) => {
      for (const part of ["name", "description"] as const)
        check(`rewards.${index}.${part}.${locale}`, reward[part][locale], locale, ofReward(reward));
    });
    events.forEach((event, index) => {
      for (const part of ["name", "description", "hint"] as const)
        check(`events.${index}.${part}.${locale}`, event[part][locale], locale, [pointsOf(event)]);
    });
  }
  return found;
}

/** A number as a language writes it: 1 250,5 in French, 1,250.5 in English, 1.250,5 in German, in Switzerland 1’250.50. */
function read(number: string, locale: Locale): number {
  const group = { fr: /[\s’']/g, en: /[\s’']|,(?=\d{3}(?!\d))/g, de: /[\s’']|\.(?=\d{3}(?!\d))/g }[locale];
  return Number(number.replace(group, "").replace(",", "."));
}
