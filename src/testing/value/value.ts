import { clubDay } from "#i18n/club-day.ts";
import type { Rules } from "#loyalty/programme/rules.ts";

/*
 * The value that a group of people draws from the programme beyond what the programme promises, in cents.
 * The people share one purse: customers, assistants, a manager, a marketing person and a partner with a key.
 *
 *   value out = goods that vouchers paid for and that were not given back
 *             + vouchers that can still be used
 *             + available points, in whole vouchers
 *   value in  = what the programme promises for money that the retailer still has, in whole vouchers:
 *             points of purchases for what was paid less what was refunded, by the rate and the status that were frozen
 *             + gifts (welcome, events) once for each mailbox and period; another account of the mailbox that keeps a
 *               purchase is promised the events that need one (docs/decisions/0050-bonuses-once-per-mailbox.md)
 *
 *             + points for a friend whose mailbox is another one, who is new and keeps a purchase worth as much
 *
 * A gain is value out less value in, counted for each account; an account that has less than it was promised pays nothing
 * for one that has more. The terms:
 *
 * - Money. A sale that is not returned is in the shop's books, and counting the till finds money that is missing. So the
 *   amounts of sales and refunds are what the responses of the API say, no matter who sent them.
 * - Reviews. A sale above the programme's limit, and one whose points wait for a review, promises nothing until a person
 *   who did not ring it up has released it. The same holds for a sale that a staff member rang up for their own card.
 * - Status. A purchase that is returned within the withdrawal period does not count for the status of later purchases.
 * - Campaigns and adjustments promise nothing: they need a second person, who is not in the group.
 * - Late returns. After the withdrawal period the retailer takes goods back as a favour. Goods that vouchers had already
 *   paid for by then may be kept, since their points become a debt; what is taken afterwards is a gain. The period is
 *   counted from the moment when the product learned of the sale: no customer can return before that. The time that a
 *   partner sends is believed (docs/decisions/0078-count-a-tills-pending-days-from-arrival.md).
 */

/** The withdrawal period of sales online, which the programme's pending days cover. */
export const withdrawalDays = 14;

/** What the value depends on, as the programme was when the group began. */
type ValueRules = Pick<Rules, "pointsPerEuro" | "tiers" | "rewards" | "events" | "reviewAmountCents">;

export interface ValuedLine {
  line: string;
  earns: boolean;
  paidCents: number;
  /** What vouchers paid. */
  shareCents: number;
  refundedCents: number;
  /** The part of it that was refunded after the withdrawal period. */
  lateCents: number;
  /** Nothing is left of it, also where vouchers had paid all. */
  returned: boolean;
}

export interface ValuedSale {
  /** When the product learned of it; of a partner's, when it was sold. */
  postedAt: Date;
  /** Of the status that was frozen with it. */
  multiplierHundredths: number;
  lines: ValuedLine[];
  /** What was left of the lines that earn when the points were granted: at the sale, or when the receipt was claimed. */
  judgedCents: number;
  /** `own`: by the person who rang it up, or for that person's own card. */
  review: "none" | "waiting" | "released" | "own";
}

export interface ValuedAccount {
  /** Points of gifts that this mailbox had not received before. */
  giftPoints: number;
  /** In the order in which the product learned of them. */
  sales: ValuedSale[];
  /** On which vouchers of this account were used. */
  spent: ValuedSale[];
  availablePoints: number;
  /** Vouchers that can be used. */
  usableCents: number;
  /** The favour of late returns: goods that had been taken when the promise fell. */
  favourCents: number;
}

/** The points as vouchers: as many of the cheapest reward as they reach. */
function worthOf(points: number, { rewards }: Pick<ValueRules, "rewards">): number {
  const cheapest = rewards.toSorted((a, b) => a.points - b.points)[0];
  return cheapest ? Math.floor(points / cheapest.points) * cheapest.amountCents : 0;
}

/** The withdrawal period of a sale is over. */
export const isLate = ({ postedAt }: Pick<ValuedSale, "postedAt">, now: Date): boolean =>
  Date.parse(clubDay(now)) - Date.parse(clubDay(postedAt)) >= withdrawalDays * 24 * 3_600_000;

/** Whether an account is promised a gift that its mailbox has had with another account. */
export function promisesGift({ sales }: Pick<ValuedAccount, "sales">, cause: string, { events }: ValueRules): boolean {
  const event = events.find(({ id }) => id === Number(cause.split(":")[1]));
  const keeps = sales.some(({ lines }) => lines.some(({ paidCents, refundedCents }) => paidCents > refundedCents));
  return keeps && (event?.frequency === "yearly" || event?.proof === "sms");
}

/** Whether a friend keeps as much of a purchase as the points for recommending them are worth. */
export function keepsWorth({ sales }: Pick<ValuedAccount, "sales">, points: number, { rewards }: ValueRules): boolean {
  const worth = Math.max(...rewards.map((reward) => (points * reward.amountCents) / reward.points));
  const kept = sales.map(({ lines }) =>
    lines.reduce((sum, line) => sum + (line.earns ? line.paidCents - line.refundedCents : 0), 0),
  );
  return kept.some((cents) => cents > 0 && cents >= worth);
}

function goodsCents({ spent }: Pick<ValuedAccount, "spent">): number {
  const kept = spent.flatMap(({ lines }) => lines.filter(({ returned }) => !returned));
  return kept.reduce((sum, { shareCents }) => sum + shareCents, 0);
}

function promisedPoints({ giftPoints, sales }: Pick<ValuedAccount, "giftPoints" | "sales">, rules: ValueRules) {
  let [promised, counted] = [giftPoints, giftPoints];
  for (const { lines, judgedCents, multiplierHundredths, review } of sales) {
    if (review === "waiting" || review === "own") continue;
    if (review === "none" && judgedCents > rules.reviewAmountCents) continue;
    const reached = rules.tiers.filter(({ pointsRequired }) => pointsRequired <= counted);
    const multiplier = Math.min(multiplierHundredths, Math.max(...reached.map((tier) => tier.multiplierHundredths)));
    const pointsOf = (cents: number) => Math.floor((cents * rules.pointsPerEuro * multiplier) / 10_000);
    const earning = lines.filter(({ earns }) => earns);
    const left = earning.reduce((sum, { paidCents, refundedCents }) => sum + paidCents - refundedCents, 0);
    promised += pointsOf(left);
    counted += pointsOf(left + earning.reduce((sum, { lateCents }) => sum + lateCents, 0));
  }
  return promised;
}

/** After a late return: goods that had been taken, beyond the promise of points that have arrived, are the retailer's favour. */
export function grantFavour(account: ValuedAccount, rules: ValueRules, now: Date): void {
  const { giftPoints, sales } = account;
  const arrived = promisedPoints({ giftPoints, sales: sales.filter((sale) => isLate(sale, now)) }, rules);
  account.favourCents = Math.max(account.favourCents, goodsCents(account) - worthOf(arrived, rules));
}

/** What the account has beyond its promise, in cents; 0 or less for an account that keeps to the rules. */
export function gainOf(account: ValuedAccount, rules: ValueRules): number {
  const out = goodsCents(account) + account.usableCents + worthOf(account.availablePoints, rules);
  return out - worthOf(promisedPoints(account, rules), rules) - account.favourCents;
}
