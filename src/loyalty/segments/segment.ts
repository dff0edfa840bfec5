import type { PriceType } from "#loyalty/programme/line-rule.ts";

/** What a fact is compared with, and how the back office asks for it. */
interface FactKind {
  /** What `min` and `max` count; moments are days ago. */
  range?: "points" | "count" | "money" | "days";
  /** `days` is a window: the next days of what ends, else the last days. */
  window?: boolean;
  /** `in` is one of these. */
  choice?: "tier" | "month" | "language" | "shop" | "channel" | "voucher";
  /** Only purchases in a shop, with a code or of a price type. */
  goods?: boolean;
}

/** What the club knows of a member and a segment may ask. No free text, and nothing that a person wrote about a customer. */
const facts = {
  status: { choice: "tier" },
  balance: { range: "points" },
  expiring: { range: "points", window: true },
  purchases: { range: "count", window: true, goods: true },
  spent: { range: "money", window: true, goods: true },
  last_purchase: { range: "days", goods: true },
  first_purchase: { range: "days", goods: true },
  joined: { range: "days" },
  birthday_month: { choice: "month" },
  language: { choice: "language" },
  joined_in: { choice: "shop" },
  consent: { choice: "channel" },
  vouchers: { range: "count", choice: "voucher" },
  imported: {},
} as const satisfies Record<string, FactKind>;
export type Fact = keyof typeof facts;
export const factNames = Object.keys(facts) as Fact[];
export const kindOf = (fact: Fact): FactKind => facts[fact];

export const channels = ["email", "sms"] as const;
export type Channel = (typeof channels)[number];
/** Of vouchers: those that can be used now, and those that ended unused. */
export const voucherChoices = ["open", "unused"] as const;
/** In place of a month: that of the day. */
export const thisMonth = "now";
export const months = [thisMonth, ...Array.from({ length: 12 }, (_, n) => String(n + 1))];

export interface Condition {
  fact: Fact;
  min?: number | undefined;
  max?: number | undefined;
  days?: number | undefined;
  in?: string[] | undefined;
  shopId?: number | undefined;
  code?: string | undefined;
  priceType?: PriceType | undefined;
}

/** All, any or none of others, or one condition. */
export type Segment = { all: Segment[] } | { any: Segment[] } | { not: Segment } | Condition;

export const isCondition = (segment: Segment): segment is Condition => "fact" in segment;
export const mostLevels = 3;
export const mostConditions = 30;

const innerOf = (segment: Segment): Segment[] =>
  "all" in segment ? segment.all : "any" in segment ? segment.any : "not" in segment ? [segment.not] : [];

/** How deep groups stand in each other; a condition is no level of its own. */
export const levelsOf = (segment: Segment): number =>
  isCondition(segment) ? 0 : 1 + Math.max(0, ...innerOf(segment).map(levelsOf));

export const conditionsOf = (segment: Segment): Condition[] =>
  isCondition(segment) ? [segment] : innerOf(segment).flatMap(conditionsOf);
