import { and, eq } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import { campaigns } from "#loyalty/ledger/campaign.tables.server.ts";
import type { Tier } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { claimUrl } from "#shop/poster.server.ts";
import { describeReturn, findExchange, pendingOf } from "#shop/sales/return/return-rows.server.ts";
import { type LostVoucher, type returns, sales } from "#shop/sales/sales.tables.server.ts";
import type { ReceiptKey, SaleCampaign } from "./facts.server.ts";
import { describeLines, voucherTotal } from "./pricing.server.ts";

type SaleRow = Omit<typeof sales.$inferSelect, "writtenIn">;
type ReturnRow = Omit<typeof returns.$inferSelect, "writtenIn">;
type ResponseDependencies = { publicUrl: string; known: { tiers: readonly Tier[] } };

export type PurchaseResponse = ReturnType<typeof describeSale>;

/** The answer that was given when the sale arrived. */
export async function readResponse(
  tx: Queries,
  deps: ResponseDependencies,
  { shopId, number }: ReceiptKey,
  locale: Locale,
) {
  const [sale] = await tx
    .select()
    .from(sales)
    .where(and(eq(sales.shopId, shopId), eq(sales.number, number)));
  // Its amounts were deleted: it named no customer, and no one claimed it in time.
  if (!sale) throw new Refusal("too_old");
  const exchange = await findExchange(tx, { shopId, number });
  const [campaign] = sale.campaignId
    ? await tx.select({ name: campaigns.name }).from(campaigns).where(eq(campaigns.id, sale.campaignId))
    : [];
  return describeSale(deps, sale, { exchange, campaign }, locale);
}

/** Without its code, which may still be money. */
const describeLost = ({ code, valueCents, takenCents, reason }: LostVoucher) => ({
  Code: maskedCode(code),
  Value: amountOf(valueCents),
  Taken: amountOf(takenCents),
  Reason: reason,
});

/** The answer, made from the numbers stored with the sale. */
export function describeSale(
  { publicUrl, known }: ResponseDependencies,
  sale: SaleRow,
  { exchange, campaign }: { exchange: ReturnRow | undefined; campaign: Pick<SaleCampaign, "name"> | undefined },
  locale: Locale,
) {
  const tier = known.tiers.find(({ id }) => id === sale.tierId);
  const { Refunds, ReissuedVouchers, CancelledVouchers, Points } = exchange ? describeReturn(exchange) : {};
  // Points that wait since a claim were not yet known to the till.
  const waits = (sale.waiting && !sale.claimedAt) || exchange?.waited;
  return {
    Points: {
      Earned: sale.earned,
      ...(Points && { Taken: Points.Taken }),
      Available: sale.available ?? 0,
      ...pendingOf(sale),
      ArrivesAt: sale.arrivesAt?.toISOString() ?? null,
      Debt: sale.debt ?? 0,
    },
    Vouchers: sale.vouchers.map(({ code, valueCents, takenCents }) => ({
      Code: code,
      Value: amountOf(valueCents),
      Taken: amountOf(takenCents),
    })),
    VoucherTotal: voucherTotal(sale.vouchers),
    ...(sale.lostVouchers.length > 0 && { LostVouchers: sale.lostVouchers.map(describeLost) }),
    Lines: describeLines(sale.lines),
    Tier: tier
      ? {
          IdLoyaltyTier: tier.id,
          Name: tier.name[locale],
          Multiplier: (sale.multiplierHundredths ?? tier.multiplierHundredths) / 100,
        }
      : null,
    ...(campaign && { Campaign: { Name: campaign.name[locale], Points: sale.campaignPoints } }),
    ...(exchange && { Refunds, ReissuedVouchers, CancelledVouchers }),
    ...(waits && { Waiting: true as const }),
    ...(sale.waiting &&
      !sale.claimedAt && {
        WaitingPoints: sale.waitingPoints,
        ...(sale.waitingReason && { WaitingReason: sale.waitingReason }),
      }),
    ...(sale.claimCode && { ClaimCode: sale.claimCode, ClaimUrl: claimUrl(publicUrl, sale.claimCode) }),
    ...(sale.unknownCustomer && { Customer: "unknown" as const }),
  };
}
