import type { Locale } from "#i18n/locale.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { amountOf } from "./amounts.server.ts";
import { campaignPointsOf, pointsOf } from "./basket.server.ts";
import { ruleOf } from "./credit-sale.server.ts";
import { type CustomerNamed, describeTier, openToken, readSaleFacts } from "./facts.server.ts";
import type { ShopParts } from "./parts.server.ts";
import { describeLines, type Goods, priceSale } from "./pricing.server.ts";

/** What a sale would earn and what each voucher would take off, with the reason for each that cannot be used. */
export async function quote(
  parts: ShopParts,
  caller: KeyCaller,
  asked: CustomerNamed & { goods: Goods; voucherCodes: string[]; receiptNumber?: string | undefined },
  { now, locale }: { now: Date; locale: Locale },
) {
  const facts = await readSaleFacts(parts.database, {
    customerId: await openToken(parts.tokens, asked, caller.shopId, now),
    cardNumber: asked.CardNumber,
    codes: asked.voucherCodes,
    shopId: caller.shopId,
    soldAt: now,
    now,
    locks: false,
  });
  const { receiptNumber: number } = asked;
  const { lines, vouchers } = priceSale(asked.goods, asked.voucherCodes, facts, {
    ...(number !== undefined && { receipt: { shopId: caller.shopId, number } }),
    soldAt: now,
    now,
  });
  const { member, campaigns } = facts;
  const rule = member && ruleOf(member, lines, campaigns);
  const campaign = campaigns.find(({ id }) => id === rule?.campaignId);
  return {
    Points: {
      Earned: rule ? pointsOf(lines, rule) : 0,
      Available: member?.available ?? 0,
      Debt: member?.debt ?? 0,
    },
    Vouchers: vouchers.map(({ code, valueCents, takenCents, refusal }) => ({
      Code: code,
      Value: amountOf(valueCents),
      Taken: amountOf(takenCents),
      Reason: refusal?.code ?? null,
    })),
    Lines: describeLines(lines),
    Tier: member && describeTier(member.tier, locale),
    ...(rule && campaign && { Campaign: { Name: campaign.name[locale], Points: campaignPointsOf(lines, rule) } }),
    ...(!member && (asked.CardNumber ?? asked.CustomerToken) !== undefined && { Customer: "unknown" as const }),
  };
}
