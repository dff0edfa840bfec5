import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Difference } from "#loyalty/programme/versions/differences.ts";
import { useLineRuleWords } from "./line-rule-words.ts";

/** What the texts call the rules that are numbers. */
export const ruleNames = {
  welcomePoints: "gift",
  pointsPerEuro: "per_euro",
  pointsValidMonths: "validity",
  tierMonths: "period",
  pendingDays: "pending",
  reviewAmountCents: "review_amount",
  reviewPerDay: "review_per_day",
  adjustCustomerPoints: "adjust_points",
  adjustCustomerCents: "adjust_amount",
  adjustStaffPoints: "adjust_staff",
} as const;

/** A rule in a marketer's words: what it is called, and what it says before and after. */
export function useWords() {
  const { t, number, money, locale } = useTexts();
  const lineRule = useLineRuleWords();
  const points = (count: number) => t("office.programme.points", { count, formatted: number(count) });
  return (row: Difference): { name: string; before: string | null; after: string | null } => {
    const both = <One>(write: (one: One) => string, before: One | null, after: One | null) => ({
      before: before === null ? null : write(before),
      after: after === null ? null : write(after),
    });
    switch (row.part) {
      case "numbers": {
        const { rule } = row;
        const months = (count: number) => t("office.programme.months", { count });
        const plain = (count: number) => number(count);
        const writers: Record<typeof rule, (value: number) => string> = {
          welcomePoints: points,
          pointsPerEuro: plain,
          pendingDays: (count) => t("office.programme.days", { count }),
          pointsValidMonths: months,
          tierMonths: months,
          reviewAmountCents: (cents) => money(amountOf(cents)),
          reviewPerDay: plain,
          adjustCustomerPoints: points,
          adjustCustomerCents: (cents) => money(amountOf(cents)),
          adjustStaffPoints: points,
        };
        const write = writers[rule];
        return { name: t(`office.programme.rule.${ruleNames[rule]}`), ...both(write, row.before, row.after) };
      }
      case "referral": {
        const write = (referral: typeof row.before) =>
          referral.points === 0
            ? t("office.programme.referralOff")
            : t("office.programme.referralRule", {
                points: points(referral.points),
                days: t("office.programme.days", { count: referral.days }),
                count: referral.perYear,
              });
        return { name: t("office.programme.referral"), ...both(write, row.before, row.after) };
      }
      case "earnsOn":
        return { name: t("office.lines.earnsOn"), before: lineRule(row.before), after: lineRule(row.after) };
      case "lineCodes": {
        const name = t("office.lines.codeOf", { code: (row.after ?? row.before)?.code ?? "" });
        return { name, ...both((one) => one.name[locale] || t("office.programme.missing"), row.before, row.after) };
      }
      case "tiers": {
        const write = (tier: NonNullable<typeof row.before>) =>
          t("office.programme.tierRule", {
            count: tier.pointsRequired,
            formatted: number(tier.pointsRequired),
            rate: number(tier.multiplierHundredths / 100),
          });
        return { name: (row.after ?? row.before)?.name[locale] ?? "", ...both(write, row.before, row.after) };
      }
      case "benefits": {
        const name = t("office.programme.benefitOf", { tier: row.tier.name[locale] });
        return { name, ...both((line) => line[locale] || t("office.programme.missing"), row.before, row.after) };
      }
      case "events": {
        const write = (event: NonNullable<typeof row.before>) =>
          event.proof === "welcome" ? t("office.programme.theGift") : points(event.points);
        return { name: (row.after ?? row.before)?.name[locale] ?? "", ...both(write, row.before, row.after) };
      }
      case "rewards": {
        const write = (reward: NonNullable<typeof row.before>) => {
          const words = [points(reward.points), t("office.programme.days", { count: reward.validDays })];
          if (reward.minimumBasketCents !== null)
            words.push(t("office.programme.basketFrom", { amount: money(amountOf(reward.minimumBasketCents)) }));
          if (reward.usableOn) words.push(lineRule(reward.usableOn));
          return words.join(", ");
        };
        const shown = row.after ?? row.before;
        return { name: shown ? money(amountOf(shown.amountCents)) : "", ...both(write, row.before, row.after) };
      }
      case "contact": {
        const write = ({ contactEmail, contactPhone, contactHours }: typeof row.before) =>
          [contactEmail, contactPhone, contactHours?.[locale]].filter(Boolean).join(" · ");
        return { name: t("office.programme.contact"), ...both(write, row.before, row.after) };
      }
    }
  };
}
