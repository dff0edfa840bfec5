import { earn } from "#loyalty/ledger/earning.server.ts";
import { creditLater } from "#loyalty/ledger/ledger.server.ts";
import type { Tier } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { campaignPointsOf, type EarningRule, type PricedLine, pointsOf, withBestCampaign } from "./basket.server.ts";
import type { Member, ReceiptKey, SaleCampaign } from "./facts.server.ts";

/** The rule by which a member earns with a sale; it is stored with it. */
export const ruleOf = (
  { pointsPerEuro, tier: { multiplierHundredths } }: Member,
  lines: readonly PricedLine[],
  campaigns: readonly SaleCampaign[],
): EarningRule => withBestCampaign(lines, { pointsPerEuro, multiplierHundredths }, campaigns);

/** The cause of the entry that credits a sale's points, also while they are pending. */
export const purchaseCause = ({ shopId, number }: ReceiptKey): string => `purchase:${shopId}:${number}`;

/** A large sale, or one of many in a day: its points need a review by a person who did not ring it up. */
export function needsReview(
  { reviewAmountCents, reviewPerDay }: Pick<Member, "reviewAmountCents" | "reviewPerDay">,
  lines: readonly PricedLine[],
  salesThatDay: number,
): boolean {
  const earning = lines.filter(({ earns }) => earns).reduce((total, { paidCents }) => total + paidCents, 0);
  return earning > reviewAmountCents || salesThatDay >= reviewPerDay;
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
  },
  context: { now: Date; publicUrl: string; tiers?: readonly Tier[] },
) {
  const { now, publicUrl, tiers } = context;
  const rule = ruleOf(member, sale.lines, sale.campaigns);
  const campaign = sale.campaigns.find(({ id }) => id === rule.campaignId);
  const points = pointsOf(sale.lines, rule);
  const waiting = sale.flagged || needsReview(member, sale.lines, sale.salesThatDay);
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
