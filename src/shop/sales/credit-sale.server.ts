import { earn } from "#loyalty/ledger/earning.server.ts";
import type { Tier } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { campaignPointsOf, type EarningRule, type PricedLine, pointsOf, withBestCampaign } from "./basket.server.ts";
import type { Member, ReceiptKey, SaleCampaign } from "./facts.server.ts";

/** After this many purchases of one customer in a day, points wait for a person. */
const mostSalesADay = 5;

/** The rule by which a member earns with a sale; it is stored with it. */
export const ruleOf = (
  { pointsPerEuro, tier: { multiplierHundredths } }: Member,
  lines: readonly PricedLine[],
  campaigns: readonly SaleCampaign[],
): EarningRule => withBestCampaign(lines, { pointsPerEuro, multiplierHundredths }, campaigns);

/** Credits the points of a sale, when it is sold or when it is claimed, unless they wait. */
export async function creditSale(
  tx: Queries,
  member: Member,
  sale: ReceiptKey & {
    shopName: string;
    soldAt: Date;
    lines: readonly PricedLine[];
    salesThatDay: number;
    campaigns: readonly SaleCampaign[];
  },
  context: { now: Date; publicUrl: string; tiers?: readonly Tier[] },
) {
  const rule = ruleOf(member, sale.lines, sale.campaigns);
  const campaign = sale.campaigns.find(({ id }) => id === rule.campaignId);
  const points = pointsOf(sale.lines, rule);
  const waiting = sale.salesThatDay >= mostSalesADay;
  const cents = sale.lines.reduce((total, { paidCents }) => total + paidCents, 0);
  const credited =
    points > 0 && !waiting
      ? await earn(
          tx,
          member.programmeId,
          {
            customerId: member.id,
            points,
            kind: "purchase",
            cause: `purchase:${sale.shopId}:${sale.number}`,
            label: { sale: { shop: sale.shopName, cents, ...(campaign && { campaign: campaign.name }) } },
            earnedAt: sale.soldAt,
          },
          { now: context.now, locale: member.language, publicUrl: context.publicUrl },
          context.tiers,
        )
      : undefined;
  return {
    rule,
    waiting,
    earned: credited ? points : 0,
    campaignPoints: credited ? campaignPointsOf(sale.lines, rule) : 0,
    available: credited?.balance ?? member.available,
    debt: credited?.debt ?? member.debt,
    entryId: credited?.entryId ?? null,
  };
}
