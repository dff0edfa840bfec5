import { centsPerUnit } from "#brand/amounts.ts";

/** The arithmetic of a sale, in whole cents and whole hundredths: no floating point, no database, no clock. */

/** A line of a receipt: its position and its price with VAT. A gift card or an alteration earns nothing. */
export interface BasketLine {
  line: string;
  cents: number;
  earns: boolean;
}

/** A voucher as it counts in a basket. */
export interface BasketVoucher {
  code: string;
  valueCents: number;
  /** What the lines that earn must still come to for it to be used. */
  minimumCents: number;
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
}

/** More points for a period, for those it is for. */
export interface Campaign {
  id: number;
  multiplierHundredths: number | null;
  extraPoints: number | null;
  /** What must be paid at least for lines that earn. */
  minimumCents: number | null;
}

export interface PricedLine extends BasketLine {
  /** What vouchers took off this line. */
  shareCents: number;
  /** What was paid for it, less what was given back. */
  paidCents: number;
}

export interface PricedBasket {
  lines: PricedLine[];
  vouchers: { code: string; takenCents: number }[];
  /** Codes of vouchers for which what was left was too little. */
  tooSmall: string[];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const earningCents = (lines: readonly BasketLine[]) => sum(lines.map((line) => (line.earns ? line.cents : 0)));

/**
 * Vouchers lower the price of the lines that earn: each in turn while what is left reaches its minimum, and no change is
 * given. What they take together is spread over these lines once.
 */
export function priceBasket(lines: readonly BasketLine[], vouchers: readonly BasketVoucher[]): PricedBasket {
  let leftCents = earningCents(lines);
  const used: PricedBasket["vouchers"] = [];
  const tooSmall: string[] = [];
  for (const { code, valueCents, minimumCents } of vouchers) {
    if (leftCents === 0 || leftCents < minimumCents) {
      tooSmall.push(code);
      continue;
    }
    const takenCents = Math.min(valueCents, leftCents);
    used.push({ code, takenCents });
    leftCents -= takenCents;
  }
  const shares = spread(
    sum(used.map(({ takenCents }) => takenCents)),
    lines.map((line) => (line.earns ? line.cents : 0)),
  );
  return {
    lines: lines.map((line, index) => {
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

type Paid = Pick<PricedLine, "paidCents" | "earns">;

const paidCentsOf = (paid: readonly Paid[]) => sum(paid.map(({ paidCents, earns }) => (earns ? paidCents : 0)));

/** Of a receipt, so that an integer of the database holds them; the largest amount at the highest rate would give more. */
const mostPoints = 1_000_000_000n;

/** The points of a receipt: on what was paid for the lines that earn, rounded down once, never line by line. */
export function pointsOf(paid: readonly Paid[], rule: EarningRule): number {
  const cents = BigInt(paidCentsOf(paid));
  const { pointsPerEuro, multiplierHundredths } = rule;
  const { campaignMultiplierHundredths, campaignExtraPoints, campaignMinimumCents } = rule;
  const hundredths = cents * BigInt(pointsPerEuro) * BigInt(multiplierHundredths);
  const points = (hundredths * BigInt(campaignMultiplierHundredths ?? 100)) / (10_000n * BigInt(centsPerUnit()));
  // Added points stay while the campaign's least amount is left, or anything where it asks for none.
  const added = cents >= BigInt(campaignMinimumCents ?? 1) ? (campaignExtraPoints ?? 0) : 0;
  return Number(points < mostPoints ? points : mostPoints) + added;
}

/** The rule that is stored with a sale; null when no one was named. */
export function frozenRule(sale: { [name in keyof EarningRule]?: number | null }): EarningRule | null {
  const { pointsPerEuro, multiplierHundredths, campaignId } = sale;
  const { campaignMultiplierHundredths, campaignExtraPoints, campaignMinimumCents } = sale;
  if (!pointsPerEuro || !multiplierHundredths) return null;
  const campaign = { campaignId, campaignMultiplierHundredths, campaignExtraPoints, campaignMinimumCents };
  return { pointsPerEuro, multiplierHundredths, ...(campaignId && campaign) };
}

/** How many of the points are there because of the campaign. */
export function campaignPointsOf(paid: readonly Paid[], rule: EarningRule): number {
  const { pointsPerEuro, multiplierHundredths } = rule;
  return pointsOf(paid, rule) - pointsOf(paid, { pointsPerEuro, multiplierHundredths });
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
  for (const { id, multiplierHundredths: times, extraPoints, minimumCents } of campaigns) {
    if (paidCentsOf(lines) < (minimumCents ?? 0)) continue;
    const campaign = { campaignId: id, campaignMultiplierHundredths: times, campaignExtraPoints: extraPoints };
    const rule = { pointsPerEuro, multiplierHundredths, ...campaign, campaignMinimumCents: minimumCents };
    if (pointsOf(lines, rule) > pointsOf(lines, best)) best = rule;
  }
  return best;
}

/** What is left of a sale's lines once this much of each was given back. */
export function linesLeft(lines: readonly PricedLine[], returnedCents: ReadonlyMap<string, number>): PricedLine[] {
  return lines.map((line) => ({ ...line, paidCents: line.paidCents - (returnedCents.get(line.line) ?? 0) }));
}
