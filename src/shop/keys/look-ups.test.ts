import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { exportCustomer } from "#identity/calls.ts";
import { createMetrics } from "#platform/metrics.server.ts";
import * as calls from "#shop/calls.ts";
import { openTestShop } from "#testing/shop.server.ts";

const metrics = createMetrics();
const { addMember, clock, database, openShop } = await openTestShop({}, { metrics });

test("a quote by card is a look-up: once in a quarter of an hour, and in the customer's export", async () => {
  const till = await openShop();
  const member = await addMember();
  const ask = () => till.call(calls.quote, { CardNumber: member.card, Amount: "10.00" });
  const lookUps = async () =>
    JSON.stringify(await member.call(exportCustomer)).match(/"by":"card","entryMode":null/g)?.length ?? 0;
  await ask();
  await ask();
  expect(await lookUps()).toBe(1);
  clock.now = new Date(clock.now.getTime() + 16 * 60_000);
  await ask();
  expect(await lookUps()).toBe(2);
});

test("look-ups by address are counted by key for an alarm; those by card are not", async () => {
  const till = await openShop();
  const member = await addMember();
  const prefix = till.key.split("_")[1] ?? "";
  for (let n = 0; n < 3; n += 1) await till.call(calls.identify, { Email: member.email });
  await till.call(calls.identify, { CardNumber: member.card });
  expect(await metrics.text()).toContain(`cercle_look_ups_by_contact{key="${prefix}"} 3`);
});

test("a member whose total of points is wrong, and below zero, is found with the lowest status", async () => {
  const till = await openShop();
  const member = await addMember(100);
  const add = (points: number) =>
    database.execute(sql`update loyalty_earned_day set through = through + ${points} where customer_id = ${member.id}`);
  await add(-500);
  const { Customers } = await till.call(calls.identify, { CardNumber: member.card });
  expect(Customers).toMatchObject([{ Tier: { Name: "Coton" } }]);
  await till.call(calls.quote, { CardNumber: member.card, Amount: "10.00" });
  await add(500);
});
