import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { describePending } from "#loyalty/ledger/ledger.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import { logQuote } from "#shop/keys/look-ups.server.ts";
import { sellersOf } from "#shop/sales/at-till.server.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import { codesOf, type NamedVoucher, refuseExpiredTokens, sentAs } from "#shop/sales/voucher/named-vouchers.server.ts";
import { isNewStaffSale } from "#staff/own-card.server.ts";
import { campaignPointsOf, pointsOf } from "./basket.server.ts";
import { reviewReasonOf, ruleOf } from "./credit-sale.server.ts";
import { type CustomerNamed, describeTier, namesCustomer, openToken, readSaleFacts } from "./facts.server.ts";
import { describeLines, type Goods, priceSale, voucherTotal } from "./pricing.server.ts";

/** What a sale would earn and what each voucher would take off, with the reason for each that cannot be used. */
export async function quote(
  deps: ShopDependencies,
  caller: KeyCaller,
  asked: CustomerNamed & {
    goods: Goods;
    vouchers: readonly NamedVoucher[];
    receiptNumber?: string | undefined;
    reference?: string | undefined;
  },
  { now, locale }: { now: Date; locale: Locale },
) {
  const codes = codesOf(asked.vouchers);
  const facts = await readSaleFacts(deps.database, {
    customerId: await openToken(deps.database, deps.tokens, asked, caller.shopId, now),
    cardNumber: asked.CardNumber,
    codes,
    shopId: caller.shopId,
    soldAt: now,
    now,
    locks: false,
  });
  const by = asked.CardNumber !== undefined ? "card" : asked.Sub !== undefined ? "sub" : undefined;
  if (by && facts.member) await logQuote(deps.database, caller, { customerId: facts.member.id, by, now });
  const { receiptNumber: number, reference } = asked;
  const receipt =
    number === undefined && reference === undefined ? undefined : { shopId: caller.shopId, number, reference };
  refuseExpiredTokens(asked.vouchers, facts.vouchers, receipt);
  const { lines, vouchers } = priceSale(asked.goods, codes, facts, { ...(receipt && { receipt }), soldAt: now, now });
  const { member, campaigns, salesThatDay } = facts;
  const rule = member && ruleOf(member, lines, campaigns);
  const campaign = campaigns.find(({ id }) => id === rule?.campaignId);
  const points = rule ? pointsOf(lines, rule) : 0;
  const flagged = await isNewStaffSale(deps.database, sellersOf(caller), member?.id, now);
  const waitingReason = member && reviewReasonOf(member, lines, { salesThatDay, flagged });
  const waiting = waitingReason !== null;
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
      Code: sentAs(asked.vouchers, code),
      Value: amountOf(valueCents),
      Taken: amountOf(takenCents),
      Reason: refusal?.code ?? null,
      ...(refusal?.lines?.length && {
        Lines: refusal.lines.map(({ line: Line, reason: Reason }) => ({ Line, Reason })),
      }),
    })),
    VoucherTotal: voucherTotal(vouchers),
    Lines: describeLines(lines),
    Tier: member && describeTier(member.tier, locale),
    ...(rule && campaign && { Campaign: { Name: campaign.name[locale], Points: campaignPointsOf(lines, rule) } }),
    ...(waitingReason && { Waiting: true as const, WaitingPoints: points, WaitingReason: waitingReason }),
    ...(!member && namesCustomer(asked) && { Customer: "unknown" as const }),
  };
}
