import { centsOf } from "#brand/amounts.ts";

/** What kind of price a line of a receipt has. */
export const priceTypes = ["full", "sale", "outlet", "service", "giftcard"] as const;
export type PriceType = (typeof priceTypes)[number];

/** A category, collection or brand; never the number of an article. */
export const lineCodePattern = /^[a-z0-9-]{1,24}$/;
export const mostCodesOfLine = 8;

/** Which lines a rule is about: all parts that are present must hold, and without any it is about every line. */
export interface LineRule {
  priceTypes?: PriceType[] | undefined;
  anyCode?: string[] | undefined;
  noCode?: string[] | undefined;
  /** A decimal text in the currency of the club. */
  minimumLineAmount?: string | undefined;
}

/** What a rule may ask about a line. */
export interface RuledLine {
  /** Its price before vouchers. */
  cents: number;
  /** Absent: full. */
  priceType?: PriceType | undefined;
  codes?: string[] | undefined;
}

/** Why a line does not count. */
export const lineReasons = ["no_points", "gift_card", "price_type", "code", "amount"] as const;
export type LineReason = (typeof lineReasons)[number];

/**
 * The one predicate about lines: of earning, rewards, campaigns, quotes and the simulator. Undefined where the line counts.
 * A gift card never does.
 */
export function lineReason(line: RuledLine, rule: LineRule | null): LineReason | undefined {
  const { priceType = "full", codes = [] } = line;
  if (priceType === "giftcard") return "gift_card";
  if (rule?.priceTypes && !rule.priceTypes.includes(priceType)) return "price_type";
  if (rule?.anyCode && !rule.anyCode.some((code) => codes.includes(code))) return "code";
  if (rule?.noCode?.some((code) => codes.includes(code))) return "code";
  if (rule?.minimumLineAmount !== undefined && line.cents < centsOf(rule.minimumLineAmount)) return "amount";
  return undefined;
}
