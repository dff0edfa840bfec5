import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { describePending } from "#loyalty/ledger/ledger.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import { logQuote } from "#shop/keys/look-ups.server.ts";
import { sellersOf } from "#shop/sales/at-till.server.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import { codesOf, type NamedVoucher, refuseExpiredTokens } from "#shop/sales/voucher/named-vouchers.server.ts";
import { isNewStaffSale } from "#staff/own-card.server.ts";
import { campaignPointsOf, pointsOf } from "./basket.server.ts";
import { needsReview, ruleOf } from "./credit-sale.server.ts";
import { type CustomerNamed, describeTier, openToken, readSaleFacts } from "./facts.server.ts";
import { describeLines, type Goods, priceSale } from "./pricing.server.ts";

/** What a sale would earn and what each voucher would take off, with the reason for each that cannot be used. */
export async function quote(
  deps: ShopDependencies,
  caller: KeyCaller,
  asked: CustomerNamed & { goods: Goods; vouchers: readonly NamedVoucher[]; receiptNumber?: string | undefined },
  { now, locale }: { now: Date; locale: Locale },
) {
  const codes = codesOf(asked.vouchers);
  const facts = await readSaleFacts(deps.database, {
    customerId: await openToken(deps.tokens, asked, caller.shopId, now),
    cardNumber: asked.CardNumber,
    codes,
    shopId: caller.shopId,
    soldAt: now,
    now,
    locks: false,
  });
  if (asked.CardNumber !== undefined && facts.member) await logQuote(deps.database, caller, facts.member.id, now);
  const { receiptNumber: number } = asked;
  const receipt = number === undefined ? undefined : { shopId: caller.shopId, number };
  refuseExpiredTokens(asked.vouchers, facts.vouchers, receipt);
  const { lines, vouchers } = priceSale(asked.goods, codes, facts, { ...(receipt && { receipt }), soldAt: now, now });
  const { member, campaigns, salesThatDay } = facts;
  const rule = member && ruleOf(member, lines, campaigns);
  const campaign = campaigns.find(({ id }) => id === rule?.campaignId);
  const points = rule ? pointsOf(lines, rule) : 0;
  const flagged = await isNewStaffSale(deps.database, sellersOf(caller), member?.id, now);
  const waiting = member !== null && (flagged || needsReview(member, lines, salesThatDay));
  const later = member !== null && !waiting && points > 0 && new Date(member.arrivesAt) > now;
  return {
    Points: {
      Earned: waiting ? 0 : points,
      Available: member?.available ?? 0,
      ...describePending(member?.pending ?? null),
      ArrivesAt: later ? isoMoment(member.arrivesAt) : null,
      Debt: member?.debt ?? 0,
    },
    Vouchers: vouchers.map(({ code, valueCents, takenCents, refusal }) => ({
      Code: asked.vouchers.find((one) => one.code === code)?.sent ?? code,
      Value: amountOf(valueCents),
      Taken: amountOf(takenCents),
      Reason: refusal?.code ?? null,
    })),
    Lines: describeLines(lines),
    Tier: member && describeTier(member.tier, locale),
    ...(rule && campaign && { Campaign: { Name: campaign.name[locale], Points: campaignPointsOf(lines, rule) } }),
    ...(waiting && { Waiting: true as const, WaitingPoints: points }),
    ...(!member && (asked.CardNumber ?? asked.CustomerToken) !== undefined && { Customer: "unknown" as const }),
  };
}
