import { isAmount } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { offeredLocales } from "#i18n/locale.ts";
import type { FieldCode } from "#platform/refusal.ts";
import { type LineRule, lineCodePattern } from "./line-rule.ts";

type Texts = Record<Locale, string>;

interface TierRules {
  id: number;
  pointsRequired: number;
  /** By how much purchases earn more: 125 is 1.25 times the points. */
  multiplierHundredths: number;
  name: Texts;
  benefits: Record<Locale, string[]>;
}

interface RewardRules {
  id: number;
  points: number;
  amountCents: number;
  validDays: number;
  /** Null: its own value. */
  minimumBasketCents: number | null;
  /** Null: on every line that vouchers may pay. */
  usableOn: LineRule | null;
  name: Texts;
  description: Texts;
}

interface EventRules {
  id: number;
  /** How the server sees that it happened; it belongs to the id. */
  proof: string;
  frequency: "once" | "yearly";
  points: number;
  name: Texts;
  description: Texts;
  hint: Texts;
}

/** What a member gets for a friend who joins and buys. */
export interface ReferralRules {
  /** 0: recommending brings nothing. */
  points: number;
  /** Days after the friend's first purchase until the points arrive: what can be returned must not bring any. */
  days: number;
  /** For so many friends in a year. */
  perYear: number;
}
export const noReferral: ReferralRules = { points: 0, days: 0, perYear: 0 };

/** A code that head office declares for lines: a category, a collection, a brand. */
export interface LineCode {
  code: string;
  name: Texts;
}

/** The rules of the club as a marketer writes them: a draft, a version, or a file. Tiers stand from the lowest up. */
export interface Rules {
  welcomePoints: number;
  pointsPerEuro: number;
  pointsValidMonths: number;
  tierMonths: number;
  /** Days after a purchase until its points arrive: the withdrawal period of online sales. */
  pendingDays: number;
  /** A sale is reviewed when more than this was paid for lines that earn, or after so many sales of a customer in a day. */
  reviewAmountCents: number;
  reviewPerDay: number;
  /** What one person of the staff may give or take of a customer, and of everybody, in a day. */
  adjustCustomerPoints: number;
  adjustCustomerCents: number;
  adjustStaffPoints: number;
  referral: ReferralRules;
  /** Which lines earn; null: all but gift cards. */
  earnsOn: LineRule | null;
  lineCodes: LineCode[];
  contactEmail: string | null;
  contactPhone: string | null;
  contactHours: Texts | null;
  tiers: TierRules[];
  rewards: RewardRules[];
  events: EventRules[];
}

/** What is wrong, at a path of the rules such as `tiers.1.pointsRequired`. */
export interface RuleProblem {
  field: string;
  code: FieldCode;
}

/** Pages have a layout for so many; from the third on they share a cloth. */
export const mostTiers = 6;
export const mostRewards = 8;
export const mostLineCodes = 200;
export const maxPendingDays = 60;
/** The shortest month: points must not lapse before they arrive. */
const daysOfMonth = 28;
/** In any tier. The points of the largest receipt that a till can send, times ten by a campaign, then fit in an integer. */
export const mostPointsPerEuro = 100;

/** What a mail program and a phone can call; whether a person answers is not known. */
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
const phonePattern = /^\+?\d[\d ().-]{4,}$/;

/** A list that is there and empty would match nothing; a code that is not declared was misspelt. */
export function checkLineRule(rule: LineRule | null, lineCodes: readonly LineCode[], field: string): RuleProblem[] {
  const problems: RuleProblem[] = [];
  if (rule?.priceTypes?.length === 0) problems.push({ field: `${field}.priceTypes`, code: "required" });
  for (const part of ["anyCode", "noCode"] as const) {
    if (rule?.[part]?.length === 0) problems.push({ field: `${field}.${part}`, code: "required" });
    const unknown = rule?.[part]?.some((code) => !lineCodes.some((one) => one.code === code));
    if (unknown) problems.push({ field: `${field}.${part}`, code: "unknown_code" });
  }
  const least = rule?.minimumLineAmount;
  if (least !== undefined && !isAmount(least)) problems.push({ field: `${field}.minimumLineAmount`, code: "invalid" });
  return problems;
}

/** Everything that keeps the rules from being published. */
export function checkRules(rules: Rules): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const find = (wrong: boolean, field: string, code: FieldCode) => {
    if (wrong) problems.push({ field, code });
  };
  const findTexts = (texts: Texts, field: string) => {
    for (const locale of offeredLocales()) find(texts[locale].trim() === "", `${field}.${locale}`, "required");
  };
  const findLineRule = (rule: LineRule | null, field: string) =>
    problems.push(...checkLineRule(rule, rules.lineCodes, field));
  for (const field of ["pointsPerEuro", "pointsValidMonths", "tierMonths"] as const)
    find(rules[field] < 1, field, "above_zero");
  for (const field of ["reviewAmountCents", "reviewPerDay"] as const) find(rules[field] < 1, field, "above_zero");
  for (const field of ["adjustCustomerPoints", "adjustCustomerCents", "adjustStaffPoints"] as const)
    find(rules[field] < 1, field, "above_zero");
  find(
    rules.pendingDays > Math.min(maxPendingDays, rules.pointsValidMonths * daysOfMonth),
    "pendingDays",
    "pending_too_long",
  );
  if (rules.referral.points > 0) {
    find(rules.referral.days < rules.pendingDays, "referral.days", "below_pending");
    find(rules.referral.perYear < 1, "referral.perYear", "above_zero");
  }
  find(rules.contactEmail !== null && !emailPattern.test(rules.contactEmail), "contactEmail", "email");
  find(rules.contactPhone !== null && !phonePattern.test(rules.contactPhone), "contactPhone", "phone");
  find(rules.tiers.length === 0, "tiers", "required");
  rules.tiers.forEach((tier, index) => {
    const field = `tiers.${index}`;
    const before = rules.tiers[index - 1];
    find(!before && tier.pointsRequired !== 0, `${field}.pointsRequired`, "first_zero");
    find(before !== undefined && tier.pointsRequired <= before.pointsRequired, `${field}.pointsRequired`, "ascending");
    find(tier.multiplierHundredths < 1, `${field}.multiplierHundredths`, "above_zero");
    const hundredths = rules.pointsPerEuro * tier.multiplierHundredths;
    find(hundredths > mostPointsPerEuro * 100, `${field}.multiplierHundredths`, "too_many_points");
    findTexts(tier.name, `${field}.name`);
    const most = Math.max(...offeredLocales().map((locale) => tier.benefits[locale].length));
    for (const locale of offeredLocales())
      for (let n = 0; n < most; n += 1)
        find((tier.benefits[locale][n] ?? "").trim() === "", `${field}.benefits.${locale}.${n}`, "required");
  });
  rules.rewards.forEach((reward, index) => {
    const field = `rewards.${index}`;
    for (const number of ["points", "amountCents", "validDays"] as const)
      find(reward[number] < 1, `${field}.${number}`, "above_zero");
    find(
      reward.minimumBasketCents !== null && reward.minimumBasketCents < reward.amountCents,
      `${field}.minimumBasketCents`,
      "below_value",
    );
    findTexts(reward.name, `${field}.name`);
    findTexts(reward.description, `${field}.description`);
    findLineRule(reward.usableOn, `${field}.usableOn`);
  });
  findLineRule(rules.earnsOn, "earnsOn");
  rules.lineCodes.forEach(({ code, name }, index) => {
    const field = `lineCodes.${index}`;
    const again = rules.lineCodes.findIndex((one) => one.code === code) < index;
    find(code === "", `${field}.code`, "required");
    find(code !== "" && (!lineCodePattern.test(code) || again), `${field}.code`, again ? "twice" : "line_code");
    findTexts(name, `${field}.name`);
  });
  rules.events.forEach((event, index) => {
    const field = `events.${index}`;
    find(event.points < 1, `${field}.points`, "above_zero");
    for (const texts of ["name", "description", "hint"] as const) findTexts(event[texts], `${field}.${texts}`);
  });
  return problems;
}
