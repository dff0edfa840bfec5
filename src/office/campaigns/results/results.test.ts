import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readLoyalty } from "#loyalty/calls.ts";
import { campaignResults } from "#loyalty/ledger/campaign.tables.server.ts";
import * as calls from "#office/campaigns/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { publishNow } from "#testing/programme.server.ts";

const { addMember, begin, clock, database, launch, openOffice, openShop, product } = await openTestCampaigns();

const run = async (job: string, campaign: number) => product.jobs[job]?.({ campaign }, database);
const result = async (IdCampaign: number) =>
  (await openOffice("marketing")).call(calls.readResult, { IdCampaign: String(IdCampaign) });
const measured = new Date("2026-04-20T10:00:00Z");

test("of 100 000 members 9.7 to 10.3 % are in a control group of 10 %, the same ones each time", async () => {
  const salt = "5f0c3f0e-6c0b-4a63-9d3b-0f6a3c1e7b52";
  const { rows } = await database.execute(sql`
    select count(*) filter (where campaign_controls(${salt}, 10, id))::integer as ten,
      count(*) filter (where campaign_controls(${salt}, 0, id))::integer as none,
      array_agg(id order by id) filter (where campaign_controls(${salt}, 10, id) and id <= 40) as first
    from generate_series(1, 100000) id`);
  // Written down: another release, or another machine, must choose the same ones.
  expect(rows).toEqual([{ ten: 9_946, none: 0, first: [4, 38] }]);
});

test("the control group has what the programme promises to everybody, and neither the till nor the page shows the campaign", async () => {
  const shop = await openShop();
  const members = await Promise.all(Array.from({ length: 8 }, () => addMember()));
  const { IdCampaign, end } = await begin({ ExtraPoints: "50", ControlPercent: "50", Metric: "purchases" });
  await run("office:campaign-starts", IdCampaign);
  const { rows } = await database.execute<{ id: string; control: boolean }>(
    sql`select customer_id as id, control from campaign_member where campaign_id = ${IdCampaign}`,
  );
  const isControl = (id: number) => rows.find((row) => Number(row.id) === id)?.control;
  let buyers = 0;
  for (const { id, card, call } of members) {
    const control = isControl(id);
    expect(control).toBeDefined();
    expect((await call(readLoyalty)).Campaigns).toHaveLength(control ? 0 : 1);
    const ReceiptNumber = shop.newNumber();
    const sold = await shop.sell({ CardNumber: card, Amount: "20.00", ReceiptNumber });
    expect(sold.Points.Earned).toBe(control ? 20 : 70);
    expect(sold.Campaign?.Points).toBe(control ? undefined : 50);
    // Of the members who got it, all but one give half of it back.
    if (control) continue;
    buyers += 1;
    if (buyers > 1) await shop.takeBack(ReceiptNumber, undefined, { Amount: "10.00" });
  }
  expect(await result(IdCampaign)).toMatchObject({ State: "running", Groups: [], Difference: null, CostCents: null });

  // That it ends early does not change what is measured.
  await end();
  clock.now = measured;
  await run("office:campaign-measured", IdCampaign);
  // What is given back afterwards changes no result.
  const { State, Verdict, Groups, CostCents } = await result(IdCampaign);
  expect({ State, Verdict }).toEqual({ State: "measured", Verdict: "too_few" });
  // By chance all members may be in one group, and the other one is missing.
  const [reached, control] = [false, true].map((is) => Groups.find((group) => group.Control === is));
  expect(reached?.RevenueCents ?? 0).toBe(1_000 * (buyers + Math.min(buyers, 1)));
  // Others of this file bought nothing, and stand in one of the groups.
  expect((reached?.Mean ?? 0) * (reached?.Members ?? 0)).toBeCloseTo(buyers);
  expect((control?.Mean ?? 0) * (control?.Members ?? 0)).toBeCloseTo(members.length - buyers);
  expect(CostCents).toBe(buyers * 50 * 4);
});

test("who it could reach is decided at its start, by status, segment and birthday, for both groups", async () => {
  const [silk, cotton] = [await addMember(1_100), await addMember()];
  const { IdCampaign, end } = await begin({ ExtraPoints: "5", IdLoyaltyTier: "2", ControlPercent: "50" });
  const later = await addMember(1_100);
  await database.execute(sql`update loyalty_account set member_since = member_since + interval '1 minute'
    where customer_id = ${later.id}`);
  await run("office:campaign-starts", IdCampaign);
  await run("office:campaign-starts", IdCampaign);
  const { rows } = await database.execute<{ id: number }>(sql`
    select customer_id::integer as id from campaign_member
    where campaign_id = ${IdCampaign} and customer_id in (${silk.id}, ${cotton.id}, ${later.id})`);
  expect(rows).toEqual([{ id: silk.id }]);
  await end();
});

test("the result says whether it brought something, at which cost, or how much longer it would take", async () => {
  const { IdCampaign, end } = await begin({ ExtraPoints: "50", ControlPercent: "10" });
  await end();
  clock.now = measured;
  const group = { control: false, members: 900, variance: 2_500_000, revenueCents: 0, points: 9_000, voucherCents: 0 };
  const of = async (mean: number, members = 900) => {
    const control = { ...group, control: true, members: 100, mean: 2_000, points: 0 };
    const row = { campaignId: IdCampaign, result: [{ ...group, mean, members }, control], measuredAt: clock.now };
    const { result: groups } = row;
    await database
      .insert(campaignResults)
      .values(row)
      .onConflictDoUpdate({ target: campaignResults.campaignId, set: { result: groups } });
    return result(IdCampaign);
  };
  const brought = await of(2_410);
  expect(brought).toMatchObject({ Verdict: "more", CostPerMemberCents: 40, MoreWeeks: null });
  expect(brought.Difference?.Value).toBeCloseTo(410);
  expect(brought.Difference?.Low).toBeCloseTo(80.07, 2);
  // A point in its interval for each group and for the difference, of which the words say the same.
  expect(brought.Chart?.match(/<circle/g)).toHaveLength(3);
  expect(brought.Chart).toContain("24,10");
  expect(brought.Chart).toContain("0,80");
  expect(await of(1_590)).toMatchObject({ Verdict: "less" });
  // A point that is worth less afterwards does not change what it has cost.
  const worth = (times: number) =>
    publishNow(
      database,
      ({ rewards }) => ({ rewards: rewards.map((one) => ({ ...one, amountCents: one.amountCents * times })) }),
      { now: clock.now },
    );
  await worth(0.5);
  expect(await of(2_410)).toMatchObject({ CostPerMemberCents: 40 });
  await worth(2);
  // 3 weeks and a fortnight: an interval of 329 shrinks to 280 in a third more of the time.
  expect(await of(2_280)).toMatchObject({ Verdict: "unclear", MoreWeeks: 2 });
  expect(await of(2_001)).toMatchObject({ Verdict: "unclear", MoreWeeks: null });
  expect(await of(2_410, 29)).toMatchObject({ Verdict: "too_few", Difference: null, Chart: null });
  clock.now = new Date("2026-03-20T10:00:00Z");
  expect(await result(IdCampaign)).toMatchObject({ State: "running", Verdict: null });
});

test("a campaign has a control group of 10 % unless a note says why not, and what is measured never changes", async () => {
  const bare = { ControlPercent: undefined, ControlNote: undefined };
  const usual = await launch({ ExtraPoints: "5", ...bare });
  expect(await usual.read()).toMatchObject({ ControlPercent: 10 });
  const unapproved = { problem: { code: "not_found" } };
  await expect(result(usual.IdCampaign)).rejects.toMatchObject(unapproved);
  await expect(launch({ ExtraPoints: "5", ...bare, ControlPercent: "0" })).rejects.toMatchObject({
    problem: { errors: [expect.objectContaining({ field: "ControlNote", code: "required" })] },
  });
  const change = sql`update campaign set metric = 'purchases' where id = ${usual.IdCampaign}`;
  await expect(database.execute(change)).rejects.toThrow();
  await usual.end();
});
