import { type Locale, locales } from "#i18n/locale.ts";
import type { LineRule } from "#loyalty/programme/line-rule.ts";
import type { ReferralRules, Rules } from "#loyalty/programme/rules.ts";

/** The rules that are one number each, in the order a marketer reads them. */
export const numberRules = [
  ...(["welcomePoints", "pointsPerEuro", "pendingDays", "pointsValidMonths", "tierMonths"] as const),
  ...(["reviewAmountCents", "reviewPerDay"] as const),
  ...(["adjustCustomerPoints", "adjustCustomerCents", "adjustStaffPoints"] as const),
] as const;

/** The words of what is different: one of these stands beside each changed row. */
type Change = "new" | "gone" | "value" | "threshold" | "rate" | "points" | "basket" | "validity" | "lines" | "text";

/** One row of the comparison: a rule before and after. Null: it was not there, or is no longer. */
export type Difference = { changes: Change[] } & (
  | {
      part: "numbers";
      rule: (typeof numberRules)[number];
      before: number;
      after: number;
    }
  | { part: "referral"; before: ReferralRules; after: ReferralRules }
  | { part: "earnsOn"; before: LineRule | null; after: LineRule | null }
  | { part: "lineCodes"; before: Rules["lineCodes"][number] | null; after: Rules["lineCodes"][number] | null }
  | { part: "contact"; before: Contact; after: Contact }
  | { part: "tiers"; before: Rules["tiers"][number] | null; after: Rules["tiers"][number] | null }
  | { part: "benefits"; tier: Rules["tiers"][number]; before: Line | null; after: Line | null }
  | { part: "events"; before: Rules["events"][number] | null; after: Rules["events"][number] | null }
  | { part: "rewards"; before: Rules["rewards"][number] | null; after: Rules["rewards"][number] | null }
);

type Line = Record<Locale, string>;
type Contact = Pick<Rules, "contactEmail" | "contactPhone" | "contactHours">;

/** The database and a form write the keys of an object in different orders. */
const sorted = (_: string, value: unknown) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
export const same = (a: unknown, b: unknown) => JSON.stringify(a, sorted) === JSON.stringify(b, sorted);

/** Every rule of two programmes, in the order a marketer reads them; `changes` is empty where they are equal. */
export function compareRules(before: Rules, after: Rules): Difference[] {
  return [
    ...numberRules.map((rule): Difference => {
      const changes: Change[] = before[rule] === after[rule] ? [] : ["value"];
      return { part: "numbers", rule, before: before[rule], after: after[rule], changes };
    }),
    {
      part: "referral",
      before: before.referral,
      after: after.referral,
      changes: same(before.referral, after.referral) ? [] : ["value"],
    },
    {
      part: "earnsOn",
      before: before.earnsOn,
      after: after.earnsOn,
      changes: same(before.earnsOn, after.earnsOn) ? [] : ["lines"],
    },
    ...pairs(byCode(before.lineCodes), byCode(after.lineCodes)).map(
      ([old, now]): Difference => ({
        part: "lineCodes",
        before: old,
        after: now,
        changes: changesOf(old, now, [["text", ({ name }) => name]]),
      }),
    ),
    ...pairs(before.tiers, after.tiers).flatMap(([old, now]): Difference[] => [
      {
        part: "tiers",
        before: old,
        after: now,
        changes: changesOf(old, now, [
          ["threshold", ({ pointsRequired }) => pointsRequired],
          ["rate", ({ multiplierHundredths }) => multiplierHundredths],
          ["text", ({ name }) => name],
        ]),
      },
      ...benefits(old, now),
    ]),
    ...pairs(before.events, after.events).map(
      ([old, now]): Difference => ({
        part: "events",
        before: old,
        after: now,
        changes: changesOf(old, now, [
          // Those of joining are the welcome gift, which has a row of its own.
          ["points", ({ proof, points }) => (proof === "welcome" ? 0 : points)],
          ["text", ({ name, description, hint }) => [name, description, hint]],
        ]),
      }),
    ),
    ...pairs(before.rewards, after.rewards).map(
      ([old, now]): Difference => ({
        part: "rewards",
        before: old,
        after: now,
        changes: changesOf(old, now, [
          ["value", ({ amountCents }) => amountCents],
          ["points", ({ points }) => points],
          ["basket", ({ minimumBasketCents }) => minimumBasketCents],
          ["validity", ({ validDays }) => validDays],
          ["lines", ({ usableOn }) => usableOn],
          ["text", ({ name, description }) => [name, description]],
        ]),
      }),
    ),
    {
      part: "contact",
      before: contactOf(before),
      after: contactOf(after),
      changes: same(contactOf(before), contactOf(after)) ? [] : ["text"],
    },
  ];
}

const contactOf = ({ contactEmail, contactPhone, contactHours }: Rules): Contact => ({
  contactEmail,
  contactPhone,
  contactHours,
});

/** A code is its own id. */
const byCode = (codes: Rules["lineCodes"]) => codes.map((one) => ({ ...one, id: one.code }));

/** By their ids: those of the later rules in their order, then those that are gone. */
function pairs<One extends { id: number | string }>(before: One[], after: One[]): [One | null, One | null][] {
  return [
    ...after.map((now): [One | null, One | null] => [before.find(({ id }) => id === now.id) ?? null, now]),
    ...before
      .filter(({ id }) => !after.some((now) => now.id === id))
      .map((old): [One | null, One | null] => [old, null]),
  ];
}

function changesOf<One>(old: One | null, now: One | null, parts: [Change, (one: One) => unknown][]): Change[] {
  if (!old) return ["new"];
  if (!now) return ["gone"];
  return parts.filter(([, part]) => !same(part(old), part(now))).map(([change]) => change);
}

/** The lines of a tier's benefits that are not the same; a line is what stands at one place in each language. */
function benefits(old: Rules["tiers"][number] | null, now: Rules["tiers"][number] | null): Difference[] {
  if (!now || !old) return [];
  const lines = ({ benefits }: Rules["tiers"][number]): Line[] =>
    Array.from({ length: Math.max(...locales.map((locale) => benefits[locale].length)) }, (_, index) => ({
      fr: benefits.fr[index] ?? "",
      en: benefits.en[index] ?? "",
      de: benefits.de[index] ?? "",
    }));
  const [before, after] = [lines(old), lines(now)];
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => index).flatMap((index): Difference[] => {
    const [was, is] = [before[index] ?? null, after[index] ?? null];
    if (same(was, is)) return [];
    return [{ part: "benefits", tier: now, before: was, after: is, changes: [!was ? "new" : !is ? "gone" : "text"] }];
  });
}
