import { sql } from "drizzle-orm";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Fresh } from "./cluster.ts";
import { compare, ms, type Result } from "./measures.ts";
import { openProduct, registerMember } from "./product.ts";

const shortLength = 10;
const longLength = 100_000;

/** A long history, written in bulk as the ledger would have written it entry by entry. */
async function addHistory(database: Database, customerId: number, entries: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`delete from loyalty_earned_day where customer_id = ${customerId}`);
    await tx.execute(sql`
    with written as (
      insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at, recorded_at)
      select ${customerId}, at, 'grant', 10, 250 + n * 10, 'grant:bench:' || n, '{"text": "Achat"}',
        club_day_end((club_day(at) + interval '24 months')::date), at
      from (select n, now() - interval '700 days' * (1 - n::numeric / ${entries}) as at
            from generate_series(1, ${entries}) n) days order by n
      returning id, at, points, expires_at
    ), lots as (
      insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
      select ${customerId}, id, expires_at, points from written
    )
    insert into loyalty_earned_day (customer_id, day, points, through)
    select ${customerId}, club_day(at), sum(points), sum(sum(points)) over (order by club_day(at))
    from (select at, points from written union all
          select at, points from loyalty_entry where customer_id = ${customerId}) both_of_them group by 2`);
    await tx.execute(sql`update loyalty_account set balance = balance + ${entries * 10}
      where customer_id = ${customerId}`);
  });
}

/** One member with a very long history beside one with a short one. */
export async function measureHistory({ database }: Fresh): Promise<Result[]> {
  const ask = openProduct(database);
  const short = await registerMember(ask, "short");
  const long = await registerMember(ask, "long");
  await addHistory(database, short.id, shortLength);
  await addHistory(database, long.id, longLength);
  await database.execute(sql`vacuum analyze`);
  for (const invariant of invariants.filter(({ number }) => [1, 2, 9, 10].includes(number)))
    if (await countViolations(database, invariant)) throw new Error(`The bench's own history breaks ${invariant.name}`);
  const { rows } = await database.execute<{ id: string }>(
    sql`select id from loyalty_entry where customer_id = ${long.id} order by id offset ${longLength / 2} limit 1`,
  );
  const cursor = Buffer.from(String(rows[0]?.id)).toString("base64url");
  const row = async (what: string, shortPath: string, longPath: string, most: number): Promise<Result> => {
    const times = await compare(
      () => ask(`loyalty/${longPath}`, { headers: long.headers }),
      () => ask(`loyalty/${shortPath}`, { headers: short.headers }),
    );
    return {
      what: `${what}: 100 000 entries to ${shortLength}`,
      metrics: `${ms(times.one)} to ${ms(times.other)}`,
      ratio: times.one / times.other,
      most,
    };
  };
  const page = "history?Limit=10";
  return [
    await row("history, first page", page, page, 1.5),
    await row("history, deep page", page, `${page}&Cursor=${cursor}`, 1.5),
    await row("card and balance", "customer", "customer", 1.2),
  ];
}
