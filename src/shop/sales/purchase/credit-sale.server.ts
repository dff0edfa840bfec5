import { sql } from "drizzle-orm";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { creditLater } from "#loyalty/ledger/ledger.server.ts";
import type { Tier } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { campaignPointsOf, type EarningRule, type PricedLine, pointsOf, withBestCampaign } from "./basket.server.ts";
import type { Member, ReceiptKey, SaleCampaign } from "./facts.server.ts";

/**
 * The rule by which a member earns with a sale; it is stored with it. Of a campaign whose points are limited it says how many
 * this sale gets, which db/functions/campaign_given.sql counts when the sale is written.
 */
export function ruleOf(
  { pointsPerEuro, tier: { multiplierHundredths } }: Member,
  lines: readonly PricedLine[],
  campaigns: readonly SaleCampaign[],
): EarningRule {
  const rule = withBestCampaign(lines, { pointsPerEuro, multiplierHundredths }, campaigns);
  const limited = typeof rule.campaignCapPoints === "number";
  return limited ? { ...rule, campaignCapPoints: campaignPointsOf(lines, rule) } : rule;
}

/** The cause of the entry that credits a sale's points, also while they are pending. */
export const purchaseCause = ({ shopId, number }: ReceiptKey): string => `purchase:${shopId}:${number}`;

/**
 * What a sale `s` has brought, also when it was claimed, attached or released later: its own number stays that of the till's
 * answer.
 */
export const salePoints = sql`coalesce(nullif(s.earned, 0), (
  select p.points from loyalty_pending p
  where p.customer_id = s.customer_id and p.cause = 'purchase:' || s.shop_id || ':' || s.number), (
  select e.points from loyalty_entry e where e.customer_id = s.customer_id and e.id = s.entry_id), 0)`;

/** Why the points of a sale need a review by a person who did not ring it up: a large one, or one of many in a day. */
export function reviewReasonOf(
  { reviewAmountCents, reviewPerDay }: Pick<Member, "reviewAmountCents" | "reviewPerDay">,
  lines: readonly PricedLine[],
  { salesThatDay, flagged }: { salesThatDay: number; flagged: boolean },
): "large_sale" | "many_sales" | "staff" | null {
  const earning = lines.filter(({ earns }) => earns).reduce((total, { paidCents }) => total + paidCents, 0);
  if (flagged) return "staff";
  if (earning > reviewAmountCents) return "large_sale";
  return salesThatDay >= reviewPerDay ? "many_sales" : null;
}

/** Credits the points of a sale, when it is sold or when it is claimed, now or later, unless they need a review. */
export async function creditSale(
  tx: Queries,
  member: Member,
  sale: ReceiptKey & {
    shopName: string;
    soldAt: Date;
    lines: readonly PricedLine[];
    salesThatDay: number;
    campaigns: readonly SaleCampaign[];
    /** It needs a review for who sold it to whom (src/staff/own-card.server.ts). */
    flagged: boolean;
    /** Of a receipt that a person has attached: beyond so many points it needs a review. */
    mostPoints?: number | undefined;
    /** Of an amendment: the rule of the sale, and all that the sale then comes to, which is judged. */
    amended?: { rule: EarningRule; lines: readonly PricedLine[] } | undefined;
  },
  context: { now: Date; publicUrl: string; tiers?: readonly Tier[] },
) {
  const { now, publicUrl, tiers } = context;
  const rule = sale.amended?.rule ?? ruleOf(member, sale.lines, sale.campaigns);
  const campaign = sale.campaigns.find(({ id }) => id === rule.campaignId);
  const points = pointsOf(sale.lines, rule);
  const flagged = sale.flagged || points > (sale.mostPoints ?? points);
  const waitingReason = reviewReasonOf(member, sale.amended?.lines ?? sale.lines, { ...sale, flagged });
  const waiting = waitingReason !== null;
  const cents = sale.lines.reduce((total, { paidCents }) => total + paidCents, 0);
  const credit = {
    customerId: member.id,
    points,
    cause: purchaseCause(sale),
    label: { sale: { shop: sale.shopName, cents, ...(campaign && { campaign: campaign.name }) } },
  };
  const earned = waiting ? 0 : points;
  const arrivesAt = new Date(member.arrivesAt);
  const later = arrivesAt > now;
  const pending =
    earned > 0 && later ? await creditLater(tx, { ...credit, soldAt: sale.soldAt, arrivesAt, now }) : member.pending;
  const credited =
    earned > 0 && !later
      ? await earn(
          tx,
          member.programmeId,
          { ...credit, kind: "purchase", earnedAt: sale.soldAt },
          { now, locale: member.language, publicUrl },
          tiers,
        )
      : undefined;
  return {
    rule,
    waiting,
    waitingReason,
    waitingPoints: waiting ? points : 0,
    earned,
    campaignPoints: earned > 0 ? campaignPointsOf(sale.lines, rule) : 0,
    available: credited?.balance ?? member.available,
    debt: credited?.debt ?? member.debt,
    pending,
    arrivesAt: earned > 0 && later ? arrivesAt : null,
    entryId: credited?.entryId ?? null,
  };
}

/** What a sale's row says about its points. */
export const creditedColumns = (credited: Awaited<ReturnType<typeof creditSale>> | undefined) => ({
  pointsPerEuro: credited?.rule.pointsPerEuro ?? null,
  multiplierHundredths: credited?.rule.multiplierHundredths ?? null,
  campaignId: credited?.rule.campaignId ?? null,
  campaignMultiplierHundredths: credited?.rule.campaignMultiplierHundredths ?? null,
  campaignExtraPoints: credited?.rule.campaignExtraPoints ?? null,
  campaignMinimumCents: credited?.rule.campaignMinimumCents ?? null,
  campaignCapPoints: credited?.rule.campaignCapPoints ?? null,
  campaignLines: credited?.rule.campaignLines ?? null,
  campaignPoints: credited?.campaignPoints ?? 0,
  earned: credited?.earned ?? 0,
  available: credited?.available ?? null,
  debt: credited?.debt ?? null,
  pending: credited?.pending.points ?? null,
  nextPending: credited?.pending.next ?? null,
  arrivesAt: credited?.arrivesAt ?? null,
  waiting: credited?.waiting ?? false,
  waitingPoints: credited?.waitingPoints ?? 0,
  waitingReason: credited?.waitingReason ?? null,
  entryId: credited?.entryId ?? null,
});
