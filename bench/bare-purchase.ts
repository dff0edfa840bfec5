import type pg from "pg";

/** The fields of a purchase that the bench sends. */
export interface Purchase {
  ReceiptNumber: string;
  CardNumber: string;
  SoldAt: string;
  Lines: string;
}

/** What a campaign adds to each purchase, by hand: its points, and the lines that it counts for. */
export interface BareCampaign {
  id: number;
  points: number;
  lines: string[];
}

/** The same writes as hand-written SQL: receipt, sale, entry, lot, the day's points and the balance, each prepared. */
export function barePurchase(pool: pg.Pool, campaign?: BareCampaign) {
  return async ({ ReceiptNumber: number, CardNumber: card, SoldAt: soldAt, Lines }: Purchase, prefix: string) => {
    const key = "select shop_id, scopes from shop_key where prefix = $1";
    const { rows } = await pool.query({ name: "sale_key", text: key, values: [prefix] });
    const shopId = rows[0]?.shop_id;
    const client = await pool.connect();
    const run = async (name: string, text: string, ...values: unknown[]) =>
      (await client.query({ name: `sale_${name}`, text, values })).rows[0];
    await client.query("begin");
    await run("receipt", "insert into shop_receipt values ($1, $2, '\\x00', now())", shopId, number);
    const { customer_id: id } = await run("card", "select customer_id from loyalty_card where number = $1", card);
    await run("customer", "select id from customer where id = $1 for no key update", id);
    const account = await run("account", "select * from loyalty_account where customer_id = $1 for update", id);
    const { earned } = await run("tier", "select loyalty_earned($1, 12, club_day($2)) as earned", id, soldAt);
    const points = Math.floor(12_985 * (earned >= 1_000 ? 1.25 : 1)) / 100 + (campaign?.points ?? 0);
    const after = account.balance + Math.floor(points);
    const entry = await run(
      "entry",
      `insert into loyalty_entry (customer_id, at, kind, points, balance, cause, expires_at, recorded_at)
       values ($1, $2, 'purchase', $3, $4, $5, $2::timestamptz + interval '24 months', $2) returning id, expires_at`,
      id,
      soldAt,
      Math.floor(points),
      after,
      `purchase:${shopId}:${number}`,
    );
    const lot = "insert into loyalty_lot (customer_id, entry_id, expires_at, remaining) values ($1, $2, $3, $4)";
    await run("lot", lot, id, entry.id, entry.expires_at, Math.floor(points));
    await run(
      "day",
      `insert into loyalty_earned_day as d (customer_id, day, points, through)
       values ($1, club_day($2), $3, $3 + coalesce((
         select through from loyalty_earned_day where customer_id = $1 and day < club_day($2) order by day desc limit 1), 0))
       on conflict (customer_id, day) do update set points = d.points + $3, through = d.through + $3`,
      id,
      soldAt,
      Math.floor(points),
    );
    await run("balance", "update loyalty_account set balance = $2 where customer_id = $1", id, after);
    await run(
      "sale",
      `insert into shop_sale (shop_id, number, key_prefix, sold_at, customer_id, whole, lines, vouchers, points_per_euro,
         multiplier_hundredths, tier_id, earned, available, debt, entry_id, campaign_id, campaign_multiplier_hundredths,
         campaign_lines, campaign_points)
       values ($1, $2, $3, $4, $5, false, $6, '[]', 1, 100, 1, $7, $8, 0, $9, $10, $11, $12, $13)`,
      shopId,
      number,
      prefix,
      soldAt,
      id,
      Lines,
      Math.floor(points),
      after,
      entry.id,
      campaign?.id ?? null,
      campaign ? 200 : null,
      campaign?.lines ?? null,
      campaign?.points ?? 0,
    );
    await client.query("commit");
    client.release();
  };
}
