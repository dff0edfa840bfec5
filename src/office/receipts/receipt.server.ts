import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { shortName } from "#identity/customer/names.server.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import { defaultProgrammeId, type FindProgramme } from "#loyalty/programme/programme.server.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import { refuseOtherShop } from "#office/shops/own-shop.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { pointsOf } from "#shop/sales/purchase/basket.server.ts";
import { salePoints } from "#shop/sales/purchase/credit-sale.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { amountsByLine, lockSale, type OriginalSale, returnEffect } from "#shop/sales/return/take-back.server.ts";
import { pointsWait } from "#shop/sales/review/conflicts.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { amountText, sumOf } from "./amounts.server.ts";

interface SaleRow extends Record<string, unknown> {
  shop: string;
  sold_at: string;
  arrived_at: string;
  till: string;
  seller: string | null;
  voided: boolean;
  waits: boolean;
  claimed: boolean;
  /** What an edit added to an order, which is attached as a whole. */
  addition: boolean;
  customer: { id: number; firstname: string; lastname: string; card: string | null } | null;
  points_per_euro: number | null;
  multiplier_hundredths: number | null;
  tier: Record<Locale, string> | null;
  campaign: Record<Locale, string> | null;
  campaign_points: number;
  points: number;
  arrives_at: string | null;
  expires_at: string | null;
  returns: {
    number: string;
    kind: "return" | "exchange" | "void";
    at: string;
    by: string | null;
    cents: number;
    taken: number;
  }[];
}

/** A sale as a page shows it: what was paid, how its points came about, and what a return would take by the same rule. */
export async function readReceipt(
  { database, findProgramme }: { database: Database; findProgramme: FindProgramme },
  receipt: ReceiptKey,
  { caller, now, requestId, locale }: ActionContext & { locale: Locale },
) {
  refuseOtherShop(caller, receipt.shopId);
  const { lineCodes } = await findProgramme(defaultProgrammeId, now);
  const codeNames = new Map(lineCodes.map(({ code, name }) => [code, name[locale]]));
  return database.transaction(async (tx) => {
    const sale = await lockSale(tx, receipt);
    const row = sale && (await readRow(tx, receipt));
    if (!sale || !row) throw new Refusal("receipt_not_found");
    const after = { ofShop: receipt.shopId, ofReceipt: receipt.number };
    await writeAudit(
      tx,
      entryOf(caller, { action: "receipt_read", customerId: row.customer?.id, after, requestId, at: now }),
    );
    return describeReceipt(sale, row, { locale, codeNames, named: caller.role !== "shop" });
  });
}

async function readRow(tx: Queries, { shopId, number }: ReceiptKey): Promise<SaleRow | undefined> {
  const { rows } = await tx.execute<SaleRow>(sql`
    select shop.name as shop, to_json(s.sold_at) #>> '{}' as sold_at, to_json(receipt.arrived_at) #>> '{}' as arrived_at,
      coalesce(k.name, s.former_source) as till, p.firstname || ' ' || p.lastname as seller, shop_sale_voided(s.shop_id, s.number) as voided,
      (${pointsWait}) as waits, s.claimed_at is not null as claimed, s.amends is not null as addition, s.points_per_euro, s.multiplier_hundredths,
      case when c.id is not null then json_build_object('id', c.id, 'firstname', c.firstname, 'lastname', c.lastname,
        'card', a.card_number) end as customer,
      (select t.name from loyalty_tier t where t.id = s.tier_id order by t.programme_id desc limit 1) as tier,
      campaign.name as campaign, s.campaign_points,
      case when ${pointsWait} then s.waiting_points else ${salePoints} end as points,
      case when s.entry_id is null then to_json(s.arrives_at) #>> '{}' end as arrives_at,
      to_json(e.expires_at) #>> '{}' as expires_at,
      (select coalesce(json_agg(json_build_object('number', r.number, 'kind', r.kind, 'at', r.returned_at,
          'by', by_staff.firstname || ' ' || by_staff.lastname, 'taken', r.taken, 'cents', coalesce((
            select sum((refund ->> 'cents')::integer) from jsonb_array_elements(r.refunds) refund), 0))
          order by r.returned_at), '[]')
        from shop_return r left join staff by_staff on by_staff.id = r.staff_id
        where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied') as returns
    from shop_sale s
    join shop on shop.id = s.shop_id
    join shop_receipt receipt on receipt.shop_id = s.shop_id and receipt.number = s.number
    left join shop_key k on k.prefix = s.key_prefix
    left join staff p on p.id = s.staff_id
    left join campaign on campaign.id = s.campaign_id
    left join customer c on c.id = s.customer_id
    left join loyalty_account a on a.customer_id = c.id
    left join loyalty_entry e on e.customer_id = s.customer_id and e.id = s.entry_id
    where s.shop_id = ${shopId} and s.number = ${number}`);
  return rows[0];
}

function describeReceipt(
  sale: OriginalSale,
  row: SaleRow,
  { locale, codeNames, named }: { locale: Locale; codeNames: ReadonlyMap<string, string>; named: boolean },
) {
  const returned = amountsByLine(sale.returned);
  const { customer } = row;
  return {
    IdShop: sale.shopId,
    ShopName: row.shop,
    ReceiptNumber: sale.number,
    SoldAt: isoMoment(row.sold_at),
    ArrivedAt: isoMoment(row.arrived_at),
    TillName: row.till,
    Seller: row.seller,
    Voided: row.voided,
    Waiting: row.waits,
    Customer: customer && {
      IdCustomer: named ? customer.id : null,
      Name: named ? `${customer.firstname} ${customer.lastname}` : shortName(customer.firstname, customer.lastname),
      CardNumber: customer.card && `…${customer.card.slice(-4)}`,
    },
    Attachable: sale.customerId === null && !row.claimed && !row.voided && !row.addition,
    Lines: sale.lines.map(({ line, cents, shareCents, paidCents, earns, priceType = null, codes = [] }) => ({
      ...{ Line: line, Price: amountText(cents), VoucherShare: amountText(shareCents), Paid: amountText(paidCents) },
      ...{ Returned: amountText(returned.get(line) ?? 0), Earns: earns, PriceType: priceType },
      // A category that is no longer in the list keeps its code.
      Codes: codes.map((code) => codeNames.get(code) ?? code),
    })),
    Total: {
      Price: amountText(sumOf(sale.lines, ({ cents }) => cents)),
      VoucherShare: amountText(sumOf(sale.lines, ({ shareCents }) => shareCents)),
      Paid: amountText(sumOf(sale.lines, ({ paidCents }) => paidCents)),
    },
    Vouchers: sale.vouchers.map(({ code, valueCents, takenCents }) => ({
      ...{ Code: maskedCode(code), Value: amountText(valueCents), Taken: amountText(takenCents) },
    })),
    Points: describePoints(sale, row, locale),
    Returns: row.returns.map(({ number, kind, at, by, cents, taken }) => ({
      ...{ ReceiptNumber: number, Kind: kind, At: isoMoment(at), Seller: by, Amount: amountText(cents), Points: taken },
    })),
    IfReturned: describeReturns(sale),
  };
}

function describePoints(sale: OriginalSale, row: SaleRow, locale: Locale) {
  if (!row.points_per_euro || !row.multiplier_hundredths) return null;
  const taken = sumOf(row.returns, (back) => back.taken);
  return {
    Paid: amountText(sumOf(sale.lines, ({ earns, paidCents }) => (earns ? paidCents : 0))),
    PointsPerEuro: row.points_per_euro,
    Multiplier: row.multiplier_hundredths / 100,
    TierName: row.tier?.[locale] ?? null,
    Base: row.points - row.campaign_points,
    CampaignName: row.campaign?.[locale] ?? null,
    CampaignPoints: row.campaign_points,
    Total: row.points,
    Taken: taken,
    ArrivesAt: row.arrives_at && taken < row.points ? isoMoment(row.arrives_at) : null,
    ExpiresAt: row.expires_at && isoMoment(row.expires_at),
  };
}

/** What giving back each line would do, and everything that is left. */
function describeReturns(sale: OriginalSale) {
  const returned = amountsByLine(sale.returned);
  const open = sale.lines.filter(({ line, paidCents }) => returned.get(line) !== paidCents);
  if (open.length === 0) return [];
  const lines = open.map(({ line }) => ({ Line: line, asked: { lines: [{ line, cents: null }] } }));
  const all = { Line: null, asked: { all: true as const } };
  return [...(open.length > 1 ? lines : []), all].map(({ Line, asked }) => {
    const { refunds, points, left, reissues } = returnEffect(sale, asked);
    return {
      Line,
      Refund: amountText(sumOf(refunds, ({ cents }) => cents)),
      Points: sale.credited ? points : 0,
      Left: sale.credited && sale.rule ? pointsOf(left, sale.rule) : 0,
      VoucherReturns: reissues.length > 0,
    };
  });
}
