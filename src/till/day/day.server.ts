import { sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { shortName } from "#identity/customer/names.server.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";

/** On the till's first screen. */
const newest = 5;
const most = 500;

interface Row extends Record<string, unknown> {
  number: string;
  kind: "sale" | "return" | "exchange";
  at: string;
  firstname: string | null;
  lastname: string | null;
  tier: Record<Locale, string> | null;
  cents: number;
  points: number;
  staffId: number | null;
  sellerFirstname: string | null;
  sellerLastname: string | null;
  hasClaimCode: boolean;
  voided: boolean;
  hasVouchers: boolean;
  exchange: boolean;
  returnedCents: number;
}

/** What one till has sold and taken back today, the newest first. A void is no receipt: it takes its sale out of the totals. */
export async function readDay(
  database: Database,
  caller: StaffCaller,
  { all, now, locale }: { all: boolean; now: Date; locale: Locale },
) {
  const today = sql`between club_day_start(club_day(${now.toISOString()}::timestamptz)) and ${now.toISOString()}::timestamptz`;
  const { rows } = await database.execute<Row>(sql`
    select receipt.*, c.firstname, c.lastname, p.firstname as "sellerFirstname", p.lastname as "sellerLastname"
    from (
      select s.number, 'sale' as kind, s.sold_at as at, s.customer_id,
        (select t.name from loyalty_tier t where t.id = s.tier_id limit 1) as tier,
        (select coalesce(sum((line ->> 'paidCents')::integer), 0) from jsonb_array_elements(s.lines) line)::integer as cents,
        s.earned as points, s.staff_id as "staffId", s.claim_code is not null as "hasClaimCode",
        shop_sale_voided(s.shop_id, s.number) as voided, jsonb_array_length(s.vouchers) > 0 as "hasVouchers",
        exists (select from shop_return x where x.shop_id = s.shop_id and x.number = s.number and x.kind = 'exchange'
          and x.state <> 'undone') as exchange,
        (select coalesce(sum((refund ->> 'cents')::integer), 0) from shop_return r
          cross join jsonb_array_elements(r.refunds) refund
          where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied')::integer as "returnedCents"
      from shop_sale s where s.shop_id = ${caller.shopId} and s.key_prefix = ${caller.prefix} and s.sold_at ${today}
      union all
      select r.number, r.kind, r.returned_at, o.customer_id, null,
        (select coalesce(sum((refund ->> 'cents')::integer), 0) from jsonb_array_elements(r.refunds) refund)::integer,
        r.taken, r.staff_id, false, false, false, true, 0
      from shop_return r left join shop_sale o on o.shop_id = r.sale_shop_id and o.number = r.sale_number
      where r.shop_id = ${caller.shopId} and r.key_prefix = ${caller.prefix} and r.returned_at ${today}
        and r.kind <> 'void' and r.state = 'applied'
    ) receipt
    left join customer c on c.id = receipt.customer_id
    left join staff p on p.id = receipt."staffId"
    order by at desc, number desc limit ${most}`);
  const counted = rows.filter(({ voided }) => !voided);
  const sellers = [...new Set(counted.map(({ staffId }) => staffId))];
  return {
    Receipts: rows.slice(0, all ? most : newest).map((row) => ({
      ReceiptNumber: row.number,
      Kind: row.kind,
      At: new Date(row.at).toISOString(),
      Customer: row.firstname === null ? null : shortName(row.firstname, row.lastname ?? ""),
      Tier: row.tier?.[locale] ?? null,
      Amount: amountOf(row.cents),
      Points: row.points,
      Seller: sellerOf(row),
      HasClaimCode: row.hasClaimCode,
      Voided: row.voided,
      Returned: amountOf(row.returnedCents),
      Exchange: row.exchange,
      Correctable: row.kind === "sale" && !row.voided && !row.hasVouchers && !row.exchange && row.returnedCents === 0,
    })),
    ...totalsOf(counted),
    Voided: rows.length - counted.length,
    Sellers: sellers.map((id) => {
      const own = counted.filter(({ staffId }) => staffId === id);
      return { IdStaff: id, Name: own[0] ? sellerOf(own[0]) : null, ...totalsOf(own) };
    }),
  };
}

const sellerOf = ({ sellerFirstname, sellerLastname }: Row) =>
  sellerFirstname === null ? null : shortName(sellerFirstname, sellerLastname ?? "");

function totalsOf(rows: readonly Row[]) {
  const sales = rows.filter(({ kind }) => kind === "sale");
  const cents = rows.reduce((sum, row) => sum + (row.kind === "sale" ? row.cents : -row.cents), 0);
  const net = `${cents < 0 ? "-" : ""}${amountOf(Math.abs(cents))}`;
  return { Net: net, Sales: sales.length, Returns: rows.length - sales.length };
}
