import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import { withCluster } from "./cluster.ts";
import { entriesEach, populate, tokenOf } from "./population.ts";
import { openProduct } from "./product.ts";

/**
 * `npm run capacity -- --customers 3000000`: loads members by COPY, each with twenty entries of two years, and tells what
 * they weigh and how long readings and the invariants take. The numbers of docs/capacity.md.
 */
const { values } = parseArgs({ options: { customers: { type: "string", default: "100000" } } });
const size = Number(values.customers);
const readings = 500;

await withCluster(async (fresh) => {
  const { database } = await fresh();
  const since = (startedAt: number) => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  const loadedFrom = performance.now();
  await populate(database, size);
  console.log(`${size} members with ${entriesEach} entries each, loaded in ${since(loadedFrom)}`);

  const { rows } = await database.execute<{ name: string; rows: number; heap: number; indexes: number }>(sql`
    select relname as name, reltuples::float8 as rows, pg_table_size(oid)::float8 as heap,
           pg_indexes_size(oid)::float8 as indexes
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > ${size / 2}
    order by pg_total_relation_size(oid) desc`);
  for (const { name, rows: count, heap, indexes } of rows)
    console.log(
      `${name.padEnd(22)} ${(count / size).toFixed(1).padStart(5)} rows, ${Math.round(heap / size)} + ${Math.round(indexes / size)} bytes of table and indexes each`,
    );
  const { rows: whole } = await database.execute<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  const bytes = whole[0]?.bytes ?? 0;
  console.log(`all of it: ${(bytes / 2 ** 30).toFixed(2)} GiB, ${Math.round(bytes / size)} bytes a member`);

  const ask = openProduct(database);
  for (const path of ["customer", "loyalty/customer", "loyalty/history?Limit=5"]) {
    const took: number[] = [];
    for (let n = 0; n < readings; n += 1) {
      const customer = 1 + Math.floor(Math.random() * size);
      const startedAt = performance.now();
      await ask(path, { headers: { authorization: `Bearer ${tokenOf(customer)}` } });
      took.push(performance.now() - startedAt);
    }
    took.sort((a, b) => a - b);
    const at = (part: number) => (took[Math.floor(part * (took.length - 1))] ?? 0).toFixed(1);
    console.log(`GET ${path}: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, one at a time, each of another member`);
  }

  const checkedFrom = performance.now();
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    for (const invariant of invariants) {
      const startedAt = performance.now();
      const broken = await countViolations(tx, invariant);
      if (broken > 0 || performance.now() - startedAt > 5_000)
        console.log(`invariant ${invariant.number}: ${broken} rows, ${since(startedAt)}`);
    }
  });
  console.log(`all ${invariants.length} invariants in ${since(checkedFrom)}`);
});
