import { useTexts } from "#i18n/use-texts.tsx";
import type { LineRule } from "#loyalty/programme/line-rule.ts";

/** A rule about lines in words: which price types, which codes, from which amount on. */
export function useLineRuleWords() {
  const { t, money } = useTexts();
  return (rule: LineRule | null): string => {
    const words = [
      rule?.priceTypes?.map((type) => t(`office.priceType.${type}`)).join(", "),
      rule?.anyCode && t("office.lines.with", { codes: rule.anyCode.join(", ") }),
      rule?.noCode && t("office.lines.without", { codes: rule.noCode.join(", ") }),
      rule?.minimumLineAmount && t("office.lines.from", { amount: money(rule.minimumLineAmount) }),
    ].filter(Boolean);
    return words.length > 0 ? words.join(" · ") : t("office.lines.all");
  };
}
