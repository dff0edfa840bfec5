import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readLoyalty, unsubscribe } from "#loyalty/calls.ts";
import * as calls from "#office/campaigns/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";

const { addMember, begin, clock, database, openOffice, openShop, product } = await openTestCampaigns();

test("no campaign reaches the hold-out for a year; points and status of the programme stay, and the year is measured once", async () => {
  const [held, other] = [await addMember(1_100), await addMember(1_100)];
  const shop = await openShop();
  const owner = await openOffice("owner");
  expect(await owner.call(calls.readHoldOut)).toEqual({ Running: null, Results: [] });
  await owner.call(calls.startHoldOut, { Percent: "5" });
  expect(await refusalOf(owner.call(calls.startHoldOut, { Percent: "1" }))).toMatchObject({ code: "already_decided" });
  // A salt by which the one is in it, and the other is not.
  await database.execute(sql`
    update campaign_hold_out set salt = (
      select salt from (select md5(n::text)::uuid as salt from generate_series(1, 2000) n) drawn
      where campaign_controls(salt, 5, ${held.id}) and not campaign_controls(salt, 5, ${other.id}) limit 1)`);
  const { IdCampaign, end } = await begin({ ExtraPoints: "50" });
  const voucher = await begin({ VoucherAmount: "15.00", VoucherDays: "60" });
  for (const campaign of [IdCampaign, voucher.IdCampaign])
    await product.jobs["office:campaign-starts"]?.({ campaign }, database);
  const { rows } = await database.execute(sql`
    select customer_id::integer as id from campaign_member union all select customer_id::integer from loyalty_voucher`);
  expect(rows.map(({ id }) => id)).toEqual([other.id, other.id, other.id]);
  for (const [member, campaigns, points] of [
    [held, 0, 25],
    [other, 1, 75],
  ] as const) {
    expect((await member.call(readLoyalty)).Campaigns).toHaveLength(campaigns);
    // Both are in silk, which multiplies points by 1.25.
    expect((await shop.sell({ CardNumber: member.card, Amount: "20.00" })).Points.Earned).toBe(points);
  }
  await end();
  await voucher.end();

  clock.now = new Date("2027-04-01T10:00:00Z");
  const { rows: begun } = await database.execute<{ id: number }>(sql`select max(id) as id from campaign_hold_out`);
  const measure = () => product.jobs["office:hold-out-measured"]?.({ holdOut: begun[0]?.id }, database);
  await measure();
  // What becomes of members afterwards changes no result.
  await held.call(unsubscribe);
  await measure();
  const later = await openOffice("marketing");
  const { Running, Results } = await later.call(calls.readHoldOut);
  expect(Running).toBeNull();
  expect(Results).toMatchObject([{ Percent: 5, Verdict: "too_few", CostCents: 50 * 4, Chart: null }]);
  expect(Results[0]?.Groups).toMatchObject([
    { Control: false, Members: 1, Mean: 2_000 },
    { Control: true, Members: 1, Mean: 2_000 },
  ]);
  await expectInvariants(database);
});

test("the owner ends it early, once; nothing is measured then", async () => {
  const owner = await openOffice("owner");
  expect(await refusalOf(owner.call(calls.endHoldOut))).toMatchObject({ code: "not_found" });
  await owner.call(calls.startHoldOut, { Percent: "2" });
  expect((await owner.call(calls.readHoldOut)).Running).toMatchObject({ Percent: 2 });
  await owner.call(calls.endHoldOut);
  expect((await owner.call(calls.readHoldOut)).Running).toBeNull();
});
