import { ofKnown, type Statement } from "./batch.server.ts";

/** Stands in a receipt of a former club for the hash of a content: no purchase has the same. */
export const contentHash = (source: string) => `sha256(convert_to('import:' || ${source}, 'UTF8'))`;

/*
 * Sales that can still be returned. They are no sales of this club: metrics, webhooks and the simulator leave out what has a
 * `former_source`, and the points of a return are taken from the lots that lapse next.
 */
const addSales = (customer: string, from: string) => `
  with sold as (
    select s.shop_id, s.receipt_number as number, ${customer} as customer_id, min(s.sold_at) as sold_at,
      bool_and(s.receipt_line is null) as whole, coalesce(sum(s.points), 0)::integer as earned,
      (array_agg(s.rule))[1] as rule,
      jsonb_agg(jsonb_strip_nulls(jsonb_build_object('line', coalesce(s.receipt_line, '1'), 'cents', s.amount,
        'earns', coalesce(s.earns, s.price_type is distinct from 'giftcard'), 'shareCents', 0, 'paidCents', s.amount,
        'priceType', s.price_type)) order by coalesce(s.receipt_line, '1')::integer) as lines
    from stage_receipts s ${from} group by 1, 2, 3
  ), numbers as (
    insert into shop_receipt (shop_id, number, content_hash, arrived_at)
    select shop_id, number, ${contentHash("n.source")}, n.moment from sold cross join stage_now n
    on conflict do nothing
  )
  insert into shop_sale (shop_id, number, key_prefix, sold_at, customer_id, whole, lines, vouchers, earned, former_source, amends,
    points_per_euro, multiplier_hundredths, campaign_multiplier_hundredths, campaign_extra_points, campaign_minimum_cents,
    campaign_cap_points, campaign_lines)
  select shop_id, number, 'import', sold_at, customer_id, whole, lines, '[]', earned, n.source,
    case when number like '%~%' then split_part(number, '~', 1) end,
    (rule ->> 'PointsPerEuro')::integer, (rule ->> 'MultiplierHundredths')::integer,
    (rule ->> 'CampaignMultiplierHundredths')::integer, (rule ->> 'CampaignExtraPoints')::integer,
    (rule ->> 'CampaignMinimumCents')::integer, (rule ->> 'CampaignCapPoints')::integer,
    case when rule ? 'CampaignLines' then array(select jsonb_array_elements_text(rule -> 'CampaignLines')) end
  from sold cross join stage_now n on conflict do nothing`;

/** A sale of a former club that was claimed, returned or edited here: it is no longer what the former club says of it. */
export const changedHere = (sale: string) => `(${sale}.claimed_at is not null
  or exists (select from shop_return r where r.sale_shop_id = ${sale}.shop_id and r.sale_number = ${sale}.number)
  or exists (select from shop_sale a where a.shop_id = ${sale}.shop_id and a.amends = ${sale}.number and a.former_source is null))`;

/** What a later package says of a sale replaces what an earlier one said, whomever either names. */
const removeListed = (from: string) => `delete from shop_sale sale using stage_receipts s ${from} cross join stage_now n
   where sale.shop_id = s.shop_id and sale.number = s.receipt_number and sale.former_source = n.source
     and not ${changedHere("sale")}`;

/** Those of the batch. */
export const addReceipts: Statement[] = [
  ofKnown(`delete from shop_sale sale using batch b, stage_now n
   where b.fate = 'known' and sale.customer_id = b.customer_id and sale.former_source = n.source
     and exists (select from stage_receipts) and not ${changedHere("sale")}`),
  removeListed("join batch b using (source_id)"),
  addSales("b.customer_id", "join batch b using (source_id)"),
];

/** Those that name no member. */
export const addUnnamedReceipts = [
  `${removeListed("")} and s.source_id is null`,
  addSales("null::bigint", "where s.source_id is null"),
];
