import { z } from "zod";
import { locales } from "#i18n/locale.ts";
import { lineCodePattern, priceTypes } from "#loyalty/programme/line-rule.ts";
import { refuseField } from "#platform/refusal.ts";
import {
  type Condition,
  channels,
  conditionsOf,
  factNames,
  kindOf,
  levelsOf,
  months,
  mostConditions,
  mostLevels,
  type Segment,
  voucherChoices,
} from "./segment.ts";

const number = (most: number) => z.int().min(0).max(most).optional();
const condition = z.strictObject({
  fact: z.enum(factNames),
  min: number(999_999_999),
  max: number(999_999_999),
  days: number(3_660),
  in: z.array(z.string().max(24)).min(1).max(40).optional(),
  shopId: z.int().positive().max(2_147_483_647).optional(),
  code: z.string().regex(lineCodePattern).optional(),
  priceType: z.enum(priceTypes).optional(),
});
const inner: z.ZodType<Segment> = z.lazy(() => shape);
const group = z.array(inner).min(1).max(mostConditions);
const shape: z.ZodType<Segment> = z.union([
  z.strictObject({ all: group }),
  z.strictObject({ any: group }),
  z.strictObject({ not: inner }),
  condition.refine(isComplete),
]);

/** What a fact may be, where the list of it is closed. */
const allowed = {
  month: months,
  language: locales as readonly string[],
  channel: channels as readonly string[],
  voucher: voucherChoices as readonly string[],
};

/** A condition says what its fact is compared with, and nothing else. */
function isComplete({ fact, min, max, days, in: chosen, shopId, code, priceType }: Condition): boolean {
  const { range, window = false, choice, goods = false } = kindOf(fact);
  const ranged = min !== undefined || max !== undefined;
  const listed = choice === "tier" || choice === "shop" ? undefined : choice && allowed[choice];
  return (
    ranged === (range !== undefined) &&
    (min ?? 0) <= (max ?? Number.MAX_SAFE_INTEGER) &&
    (window || days === undefined) &&
    (fact !== "expiring" || days !== undefined) &&
    (chosen !== undefined) === (choice !== undefined) &&
    (chosen ?? []).every((one) => (listed ? listed.includes(one) : /^[1-9]\d{0,8}$/.test(one))) &&
    (goods || (shopId === undefined && code === undefined && priceType === undefined))
  );
}

/** A definition from a form; what is none is refused beside its field. */
export function parseSegment(text: string): Segment {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuseField("Definition", "invalid");
  }
  // Before its form is checked: what is nested without end would be followed without end.
  if (depthOf(json) > 2 * mostLevels + 2) return refuseField("Definition", "too_long");
  const read = shape.safeParse(json);
  if (!read.success) return refuseField("Definition", "invalid");
  if (levelsOf(read.data) > mostLevels || conditionsOf(read.data).length > mostConditions)
    return refuseField("Definition", "too_long");
  return read.data;
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
