import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { to as copyTo } from "pg-copy-streams";
import { draftMemory, draftMonth } from "#loyalty/ledger/month-end/month-end.server.ts";
import { addShop } from "#shop/keys/keys.server.ts";
import { exportWarehouse } from "#warehouse/export.server.ts";
import type { Fresh, OpenFresh } from "./cluster.ts";
import { compare, ms, type Result, startSteps } from "./measures.ts";
import { populate } from "./population.ts";

const named = (size: number) => size.toLocaleString("en").replaceAll(",", " ");

/** The sums of a month as one would ask for them by hand, where nothing was returned, pending, merged or erased. */
const bareMonth = (from: string, to: string) => [
  "select sum(balance) from loyalty_account",
  `select sum(points) filter (where recorded_at >= ${to}) from loyalty_entry where recorded_at >= ${from}`,
  `select kind, to_char(club_day(at), 'YYYY-MM'), sum(points) from loyalty_entry
   where recorded_at >= ${from} and recorded_at < ${to} group by 1, 2`,
  `select to_char(club_day(v.expires_at), 'YYYY-MM'), sum(v.amount_cents) from loyalty_voucher v
   join loyalty_entry e using (customer_id, id) where v.expires_at >= ${from} group by 1`,
  `select to_char(club_day(expires_at), 'YYYY-MM'), tier_id, sum(remaining) from loyalty_lot
   where remaining > 0 group by 1, 2`,
  `select to_char(club_day(e.at), 'YYYY-MM'), sum(l.remaining)
   from loyalty_lot l join loyalty_entry e on e.customer_id = l.customer_id and e.id = l.entry_id
   where l.remaining > 0 group by 1`,
];

/** A month end of so many members, and an export of a day with so many sales. */
export async function measureReports(fresh: OpenFresh, members: number, sales: number): Promise<Result[]> {
  const opened = await fresh();
  await populate(opened.database, members);
  return [await measureMonthEnd(opened, members), await measureWarehouse(opened, members, sales)];
}

/** A month end alone, for more members than it would be worth to export. */
export async function measureMonthEndOf(fresh: OpenFresh, members: number): Promise<Result[]> {
  const opened = await fresh();
  await populate(opened.database, members, { ledgerOnly: true });
  return [await measureMonthEnd(opened, members, 3)];
}

async function measureMonthEnd({ database, pool }: Fresh, members: number, rounds = 5): Promise<Result> {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 10);
  const moments = [
    `club_day_start('${first}')`,
    `club_day_start(('${first}'::date + interval '1 month')::date)`,
  ] as const;
  const step = startSteps();
  const draft = async () => {
    await draftMonth(database, first, now);
    step("a draft");
  };
  const bare = async () => {
    const client = await pool.connect();
    try {
      // As much memory as the draft takes.
      await client.query(`set work_mem = '${draftMemory}'`);
      for (const query of bareMonth(...moments)) await client.query(query);
      step("the bare sums");
    } finally {
      client.release();
    }
  };
  const { one, other } = await compare(draft, bare, rounds, 1);
  return {
    what: `month end of ${named(members)} members: the draft to the bare sums`,
    metrics: `${ms(one)} to ${ms(other)}`,
    ratio: one / other,
    most: 1.5,
  };
}

async function measureWarehouse({ database, pool }: Fresh, members: number, sales: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "bench-warehouse-"));
  const run = () => exportWarehouse(database, join(folder, "warehouse"), { now: new Date() });
  try {
    await run();
    const shop = await addShop(database, { name: "Marais", city: "Paris", kind: "boutique" });
    const times: { export: number; copy: number }[] = [];
    for (let day = 0; day < 3; day += 1) {
      const from = await addDay({ database, pool }, { shop, members, sales, day });
      const copy = await seconds(() => copyRows(pool, from, folder));
      times.push({ copy, export: await seconds(run) });
    }
    const best = times.sort((a, b) => a.export / a.copy - b.export / b.copy)[1] ?? { export: 0, copy: 1 };
    return {
      what: `data export of a day with ${named(sales)} sales: to COPY TO of the same rows`,
      metrics: `${ms(best.export * 1_000)} to ${ms(best.copy * 1_000)}`,
      ratio: best.export / best.copy,
      most: 2,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

/** Sales of two lines with their entries, in one transaction, which is returned. */
async function addDay({ pool }: Fresh, of: { shop: number; members: number; sales: number; day: number }) {
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query("begin");
    const { rows } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
    const line = (number: number) =>
      `jsonb_build_object('line', '${number}', 'cents', 4990, 'earns', true, 'shareCents', 0, 'paidCents', 4990)`;
    await client.query(
      `with sold as (
         select n, 1 + n % $2::integer as customer_id, now() - n * interval '1 second' as at, 'B' || $4::integer || '-' || n as number
         from generate_series(1, $3::integer) n
       ), entries as (
         insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at, recorded_at)
         select customer_id, at, 'purchase', 99, 99, 'purchase:' || $1::integer || ':' || number, '{"sale": {"shop": "Marais"}}',
           at + interval '2 years', at from sold)
       insert into shop_sale (shop_id, number, key_prefix, sold_at, customer_id, whole, lines, vouchers, earned)
       select $1::integer, number, 'bench', at, customer_id, false, jsonb_build_array(${line(1)}, ${line(2)}), '[]', 99 from sold`,
      [of.shop, of.members, of.sales, of.day],
    );
    await client.query("commit");
    await client.query("vacuum analyze loyalty_entry, shop_sale");
    return rows[0]?.id ?? "0";
  } finally {
    client.release(true);
  }
}

async function copyRows(pool: Fresh["pool"], from: string, folder: string): Promise<void> {
  const client = await pool.connect();
  try {
    for (const table of ["loyalty_entry", "shop_sale"]) {
      const rows = copyTo(`copy (select * from ${table} where written_in >= ${from}) to stdout with (format csv)`);
      await pipeline(client.query(rows), createWriteStream(join(folder, `${table}.csv`)));
    }
  } finally {
    client.release();
  }
}
