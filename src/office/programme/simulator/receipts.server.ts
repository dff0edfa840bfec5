import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import type { EarningRule, PricedLine } from "#shop/sales/purchase/basket.server.ts";
import type { Refund } from "#shop/sales/sales.tables.server.ts";
import type { Act, History } from "./replay.server.ts";

interface Entry {
  id: number;
  day: string;
  kind: string;
  points: number;
  label: { event?: number; reward?: number };
  expiresOn: string | null;
  cause: string;
}
interface Sale {
  key: string;
  entryId: number | null;
  soldOn: string;
  arrivedAt: string;
  arrivedOn: string;
  lines: PricedLine[];
  rule: EarningRule | null;
  waiting: boolean;
}
interface Return {
  key: string;
  cause: string;
  at: string;
  day: string;
  refunds: Refund[];
}
interface Row extends Record<string, unknown> {
  id: string;
  memberSince: string;
  soldCents: string;
  entries: Entry[];
  sales: Sale[];
  returns: Return[];
}

export interface Customer {
  id: number;
  history: History;
  /** What they paid in the window, less what was given back. */
  paidCents: number;
}

/** Members after an id with all that moved their points: a query of its own, so that nothing is held between batches. */
export async function readHistories(
  database: Database,
  { after, limit, from }: { after: number; limit: number; from: Date },
): Promise<Customer[]> {
  const { rows } = await database.execute<Row>(sql`
    select a.customer_id as id, club_day(a.member_since)::text as "memberSince",
      coalesce((select sum((line ->> 'paidCents')::bigint) from shop_sale s, jsonb_array_elements(s.lines) line
        where s.customer_id = a.customer_id and s.former_source is null and s.sold_at >= ${from.toISOString()}::timestamptz), 0)
      - coalesce((select sum((refund ->> 'cents')::bigint) from shop_sale s
        join shop_return r on r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied',
        jsonb_array_elements(r.refunds) refund
        where s.customer_id = a.customer_id and s.former_source is null and s.sold_at >= ${from.toISOString()}::timestamptz), 0) as "soldCents",
      coalesce((select json_agg(json_build_object('id', e.id, 'day', club_day(e.at), 'kind', e.kind, 'points', e.points,
          'label', e.label, 'expiresOn', club_day(e.expires_at), 'cause', e.cause) order by e.id)
        from loyalty_entry e where e.customer_id = a.customer_id), '[]') as entries,
      coalesce((select json_agg(json_build_object('key', s.shop_id || ':' || s.number, 'entryId', s.entry_id,
          'soldOn', club_day(s.sold_at), 'lines', s.lines, 'waiting', s.waiting,
          'arrivedAt', coalesce(s.claimed_at, r.arrived_at), 'arrivedOn', club_day(coalesce(s.claimed_at, r.arrived_at)),
          'rule', case when s.points_per_euro is not null then json_build_object(
            'pointsPerEuro', s.points_per_euro, 'multiplierHundredths', s.multiplier_hundredths,
            'campaignId', s.campaign_id, 'campaignMultiplierHundredths', s.campaign_multiplier_hundredths,
            'campaignExtraPoints', s.campaign_extra_points, 'campaignMinimumCents', s.campaign_minimum_cents,
            'campaignCapPoints', s.campaign_cap_points, 'campaignLines', s.campaign_lines) end))
        from shop_sale s join shop_receipt r on r.shop_id = s.shop_id and r.number = s.number
        where s.customer_id = a.customer_id and s.former_source is null), '[]') as sales,
      coalesce((select json_agg(json_build_object('key', s.shop_id || ':' || s.number, 'refunds', r.refunds,
          'cause', r.kind || ':' || r.shop_id || ':' || r.number,
          'at', coalesce(c.at, r.returned_at), 'day', club_day(coalesce(c.at, r.returned_at))))
        from shop_sale s
        join shop_return r on r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'
        left join loyalty_claw_back c
          on c.customer_id = s.customer_id and c.cause = r.kind || ':' || r.shop_id || ':' || r.number
        where s.customer_id = a.customer_id and s.former_source is null), '[]') as returns
    from loyalty_account a
    where a.customer_id > ${after} and a.state <> 'erased'
    order by a.customer_id limit ${limit}`);
  return rows.map((row) => ({
    id: Number(row.id),
    history: { memberSince: row.memberSince, acts: actsOf(row) },
    paidCents: Number(row.soldCents),
  }));
}

/**
 * The acts in the order they were written down. Entries have that order by their ids; a sale or a return that moved no
 * points has none, and stands after what was there when it arrived.
 */
function actsOf({ entries, sales, returns }: Row): Act[] {
  const byEntry = new Map(sales.flatMap((sale) => (sale.entryId === null ? [] : [[sale.entryId, sale] as const])));
  const byCause = new Map(returns.map((one) => [one.cause, one]));
  const placed: { at: string; act: Act }[] = [];
  const seen = new Set<Sale | Return>();
  for (const entry of entries) {
    const sale = byEntry.get(entry.id);
    const taken = entry.kind === "return" ? byCause.get(entry.cause) : undefined;
    if (sale) placed.push({ at: sale.arrivedAt, act: saleAct(sale, entry.expiresOn) });
    else if (taken) placed.push({ at: taken.at, act: returnAct(taken) });
    else {
      const act = entryAct(entry);
      if (act) placed.push({ at: entry.day, act });
    }
    if (sale) seen.add(sale);
    if (taken) seen.add(taken);
  }
  const rest = [
    ...sales.filter((sale) => !seen.has(sale)).map((sale) => ({ at: sale.arrivedAt, act: saleAct(sale, null) })),
    ...returns.filter((one) => !seen.has(one)).map((one) => ({ at: one.at, act: returnAct(one) })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  for (const one of rest) {
    const before = placed.findLastIndex(({ at }) => at <= one.at);
    placed.splice(before + 1, 0, one);
  }
  return placed.map(({ act }) => act);
}

const saleAct = (sale: Sale, expiresOn: string | null): Act => ({
  kind: "sale",
  day: sale.arrivedOn,
  sale: sale.key,
  soldOn: sale.soldOn,
  lines: sale.lines,
  rule: sale.rule ?? { pointsPerEuro: 1, multiplierHundredths: 100 },
  expiresOn,
  credited: sale.entryId !== null || !sale.waiting,
});

const returnAct = ({ day, key, refunds }: Return): Act => ({ kind: "return", day, sale: key, refunds });

/** Lapsed points, settled debts and vouchers without a price follow from the rest. */
function entryAct({ kind, day, points, label, expiresOn }: Entry): Act | undefined {
  if (["expiry", "settle", "return", "reissue", "gift"].includes(kind)) return undefined;
  if (points < 0) return { kind: "spend", day, points: -points, reward: label.reward ?? null };
  const of = kind === "welcome" ? "welcome" : kind === "event" && label.event ? { event: label.event } : "fixed";
  return { kind: "credit", day, earnedOn: day, points, expiresOn: expiresOn ?? day, of };
}
