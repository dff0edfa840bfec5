import { centsPerUnit } from "#brand/amounts.ts";
import { type LineReason, type LineRule, lineReason, type RuledLine } from "#loyalty/programme/line-rule.ts";

/** The arithmetic of a sale, in whole cents and whole hundredths: no floating point, no database, no clock. */

/** A line of a receipt as sent: its position and its price with VAT. An alteration or a delivery earns nothing. */
export interface BasketLine extends RuledLine {
  line: string;
  cents: number;
  earns: boolean;
}

/** A voucher as it counts in a basket. */
export interface BasketVoucher {
  code: string;
  valueCents: number;
  /** What the lines that it may pay must still come to for it to be used. */
  minimumCents: number;
  /** Which lines it may pay; null: all but gift cards and lines sent with Earns false. */
  usableOn?: LineRule | null;
}

/** The rule of earning, frozen with the sale: a later change of the programme changes no return. */
export interface EarningRule {
  pointsPerEuro: number;
  /** The multiplier of the tier, in hundredths: 125 for 1.25. */
  multiplierHundredths: number;
  /** The campaign of the sale: it multiplies the points once more, or adds some. */
  campaignId?: number | null;
  campaignMultiplierHundredths?: number | null;
  campaignExtraPoints?: number | null;
  /** What must be left of lines that earn for the points that it adds; without it, anything. */
  campaignMinimumCents?: number | null;
  /** The most points that the campaign adds to this sale; without it, any number. */
  campaignCapPoints?: number | null;
  /** The lines that the campaign counts for, of one that is about some; without it, all that earn. */
  campaignLines?: string[] | null;
  /** Of a sale in a former club, whose rule is unknown: so many points for so many cents. */
  formerPoints?: number;
  formerCents?: number;
}

/** More points for a period, for those it is for. */
export interface Campaign {
  id: number;
  multiplierHundredths: number | null;
  extraPoints: number | null;
  /** What must be paid at least for lines that it counts for. */
  minimumCents: number | null;
  /** Which lines it counts for, of those that earn; null: all of them. */
  lineRule?: LineRule | null;
  /** Of one whose points are limited: how many are left for the member. */
  leftPoints?: number | null;
}

/** A line as it is stored: `earns` is what the programme's rule about lines made of it, once and for good. */
export interface PricedLine extends BasketLine {
  /** It was sent as one that earns, and the rule said no. */
  ruledOut?: true;
  /** What vouchers took off this line. */
  shareCents: number;
  /** What was paid for it, less what was given back. */
  paidCents: number;
}

export interface PricedBasket {
  lines: PricedLine[];
  /** `lines`: of a voucher that is limited to some, those it may pay. */
  vouchers: { code: string; takenCents: number; lines?: string[] }[];
  /** Vouchers for which what was left was too little, with the lines that they may not pay. */
  tooSmall: { code: string; lines: UnpaidLine[] }[];
}

/** A line that a voucher may not pay, and why. */
export interface UnpaidLine {
  line: string;
  reason: LineReason;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Whether a line was sent as one that earns. */
export const earnsAsSent = ({ earns, ruledOut }: Pick<PricedLine, "earns" | "ruledOut">): boolean =>
  earns || ruledOut === true;

/** Which lines earn by the programme's rule (null: all but gift cards), from what was sent of them. */
export function decideEarning<Line extends Omit<PricedLine, "shareCents" | "paidCents">>(
  lines: readonly Line[],
  earnsOn: LineRule | null,
): Line[] {
  return lines.map((line) => {
    const { ruledOut: _, ...sent } = { ...line, earns: earnsAsSent(line) };
    const out = sent.earns && lineReason(line, earnsOn) !== undefined;
    return (out ? { ...sent, earns: false, ruledOut: true } : sent) as Line;
  });
}

const unpaidReason = (line: BasketLine, usableOn: LineRule | null) =>
  line.earns ? lineReason(line, usableOn) : "no_points";

/**
 * Vouchers lower the price of the lines that they may pay: each in the order sent while what is left of these reaches its
 * minimum, and no change is given. What vouchers take that follow each other and may pay the same lines is spread over them
 * once. Which lines earn does not limit vouchers.
 */
export function priceBasket(
  lines: readonly BasketLine[],
  vouchers: readonly BasketVoucher[],
  earnsOn: LineRule | null = null,
): PricedBasket {
  const shares = lines.map(() => 0);
  const used: PricedBasket["vouchers"] = [];
  const tooSmall: PricedBasket["tooSmall"] = [];
  /** What is left of each line that the vouchers in turn may pay, and what these have taken together. */
  let turn = { key: "", weights: [] as number[], takenCents: 0 };
  const spreadTurn = () => {
    spread(turn.takenCents, turn.weights).forEach((cents, index) => {
      shares[index] = (shares[index] ?? 0) + cents;
    });
  };
  for (const { code, valueCents, minimumCents, usableOn = null } of vouchers) {
    const reasons = lines.map((line) => unpaidReason(line, usableOn));
    const key = reasons.map((reason) => (reason ? "0" : "1")).join("");
    if (key !== turn.key) {
      spreadTurn();
      const weights = lines.map(({ cents }, index) => (reasons[index] ? 0 : cents - (shares[index] ?? 0)));
      turn = { key, weights, takenCents: 0 };
    }
    const leftCents = sum(turn.weights) - turn.takenCents;
    if (leftCents === 0 || leftCents < minimumCents) {
      const unpaid = lines.flatMap(({ line }, index) => (reasons[index] ? [{ line, reason: reasons[index] }] : []));
      tooSmall.push({ code, lines: unpaid });
      continue;
    }
    const takenCents = Math.min(valueCents, leftCents);
    turn.takenCents += takenCents;
    const payable = lines.flatMap(({ line }, index) => (reasons[index] ? [] : [line]));
    used.push({ code, takenCents, ...(usableOn && { lines: payable }) });
  }
  spreadTurn();
  return {
    lines: decideEarning<Omit<PricedLine, "shareCents" | "paidCents">>(lines, earnsOn).map((line, index) => {
      const shareCents = shares[index] ?? 0;
      return { ...line, shareCents, paidCents: line.cents - shareCents };
    }),
    vouchers: used,
    tooSmall,
  };
}

/**
 * Spreads an amount in proportion to the weights by the largest remainder, so that the shares add up to the cent; of equal
 * remainders the earlier comes first. No share is larger than its weight, as long as the amount is no larger than all.
 */
export function spread(amount: number, weights: readonly number[]): number[] {
  const total = sum(weights);
  if (total === 0) return weights.map(() => 0);
  // BigInt: an amount times a weight may exceed what a number holds exactly.
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const shares = exact.map((share) => Number(share / BigInt(total)));
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % BigInt(total) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder.slice(0, amount - sum(shares))) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

type Paid = Pick<PricedLine, "line" | "paidCents" | "earns">;

/** What was paid for lines that earn; of some lines alone, where they are given. */
const paidCentsOf = (paid: readonly Paid[], lines?: readonly string[] | null) =>
  sum(paid.map(({ line, paidCents, earns }) => (earns && (lines?.includes(line) ?? true) ? paidCents : 0)));

/** Of a receipt, so that an integer of the database holds them; the largest amount at the highest rate would give more. */
const mostPoints = 1_000_000_000n;

/** The points of a receipt: on what was paid for the lines that earn, rounded down once, never line by line. */
export function pointsOf(paid: readonly Paid[], rule: EarningRule): number {
  const points = uncappedPointsOf(paid, rule);
  if (typeof rule.campaignCapPoints !== "number") return points;
  const base = uncappedPointsOf(paid, withoutCampaign(rule));
  return base + Math.min(rule.campaignCapPoints, points - base);
}

const withoutCampaign = (rule: EarningRule): EarningRule => ({
  ...rule,
  ...{ campaignMultiplierHundredths: null, campaignExtraPoints: null, campaignCapPoints: null },
});

function uncappedPointsOf(paid: readonly Paid[], rule: EarningRule): number {
  const cents = BigInt(paidCentsOf(paid));
  const campaignCents = BigInt(paidCentsOf(paid, rule.campaignLines));
  if (rule.formerCents) return Number((cents * BigInt(rule.formerPoints ?? 0)) / BigInt(rule.formerCents));
  const { pointsPerEuro, multiplierHundredths } = rule;
  const { campaignMultiplierHundredths, campaignExtraPoints, campaignMinimumCents } = rule;
  // The campaign multiplies its own lines alone; rounded down once.
  const weighted = cents * 100n + campaignCents * BigInt((campaignMultiplierHundredths ?? 100) - 100);
  const points = (weighted * BigInt(pointsPerEuro) * BigInt(multiplierHundredths)) / (10_000n * BigInt(centsPerUnit()));
  // Added points stay while the campaign's least amount is left, or anything where it asks for none.
  const added = campaignCents >= BigInt(campaignMinimumCents ?? 1) ? (campaignExtraPoints ?? 0) : 0;
  return Number(points < mostPoints ? points : mostPoints) + added;
}

/** The rule that is stored with a sale; null when no one was named. */
export function frozenRule(sale: { [name in keyof EarningRule]?: EarningRule[name] | null }): EarningRule | null {
  const { pointsPerEuro, multiplierHundredths, campaignId } = sale;
  const { campaignMultiplierHundredths, campaignExtraPoints, campaignMinimumCents, campaignCapPoints } = sale;
  if (!pointsPerEuro || !multiplierHundredths) return null;
  const campaign = {
    ...{ campaignId, campaignMultiplierHundredths, campaignExtraPoints, campaignMinimumCents },
    ...{ campaignCapPoints, campaignLines: sale.campaignLines },
  };
  return { pointsPerEuro, multiplierHundredths, ...(campaignId && campaign) };
}

/** How many of the points are there because of the campaign. */
export function campaignPointsOf(paid: readonly Paid[], rule: EarningRule): number {
  return pointsOf(paid, rule) - pointsOf(paid, withoutCampaign(rule));
}

/**
 * The rule with the campaign that is best for the customer; of equal ones the first. One that adds nothing, or asks for more
 * than was paid, is none.
 */
export function withBestCampaign(
  lines: readonly PricedLine[],
  { pointsPerEuro, multiplierHundredths }: EarningRule,
  campaigns: readonly Campaign[],
): EarningRule {
  let best: EarningRule = { pointsPerEuro, multiplierHundredths };
  for (const { id, multiplierHundredths: times, extraPoints, minimumCents, ...limits } of campaigns) {
    const { leftPoints = null, lineRule = null } = limits;
    const campaignLines = lineRule && campaignLinesOf(lines, lineRule);
    if (paidCentsOf(lines, campaignLines) < (minimumCents ?? 0)) continue;
    const campaign = { campaignId: id, campaignMultiplierHundredths: times, campaignExtraPoints: extraPoints };
    const rule = {
      pointsPerEuro,
      multiplierHundredths,
      ...campaign,
      campaignMinimumCents: minimumCents,
      campaignCapPoints: leftPoints,
      campaignLines,
    };
    if (pointsOf(lines, rule) > pointsOf(lines, best)) best = rule;
  }
  return best;
}

/** The lines that a campaign counts for, decided once: it is stored with the sale. */
export const campaignLinesOf = (lines: readonly BasketLine[], rule: LineRule): string[] =>
  lines.flatMap((line) => (line.earns && lineReason(line, rule) === undefined ? [line.line] : []));

/** What is left of a sale's lines once this much of each was given back. */
export function linesLeft(lines: readonly PricedLine[], returnedCents: ReadonlyMap<string, number>): PricedLine[] {
  return lines.map((line) => ({ ...line, paidCents: line.paidCents - (returnedCents.get(line.line) ?? 0) }));
}
