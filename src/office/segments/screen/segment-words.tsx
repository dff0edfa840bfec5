import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { type Condition, isCondition, kindOf, type Segment } from "#loyalty/segments/segment.ts";
import { type Choices, useOptions } from "./use-options.ts";

/** A segment's definition in words, for a person who decides by it. */
export function SegmentWords({ segment, choices }: { segment: Segment; choices: Choices }) {
  const wordsOf = useConditionWords(choices);
  return (
    <ul className="segment-words">
      <Part segment={segment} wordsOf={wordsOf} />
    </ul>
  );
}

function Part({
  segment,
  negated = false,
  wordsOf,
}: {
  segment: Segment;
  negated?: boolean;
  wordsOf: (condition: Condition) => string;
}) {
  const { t } = useTexts();
  if ("not" in segment) return <Part segment={segment.not} negated={!negated} wordsOf={wordsOf} />;
  const written = (words: string) => (negated ? t("office.segments.words.not", { words }) : words);
  if (isCondition(segment)) return <li>{written(wordsOf(segment))}</li>;
  const [mode, inner] = "all" in segment ? (["all", segment.all] as const) : (["any", segment.any] as const);
  return (
    <li>
      {written(t(`office.segments.${mode}`))}
      <ul>
        {inner.map((one) => (
          <Part key={JSON.stringify(one)} segment={one} wordsOf={wordsOf} />
        ))}
      </ul>
    </li>
  );
}

function useConditionWords(choices: Choices) {
  const { t, money, number } = useTexts();
  const optionsOf = useOptions(choices);
  return ({ fact, min, max, days, in: chosen, shopId, code, priceType }: Condition) => {
    const { range, choice } = kindOf(fact);
    const nameOf = (kind: NonNullable<typeof choice>, value: string) =>
      optionsOf(kind).find(([one]) => one === value)?.[1] ?? value;
    const limit = (end: "min" | "max", value: number | undefined) => {
      if (value === undefined) return undefined;
      if (range === "days") return t(`office.segments.words.${end}Days`, { count: value });
      return t(`office.segments.words.${end}`, { value: range === "money" ? money(amountOf(value)) : number(value) });
    };
    const parts = [
      choice &&
        chosen
          ?.map((value) => nameOf(choice, value))
          .join(` ${t(choice === "channel" ? "office.segments.words.and" : "office.segments.words.or")} `),
      limit("min", min),
      limit("max", max),
      days !== undefined &&
        t(fact === "expiring" ? "office.segments.words.nextDays" : "office.segments.words.days", { count: days }),
      shopId !== undefined && `${t("office.segments.shop")} ${nameOf("shop", String(shopId))}`,
      code !== undefined &&
        `${t("office.segments.code")} ${choices.Codes.find(({ Code }) => Code === code)?.Name ?? code}`,
      priceType && `${t("office.segments.priceType")} ${t(`office.priceType.${priceType}`)}`,
    ].filter(Boolean);
    const words = t(`office.segments.fact.${fact}`);
    return parts.length > 0
      ? t("office.segments.words.condition", { fact: words, parts: parts.join("\u00a0· ") })
      : words;
  };
}
