import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { obtainReward, subscribe } from "#loyalty/calls.ts";
import { openTestClub } from "./club.server.ts";
import { expectInvariants } from "./invariants.server.ts";

const { addCustomer, database } = await openTestClub();

/** What breaks an invariant that held a moment ago, and how it is repaired; each with triggers that let it. */
test.each([
  [
    "a changed row",
    1,
    "update loyalty_account set balance = balance + 1",
    "update loyalty_account set balance = balance - 1",
  ],
  [
    "a row that a function reads and that is deleted",
    5,
    "create table kept as select * from loyalty_welcome; delete from loyalty_welcome",
    "insert into loyalty_welcome select * from kept; drop table kept",
  ],
  [
    "a row too many",
    14,
    "insert into idempotency_key (customer_id, call, key, body_hash) select min(id), 'x', 'x', '' from customer",
    "delete from idempotency_key where call = 'x'",
  ],
  [
    "a row behind a view",
    21,
    "insert into metric_delta (day, metric, part, count, amount) values ('2026-03-10', 'spent', 0, 1, 1)",
    "delete from metric_delta where amount = 1 and metric = 'spent'",
  ],
  [
    "a trigger that is off",
    3,
    "alter table loyalty_entry disable trigger loyalty_entry_stays_whole",
    "alter table loyalty_entry enable trigger loyalty_entry_stays_whole",
  ],
])("after invariants have held, %s breaks number %i", async (_, number, breaking, repairing) => {
  const { call } = await addCustomer();
  await call(subscribe);
  await call(obtainReward, { IdLoyaltyReward: 1 });
  await expectInvariants(database);
  const without = (statements: string) =>
    database.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local session_replication_role = replica; ${statements}`));
    });
  await without(breaking);
  await expect(expectInvariants(database)).rejects.toThrow(new RegExp(`number: ${number}\\b`));
  // Again, though nothing has changed.
  await expect(expectInvariants(database)).rejects.toThrow();
  await without(repairing);
});
