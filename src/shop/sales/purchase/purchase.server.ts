import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { generateClaimCode } from "#loyalty/card/card.server.ts";
import { firstPurchaseCause, firstPurchaseEmail, queueEmail } from "#loyalty/emails/emails.server.ts";
import { voucherUseCause, voucherUsedEmail } from "#loyalty/emails/voucher-emails.server.ts";
import type { Tier } from "#loyalty/programme/programme.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { voucherUses } from "#loyalty/rewards/voucher.tables.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { buildInsert, fillStatement } from "#platform/database/statements.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { auditSale, auditShopCall, refuseOwnCard, sellersOf } from "#shop/sales/at-till.server.ts";
import { inSale, type ShopDependencies } from "#shop/sales/dependencies.server.ts";
import { openReceipt, timeOfSale } from "#shop/sales/receipts.server.ts";
import { lockOriginal, lockReceipts, type ReturnOf, takeBack } from "#shop/sales/return/returns.server.ts";
import { applyWaiting, balanceAfter } from "#shop/sales/return/waiting-returns.server.ts";
import { holds, type returns, sales } from "#shop/sales/sales.tables.server.ts";
import { isStrictWeb } from "#shop/sales/strict-web.server.ts";
import { undoMs } from "#shop/sales/undo.ts";
import {
  expiredTokens,
  type NamedVoucher,
  refuseExpiredTokens,
  sentAs,
} from "#shop/sales/voucher/named-vouchers.server.ts";
import { isNewStaffSale } from "#staff/own-card.server.ts";
import { creditedColumns, creditSale } from "./credit-sale.server.ts";
import {
  type CustomerNamed,
  lockCustomers,
  type Member,
  namesCustomer,
  openToken,
  readSaleFacts,
  type SaleCampaign,
  type SaleFacts,
} from "./facts.server.ts";
import { type Goods, priceSale } from "./pricing.server.ts";
import { describeSale, type PurchaseResponse, readResponse } from "./purchase-response.server.ts";

export interface Purchase extends CustomerNamed {
  receiptNumber: string;
  soldAt: Date;
  sentAt: Date | undefined;
  goods: Goods;
  voucherCodes: string[];
  /** The same vouchers, as the call named them; absent where only codes are known. */
  namedVouchers?: readonly NamedVoucher[] | undefined;
  returnOf?: ReturnOf | undefined;
  /** It is paid: a voucher that was lost meanwhile does not refuse it. */
  acceptsLostVouchers?: boolean;
  /** For which its vouchers may be held. */
  reference?: string | undefined;
  /** Of a pre-order. */
  dispatchedAt?: Date | undefined;
}

/** What a sale needs besides its transaction. */
type SaleParts = Pick<ShopDependencies, "tokens" | "publicUrl"> & {
  tiers: readonly Tier[];
  /** Those of every version: a sale may arrive after its tier has gone. */
  known: { tiers: readonly Tier[] };
};

interface Context {
  now: Date;
  locale: Locale;
}

/** A sale, once: its vouchers are used, its points credited, and returns that arrived before it are applied. */
export async function postPurchase(
  deps: ShopDependencies,
  caller: KeyCaller,
  purchase: Purchase,
  context: Context,
): Promise<PurchaseResponse> {
  // Before the transaction, which holds a connection: reading it may need another.
  const { tiers, known } = await deps.findProgramme(defaultProgrammeId, context.now);
  return inSale(deps, caller, (tx) => purchaseIn(tx, { ...deps, tiers, known }, caller, purchase, context));
}

/** The same in a transaction of the caller's. */
export async function purchaseIn(
  tx: Queries,
  deps: SaleParts,
  caller: KeyCaller,
  purchase: Purchase,
  context: Context,
): Promise<PurchaseResponse> {
  const receipt = { shopId: caller.shopId, number: purchase.receiptNumber };
  if (purchase.returnOf) await lockReceipts(tx, caller, receipt.number, purchase.returnOf);
  const { repeated, returnsWait } = await openReceipt(tx, receipt, contentOf(purchase), context.now);
  if (repeated) {
    await auditSale(tx, caller, context.now, { action: "purchase", after: { receipt: receipt.number, repeated } });
    return readResponse(tx, deps, receipt, context.locale);
  }
  const { sale, exchange, campaign } = await sell(tx, deps, caller, purchase, { ...context, returnsWait });
  const { customerId, number, earned, vouchers } = sale;
  const after = { receipt: number, earned, vouchers: vouchers.length, ...(exchange && { taken: exchange.taken }) };
  await auditSale(tx, caller, context.now, { action: "purchase", customerId, after });
  return describeSale(deps, sale, { exchange, campaign }, context.locale);
}

/** It arrived when its points, pending from its sale, are available already. */
function isDatedBack({ arrivesAt }: Pick<Member, "arrivesAt">, soldAt: Date, now: Date): boolean {
  const arrival = new Date(arrivesAt);
  return arrival > soldAt && arrival <= now;
}

/**
 * The content by which a repeated call is recognised: what was sold, when and to whom, in one order. Newer fields are added
 * only where they are sent, so that a sale of a release before is still recognised.
 */
function contentOf(purchase: Purchase): object {
  const { CardNumber, CustomerToken, Sub, soldAt, goods, voucherCodes, returnOf, dispatchedAt } = purchase;
  const newer = (Sub ?? dispatchedAt) ? [{ Sub, dispatchedAt }] : [];
  return ["sale", CardNumber, CustomerToken, soldAt, goods, [...voucherCodes].sort(), returnOf, ...newer];
}

type SaleRow = Omit<typeof sales.$inferSelect, "writtenIn">;
type ReturnRow = Omit<typeof returns.$inferSelect, "writtenIn">;

async function sell(
  tx: Queries,
  deps: SaleParts,
  caller: KeyCaller,
  purchase: Purchase,
  { now, returnsWait }: Context & { returnsWait: boolean },
): Promise<{ sale: SaleRow; exchange: ReturnRow | undefined; campaign: SaleCampaign | undefined }> {
  const { shopId, prefix: keyPrefix } = caller;
  const receipt = { shopId, number: purchase.receiptNumber };
  const holder = { ...receipt, reference: purchase.reference };
  const { soldAt, dispatchedAt, inFuture } = timeOfSale({ ...purchase, refusesFuture: isStrictWeb(caller), now });
  const named = {
    customerId: await openToken(tx, deps.tokens, purchase, shopId, now),
    cardNumber: purchase.CardNumber,
    codes: purchase.voucherCodes,
  };
  // Receipts before customers, as in a return: otherwise the two could wait for each other.
  const original = purchase.returnOf && (await lockOriginal(tx, caller, purchase.returnOf));
  if (original?.customerId) await lockCustomers(tx, original.customerId, named);
  // With a date of their own choice people could have points at once, spend them and give the goods back. A key's time is
  // the retailer's own (docs/decisions/0078-count-a-tills-pending-days-from-arrival.md).
  const pendingFrom = caller.staff || inFuture ? now : (dispatchedAt ?? null);
  const facts = await readSaleFacts(tx, { ...named, shopId, soldAt, pendingFrom, now, locks: true });
  await refuseOwnCard(tx, caller, facts.namedId);
  const namedVouchers = purchase.namedVouchers ?? [];
  const acceptsLost = purchase.acceptsLostVouchers ?? false;
  if (!acceptsLost) refuseExpiredTokens(namedVouchers, facts.vouchers, holder);
  const expired = expiredTokens(namedVouchers, facts.vouchers, holder);
  const priced = { receipt: holder, soldAt, now, expired, acceptsLost };
  const basket = priceSale(purchase.goods, purchase.voucherCodes, facts, priced);
  const refused = basket.vouchers.find(({ refusal }) => refusal);
  if (refused?.refusal)
    throw new Refusal(refused.refusal.code, { ...refused.refusal, voucherCode: sentAs(namedVouchers, refused.code) });

  const { member } = facts;
  const { lines } = basket;
  const sold = {
    ...receipt,
    shopName: caller.shopName,
    soldAt,
    lines,
    salesThatDay: facts.salesThatDay,
    campaigns: facts.campaigns,
    flagged: await isNewStaffSale(tx, sellersOf(caller), member?.id, soldAt),
  };
  const credited = member ? await creditSale(tx, member, sold, { ...deps, now }) : undefined;
  if (member && isDatedBack(member, soldAt, now)) {
    const after = { receipt: receipt.number, soldAt: soldAt.toISOString(), earned: credited?.earned };
    await auditShopCall(tx, caller, now, { action: "sale_dated_back", customerId: member.id, after });
  }

  const sale: SaleRow = {
    ...receipt,
    keyPrefix,
    soldAt,
    pendingFrom,
    inFuture,
    customerId: member?.id ?? null,
    unknownCustomer: !member && namesCustomer(purchase),
    whole: purchase.goods.whole,
    lines,
    vouchers: basket.vouchers.map(({ code, valueCents, takenCents, lines: payable }) => ({
      ...{ code, valueCents, takenCents },
      ...(payable && { lines: payable }),
    })),
    ...creditedColumns(credited),
    tierId: member?.tier.id ?? null,
    lostVouchers: basket.lostVouchers,
    claimCode: member ? null : generateClaimCode(),
    claimFailedAttempts: 0,
    claimedAt: null,
    repeats: false,
    amends: null,
    formerSource: null,
    staffId: caller.staff?.soldBy?.id ?? caller.staff?.id ?? null,
  };
  // The points of the sale come first, so that an exchange leaves no debt for a moment.
  const exchange = purchase.returnOf && {
    kind: "exchange" as const,
    number: receipt.number,
    returnOf: purchase.returnOf,
    returnedAt: soldAt,
    mayWait: !isStrictWeb(caller),
  };
  const taken = exchange && (await takeBack(tx, deps, caller, exchange, now));
  if (taken && taken.customerId === sale.customerId) Object.assign(sale, balanceAfter(sale, taken.row));
  if (returnsWait) Object.assign(sale, await applyWaiting(tx, deps, caller, sale, now));
  await writeSale(tx, sale, now);
  await queueEmails(tx, deps, caller, sale, { ...facts, now });
  return { sale, exchange: taken?.row, campaign: facts.campaigns.find(({ id }) => id === sale.campaignId) };
}

/** To the customer: of a first purchase, and of each voucher that was used. */
async function queueEmails(
  tx: Queries,
  deps: SaleParts,
  caller: KeyCaller,
  sale: SaleRow,
  { namedId, language, isFirst, now }: SaleFacts & { now: Date },
) {
  if (namedId === null || language === null) return;
  const context = { locale: language, publicUrl: deps.publicUrl };
  const { shopName: shop } = caller;
  const cents = sale.lines.reduce((total, { paidCents }) => total + paidCents, 0);
  // A sale that is undone at once takes them back (src/shop/sales/return/returns.server.ts#voidIn).
  const options = { notBefore: new Date(now.getTime() + undoMs) };
  if (isFirst && sale.earned > 0) {
    const bought = { points: sale.earned, arrivesAt: sale.arrivesAt, cents, shop };
    const content = (firstname: string) => firstPurchaseEmail(context, firstname, bought);
    await queueEmail(tx, namedId, firstPurchaseCause(namedId), language, content, options);
  }
  for (const { code, valueCents } of sale.vouchers) {
    const used = { code, cents: valueCents, shop, at: sale.soldAt };
    const content = (firstname: string) => voucherUsedEmail(context, firstname, used);
    await queueEmail(tx, namedId, voucherUseCause(code), language, content, options);
  }
}

const insertSale = buildInsert(sales, "writtenIn");

/** Writes the sale, the use of its vouchers, and ends their holds. */
async function writeSale(tx: Queries, sale: SaleRow, now: Date): Promise<void> {
  await tx.$client.query(fillStatement("shop_sale_insert", insertSale, sale));
  if (sale.vouchers.length === 0) return;
  await tx.execute(sql`
    insert into ${voucherUses} (code, customer_id, used_at, shop_id, receipt_number, taken_cents, recorded_at)
    select v.code, v.customer_id, least(greatest(${sale.soldAt.toISOString()}::timestamptz, v.obtained_at), v.expires_at),
      ${sale.shopId}, ${sale.number}, (used ->> 'takenCents')::integer, ${now.toISOString()}::timestamptz
    from jsonb_array_elements(${JSON.stringify(sale.vouchers)}::jsonb) used
    join loyalty_voucher_code c on c.code = used ->> 'code'
    join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code`);
  const codes = sale.vouchers.map(({ code }) => code);
  await tx.execute(sql`delete from ${holds} where code = any (${sql.param(codes)}::text[])`);
}
