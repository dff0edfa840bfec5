import { sql } from "drizzle-orm";
import { membersWhere } from "#loyalty/segments/compile-segment.server.ts";
import type { Segment } from "#loyalty/segments/segment.ts";
import { addShop } from "#shop/keys/keys.server.ts";
import type { Fresh } from "./cluster.ts";
import { compare, ms, type Result } from "./measures.ts";

const salesEach = 4;
const days = (count: number) => `now() - interval '${count} days'`;
const sale = `shop_sale g where customer_id is not null and amends is null and not exists (
  select from shop_return v
  where v.sale_shop_id = g.shop_id and v.sale_number = g.number and v.kind = 'void' and v.state = 'applied')`;
const hasCode = (code: string) =>
  `exists (select from jsonb_array_elements(g.lines) line where line -> 'codes' ? '${code}')`;

/** Segments, each with the query that one would write by hand for it. */
const segments: [what: string, definition: Segment, byHand: string][] = [
  [
    "one condition about purchases",
    { fact: "purchases", min: 2, days: 365 },
    `select count(*) from loyalty_account a join (
       select customer_id from ${sale} and sold_at > ${days(365)} group by 1 having count(*) >= 2) s using (customer_id)
     where a.state = 'active'`,
  ],
  [
    "two conditions about purchases",
    {
      all: [
        { fact: "purchases", min: 2, days: 365 },
        { fact: "last_purchase", min: 90 },
      ],
    },
    `select count(*) from loyalty_account a join (
       select customer_id from ${sale} group by 1
       having count(*) filter (where sold_at > ${days(365)}) >= 2 and max(sold_at) <= ${days(90)}) s using (customer_id)
     where a.state = 'active'`,
  ],
  [
    "two about codes, and one about what was spent",
    {
      all: [
        { fact: "purchases", min: 1, code: "knitwear" },
        { fact: "purchases", max: 0, days: 180, code: "shoes" },
        { fact: "spent", min: 20_000, days: 365 },
      ],
    },
    `select count(*) from loyalty_account a join (
       select customer_id from ${sale} group by 1
       having bool_or(${hasCode("knitwear")}) and not bool_or(sold_at > ${days(180)} and ${hasCode("shoes")})
         and sum((
             select sum((line ->> 'paidCents')::bigint) from jsonb_array_elements(g.lines) line) - coalesce((
             select sum((refund ->> 'cents')::bigint) from shop_return r cross join jsonb_array_elements(r.refunds) refund
             where r.sale_shop_id = g.shop_id and r.sale_number = g.number and r.state = 'applied'), 0))
           filter (where sold_at > ${days(365)}) >= 20000) s using (customer_id)
     where a.state = 'active'`,
  ],
];

/** Members with some sales each over two years, of which one in twenty was returned and one in a hundred voided. */
async function populateSales({ database, pool }: Fresh, members: number): Promise<void> {
  const shopId = await addShop(database, { name: "Marais", city: "Paris", kind: "boutique" });
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role = replica; set statement_timeout = 0; select setseed(0.42)");
    await client.query(
      `insert into customer (email, firstname, lastname, password_hash)
       select 'client-' || n || '@exemple.fr', 'Ada', 'Mesure ' || n, 'x' from generate_series(1, ${members}) n`,
    );
    await client.query(
      `insert into loyalty_account (customer_id, programme_id, state, member_since, card_number, balance)
       select id, 4, 'active', ${days(800)}, '29' || lpad(id::text, 11, '0'), 250 from customer`,
    );
    await client.query(
      `insert into shop_sale (shop_id, number, key_prefix, sold_at, customer_id, whole, lines, vouchers, earned)
       select ${shopId}, n, 'bench', now() - random() * interval '730 days', 1 + floor(random() * ${members})::bigint, false,
         jsonb_build_array(
           jsonb_build_object('line', '1', 'paidCents', 8990, 'codes', jsonb_build_array((array['knitwear', 'shoes', 'denim'])[1 + n % 3])),
           jsonb_build_object('line', '2', 'paidCents', 3995)), '[]', 0
       from generate_series(1, ${members * salesEach}) n`,
    );
    await client.query(
      `insert into shop_return (shop_id, number, kind, sale_shop_id, sale_number, state, key_prefix, returned_at, asked, refunds)
       select shop_id, 'R-' || number, case when number::integer % 100 = 0 then 'void' else 'return' end, shop_id, number,
         'applied', 'bench', sold_at, '[]', '[{"line": "1", "cents": 8990}]'
       from shop_sale where number::integer % 20 = 0`,
    );
    await client.query("vacuum analyze customer, loyalty_account, shop_sale, shop_return");
  } finally {
    client.release(true);
  }
}

/** A segment as marketing builds it, to the same members counted by a query written by hand. */
export async function measureSegments(opened: Fresh, members: number): Promise<Result[]> {
  await populateSales(opened, members);
  const { database, pool } = opened;
  const results: Result[] = [];
  for (const [what, definition, query] of segments) {
    const built = async () => {
      const counting = sql`select count(*) from ${membersWhere(definition, new Date())}`;
      return Number((await database.execute<{ count: string }>(counting)).rows[0]?.count);
    };
    const byHand = async () => Number((await pool.query(query)).rows[0]?.count);
    const [found, expected] = [await built(), await byHand()];
    if (found !== expected || found === 0) throw new Error(`${what}: ${found} members, by hand ${expected}.`);
    const { one, other } = await compare(built, byHand, 7, 1);
    results.push({
      what: `segment of ${members} members, ${what}: to a query written by hand`,
      metrics: `${ms(one)} to ${ms(other)}`,
      ratio: one / other,
      most: 1.3,
    });
  }
  return results;
}
