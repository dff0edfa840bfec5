import { z } from "zod";
import { mostCents } from "#brand/amounts.ts";
import { locales } from "#i18n/locale.ts";
import { Refusal } from "#platform/refusal.ts";
import { priceTypes } from "./line-rule.ts";
import { mostLineCodes, mostRewards, mostTiers, noReferral, type Rules } from "./rules.ts";

const byLanguage = <Text extends z.ZodType>(text: Text) => z.strictObject({ fr: text, en: text, de: text });
/** One line. PostgreSQL stores neither NUL nor half a surrogate pair in JSON. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    .trim()
    .refine((text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text));
const texts = (most: number) => byLanguage(line(most));
const count = (most: number) => z.int().min(0).max(most);
/** By which ids may be ahead of those in use: a draft whose additions were removed again has gaps. */
const mostNewIds = 100;
const id = z.int().min(1).max(100_000);

/** A rule about lines (src/loyalty/programme/line-rule.ts). */
export const lineRuleShape = z.strictObject({
  priceTypes: z.array(z.enum(priceTypes)).max(priceTypes.length).optional(),
  anyCode: z.array(line(24)).max(mostLineCodes).optional(),
  noCode: z.array(line(24)).max(mostLineCodes).optional(),
  minimumLineAmount: line(12).optional(),
});

/** The form of rules, complete or not: a draft may lack texts, and numbers may be wrong (src/loyalty/programme/rules.ts). */
export const rulesShape = z.strictObject({
  welcomePoints: count(100_000),
  pointsPerEuro: count(1_000),
  pointsValidMonths: count(240),
  tierMonths: count(120),
  // Files and drafts of before these rules lack them.
  pendingDays: count(365).default(0),
  reviewAmountCents: count(mostCents).default(300_000),
  reviewPerDay: count(1_000).default(5),
  adjustCustomerPoints: count(10_000).default(250),
  adjustCustomerCents: count(100_000).default(1_000),
  adjustStaffPoints: count(100_000).default(1_000),
  referral: z.strictObject({ points: count(100_000), days: count(365), perYear: count(1_000) }).default(noReferral),
  earnsOn: lineRuleShape.nullable().default(null),
  lineCodes: z
    .array(z.strictObject({ code: line(24), name: texts(40) }))
    .max(mostLineCodes)
    .default([]),
  contactEmail: line(200).nullable(),
  contactPhone: line(40).nullable(),
  contactHours: texts(200).nullable(),
  tiers: z
    .array(
      z.strictObject({
        id,
        pointsRequired: count(10_000_000),
        multiplierHundredths: count(10_000),
        name: texts(40),
        benefits: byLanguage(z.array(line(120)).max(12)),
      }),
    )
    .max(mostTiers),
  rewards: z
    .array(
      z.strictObject({
        id,
        points: count(10_000_000),
        amountCents: count(10_000_000),
        validDays: count(3_650),
        minimumBasketCents: count(mostCents).nullable(),
        usableOn: lineRuleShape.nullable().default(null),
        name: texts(60),
        description: texts(200),
      }),
    )
    .max(mostRewards),
  events: z
    .array(
      z.strictObject({
        id,
        proof: z.string().max(40),
        frequency: z.enum(["once", "yearly"]),
        points: count(100_000),
        name: texts(60),
        description: texts(200),
        hint: texts(200),
      }),
    )
    .max(20),
});

const malformed = (field: string) => new Refusal("invalid", { errors: [{ field, code: "invalid" }] });

/**
 * Rules from a form or a file. An id means the same thing in every version: an event keeps the proof and the frequency that
 * the product knows for it, and there are no others. New tiers and rewards have the ids that follow, so that they never
 * run out.
 */
export function parseRules(
  text: string,
  known: { events: Rules["events"] },
  next: { tiers: number; rewards: number },
): Rules {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw malformed("Rules");
  }
  const read = rulesShape.safeParse(json);
  if (!read.success) throw malformed(read.error.issues[0]?.path.join(".") || "Rules");
  const rules = read.data;
  for (const part of ["tiers", "rewards", "events"] as const)
    if (new Set(rules[part].map((one) => one.id)).size < rules[part].length) throw malformed(part);
  for (const part of ["tiers", "rewards"] as const) {
    const far = rules[part].findIndex((one) => one.id >= next[part] + mostNewIds);
    if (far >= 0) throw malformed(`${part}.${far}.id`);
  }
  return {
    ...rules,
    tiers: rules.tiers.map((tier) => ({ ...tier, benefits: withoutEmptyEnd(tier.benefits) })),
    events: rules.events.map((event, index) => {
      const { proof, frequency } = known.events.find((one) => one.id === event.id) ?? {};
      if (proof === undefined || frequency === undefined) throw malformed(`events.${index}.id`);
      return { ...event, proof, frequency };
    }),
  };
}

/** Lines that are empty in every language at the end of the list are no benefits. */
function withoutEmptyEnd(benefits: Rules["tiers"][number]["benefits"]) {
  const filled = Math.max(...locales.map((locale) => benefits[locale].findLastIndex((text) => text !== "") + 1));
  const cut = (lines: string[]) => Array.from({ length: filled }, (_, index) => lines[index] ?? "");
  return { fr: cut(benefits.fr), en: cut(benefits.en), de: cut(benefits.de) };
}
