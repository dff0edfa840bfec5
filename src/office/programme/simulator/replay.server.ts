import type { Rules } from "#loyalty/programme/rules.ts";
import { addMonths, countsFrom, tierFor } from "#loyalty/status/status.ts";
import {
  decideEarning,
  type EarningRule,
  linesLeft,
  type PricedLine,
  pointsOf,
} from "#shop/sales/purchase/basket.server.ts";
import type { Refund } from "#shop/sales/sales.tables.server.ts";
import { createDayTotals, createLots } from "./replay-sums.server.ts";

/**
 * The ledger of one customer, played again under other rules: no database, no clock. Points come from the same function that
 * earns, quotes and takes back (`pointsOf`). Days are the club's, as `YYYY-MM-DD`.
 */

interface When {
  /** The day on which it was written down: what had lapsed by then was gone. */
  day: string;
}
/** Points besides purchases: a gift, an event of the programme, or so many by hand. */
type CreditAct = When & {
  kind: "credit";
  earnedOn: string;
  points: number;
  expiresOn: string;
  of: "welcome" | { event: number } | "fixed";
};
type SaleAct = When & {
  kind: "sale";
  sale: string;
  soldOn: string;
  lines: readonly PricedLine[];
  /** The rule frozen with it. */
  rule: EarningRule;
  expiresOn: string | null;
  /** Its points were credited; those that wait for a person were not. */
  credited: boolean;
};
type ReturnAct = When & { kind: "return"; sale: string; refunds: readonly Refund[] };
/** Points spent on a reward, or taken by hand. */
type SpendAct = When & { kind: "spend"; points: number; reward: number | null };
export type Act = CreditAct | SaleAct | ReturnAct | SpendAct;

export interface History {
  memberSince: string;
  /** In the order they were written down. */
  acts: readonly Act[];
}

/** What became of a customer by the last day. */
export interface Replayed {
  /** Points credited from the first day of the window on, and those taken back. */
  issued: number;
  takenBack: number;
  balance: number;
  debt: number;
  tierId: number;
}

/**
 * Plays a history until a day. What was earned before the window's first day keeps the points it had; from then on the
 * rules decide: gift, events, rate, statuses, validity, and what rewards cost.
 */
export function replay(history: History, rules: Rules, { from, until }: { from: string; until: string }): Replayed {
  const lots = createLots();
  const earned = createDayTotals();
  const sold = new Map<string, { act: SaleAct; rule: EarningRule; lines: readonly PricedLine[] }>();
  /** By sale, what was given back on each line. */
  const returned = new Map<string, ReadonlyMap<string, number>>();
  let [debt, issued, takenBack] = [0, 0, 0];

  const credit = (points: number, earnedOn: string, expiresOn: string, sale: string | null) => {
    if (points <= 0) return;
    lots.add(points, expiresOn, sale);
    earned.add(earnedOn, points);
    if (earnedOn >= from) issued += points;
    // Every credit settles debt first.
    const settled = Math.min(debt, lots.balance());
    lots.take(settled);
    debt -= settled;
  };
  const clawBack = (sale: string, soldOn: string, points: number) => {
    debt += lots.takeBack(sale, points);
    earned.add(soldOn, -points);
    if (soldOn >= from) takenBack += points;
  };
  const tierOn = (day: string) => tierFor(rules.tiers, earned.between(countsFrom(day, rules.tierMonths), day));
  const expiry = (earnedOn: string, actual: string | null) =>
    earnedOn < from && actual ? actual : addMonths(earnedOn, rules.pointsValidMonths);

  for (const act of history.acts) {
    lots.lapse(act.day);
    if (act.kind === "credit") {
      const points = act.earnedOn < from ? act.points : pointsOfCredit(act, rules);
      credit(points, act.earnedOn, expiry(act.earnedOn, act.expiresOn), null);
    } else if (act.kind === "sale") {
      const { multiplierHundredths } = act.soldOn < history.memberSince ? tierFor(rules.tiers, 0) : tierOn(act.soldOn);
      // What a campaign froze beside the rate stays.
      const rule =
        act.soldOn < from ? act.rule : { ...act.rule, pointsPerEuro: rules.pointsPerEuro, multiplierHundredths };
      // A sale that was claimed had been returned in part before.
      const before = returned.get(act.sale) ?? new Map();
      const lines = act.soldOn < from ? act.lines : decideEarning(act.lines, rules.earnsOn);
      sold.set(act.sale, { act, rule, lines });
      if (act.credited)
        credit(pointsOf(linesLeft(lines, before), rule), act.soldOn, expiry(act.soldOn, act.expiresOn), act.sale);
    } else if (act.kind === "return") {
      const sale = sold.get(act.sale);
      const before = returned.get(act.sale) ?? new Map<string, number>();
      const after = new Map(before);
      for (const { line, cents } of act.refunds) after.set(line, (after.get(line) ?? 0) + cents);
      if (sale?.act.credited) {
        const points =
          pointsOf(linesLeft(sale.lines, before), sale.rule) - pointsOf(linesLeft(sale.lines, after), sale.rule);
        if (points > 0) clawBack(act.sale, sale.act.soldOn, points);
      }
      returned.set(act.sale, after);
    } else {
      const cost = act.day < from || act.reward === null ? act.points : costOf(act, rules);
      // What a member could not have paid was not obtained.
      if (cost <= lots.balance()) lots.take(cost);
    }
  }
  lots.lapse(until);
  return { issued, takenBack, balance: lots.balance(), debt, tierId: tierOn(until).id };
}

/** An event that the rules do not offer brings nothing. */
function pointsOfCredit({ of, points }: CreditAct, rules: Rules): number {
  if (of === "fixed") return points;
  if (of === "welcome") return rules.welcomePoints;
  return rules.events.find(({ id }) => id === of.event)?.points ?? 0;
}

/** A reward that the rules do not offer keeps its price. */
const costOf = ({ reward, points }: SpendAct, rules: Rules) =>
  rules.rewards.find(({ id }) => id === reward)?.points ?? points;
