import { beforeAll, expect, test } from "vitest";
import { claimReceipt } from "#loyalty/calls.ts";
import { createMetrics } from "#platform/metrics.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestTill } from "#testing/till.server.ts";

const metrics = createMetrics();
const { addMember, clock, database, openShop, openTill } = await openTestTill({}, { metrics });
const pendingDays = 14;
const dayMs = 24 * 3_600_000;

beforeAll(async () => {
  await publishNow(database, { pendingDays }, { now: clock.now });
  clock.now = new Date(clock.now.getTime() + 60 * dayMs);
});

const daysAgo = (days: number) => ({
  SoldAt: new Date(clock.now.getTime() - days * dayMs).toISOString(),
  SentAt: clock.now.toISOString(),
});

test("points of a sale that a till dates back are pending from its arrival, also when it is claimed", async () => {
  const till = await openTill();
  const member = await addMember();
  const claim = async (ClaimCode = "") => member.call(claimReceipt, { ClaimCode });
  const named = await till.sell({ CardNumber: member.card, Amount: "250.00", ...daysAgo(pendingDays) });
  expect(named).toMatchObject({ Points: { Earned: 250, Available: 250, Pending: 250 } });
  const dated = await till.sell({ Amount: "100.00", ...daysAgo(30) });
  expect(await claim(dated.ClaimCode)).toMatchObject({ Points: { Earned: 100, Available: 250, Pending: 350 } });
  const kept = await till.sell({ Amount: "40.00" });
  clock.now = new Date(clock.now.getTime() + pendingDays * dayMs);
  expect(await claim(kept.ClaimCode)).toMatchObject({ Points: { Earned: 40, Available: 640, Pending: 0 } });
});

test("the time that a key sends is believed; the sale is in the audit log, and counted by key for an alarm", async () => {
  const shop = await openShop();
  const member = await addMember();
  const sold = await shop.sell({ CardNumber: member.card, Amount: "250.00", ...daysAgo(20) });
  expect(sold).toMatchObject({ Points: { Earned: 250, Available: 500 } });
  await shop.sell({ CardNumber: member.card, Amount: "250.00" });
  const prefix = shop.key.split("_")[1] ?? "";
  const { rows } = await database.$client.query(
    "select action, customer_id::integer, after from audit_log where key_prefix = $1",
    [prefix],
  );
  expect(rows).toEqual([
    { action: "sale_dated_back", customer_id: member.id, after: expect.objectContaining({ earned: 250 }) },
  ]);
  expect(await metrics.text()).toContain(`cercle_sales_dated_back{key="${prefix}"} 1`);
});
