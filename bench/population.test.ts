import { expect, test } from "vitest";
import { readCustomer } from "#identity/calls.ts";
import { obtainReward, readHistory, readLoyalty } from "#loyalty/calls.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { brokenInvariants, emailOf, entriesEach, populate, tokenOf } from "./population.ts";

const { as, database } = await openTestProduct();
const size = 50;
const structure = async () => {
  const { rows } = await database.$client.query<{ line: string }>(
    `select pg_get_indexdef(indexrelid) as line from pg_index where indrelid::regclass::text !~ '^pg_'
     union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint order by 1`,
  );
  return rows.map(({ line }) => line);
};
const before = await structure();
await populate(database, size);
const loaded = await database.$client.query("select count(*)::integer as entries from loyalty_entry");

test("the members that the bench loads keep every invariant", async () => {
  expect(await brokenInvariants(database)).toEqual({});
  expect(loaded.rows).toEqual([{ entries: size * entriesEach }]);
});

test("loading leaves every index and constraint as it was", async () => {
  expect(before.length).toBeGreaterThan(100);
  expect(await structure()).toEqual(before);
});

test("the product reads the loaded members as its own, and can write on", async () => {
  const call = as(tokenOf(size));
  expect(await call(readCustomer)).toMatchObject({ IdCustomer: size, Email: emailOf(size), LoyaltySubscribe: true });
  expect((await call(readHistory, { Limit: 100 })).Entries).toHaveLength(entriesEach);
  const { Points, Card } = await call(readLoyalty);
  expect(Card?.Number).toMatch(/^29\d{11}$/);
  await call(obtainReward, { IdLoyaltyReward: 1 });
  expect((await call(readLoyalty)).Points.Available).toBe(Points.Available - 250);
  expect(await brokenInvariants(database)).toEqual({});
});
