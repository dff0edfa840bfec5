import { expect, test } from "vitest";
import * as calls from "#office/campaigns/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { spreadOf, totalOf } from "./estimate.ts";

const { addMember, clock, launch, openOffice, openShop, today } = await openTestCampaigns();
const now = clock.now;
const weeksAgo = (weeks: number, hours = 0) => new Date(now.getTime() - weeks * 7 * 24 * 3_600_000 + hours * 3_600_000);

test("the sum over other members lies in its interval 95 times in 100", () => {
  // A fixed generator: the same numbers at every run.
  let seed = 7;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const points = () => (next() < 0.6 ? 0 : Math.round(20 * -Math.log(next())));
  const draw = (count: number) => Array.from({ length: count }, points);
  let held = 0;
  for (let run = 0; run < 1_000; run += 1) {
    const { low, high } = totalOf(spreadOf(draw(200)), 300);
    const sum = draw(300).reduce((total, one) => total + one, 0);
    if (low <= sum && sum <= high) held += 1;
  }
  expect(held).toBeGreaterThan(930);
  expect(held).toBeLessThan(970);
});

test("the price is by what members did in the same weeks a year before, less the control group, and never above the limit", async () => {
  const shop = await openShop();
  clock.now = weeksAgo(60);
  const members = [];
  for (let n = 0; n < 30; n += 1) members.push(await addMember());
  // A Tuesday a year before; half of them buy for 100.00, at ten o'clock.
  clock.now = weeksAgo(52, 24);
  for (const { card } of members.slice(0, 15))
    await shop.sell({ CardNumber: card, Amount: "100.00", SoldAt: clock.now.toISOString() });
  clock.now = now;
  const price = async (campaign: object) => (await (await launch({ To: "2026-03-16", ...campaign })).read())?.Price;

  // 100 points more for half of 30 members, each worth 4 cents.
  const doubled = await price({ Multiplier: "2" });
  expect(doubled).toMatchObject({ Members: 30, Cost: { Cents: 15 * 100 * 4 }, MostCents: null });
  expect(doubled?.Cost?.LowCents).toBeGreaterThan(0);
  expect(doubled?.Cost?.LowCents).toBeLessThan(6_000);
  expect(doubled?.Cost?.HighCents).toBeGreaterThan(6_000);
  expect(await price({ ExtraPoints: "50", MinimumAmount: "100.01" })).toMatchObject({ Cost: { Cents: 0 } });
  expect(await price({ ExtraPoints: "50", Weekdays: "1" })).toMatchObject({ Cost: { Cents: 0 } });
  expect(await price({ ExtraPoints: "50", From: "2026-03-12" })).toMatchObject({ Cost: { Cents: 0 } });
  expect(await price({ Multiplier: "2", LimitPoints: "1000" })).toMatchObject({
    ...{ Cost: { Cents: 4_000, HighCents: 4_000 }, MostCents: 4_000 },
  });
  const controlled = await price({ Multiplier: "2", ControlPercent: "50" });
  expect(controlled?.Members).toBeLessThan(30);
  expect(controlled?.Cost?.Cents).toBe((controlled?.Members ?? 0) * 50 * 4);
  // The form says the same before anything is launched, and without its texts.
  const office = await openOffice("marketing");
  const { Campaigns } = await office.call(calls.listCampaigns);
  const asked = { From: today, To: "2026-03-16", ControlPercent: "0", ControlNote: "All of them" };
  const { Price } = await office.call(calls.priceCampaign, { ...asked, Multiplier: "2" });
  expect(Price).toEqual(doubled);
  expect((await refusalOf(office.call(calls.priceCampaign, asked))).code).toBe("invalid");
  expect((await office.call(calls.listCampaigns)).Campaigns).toHaveLength(Campaigns.length);
  // No voucher has ended yet: what they cost at most is known.
  expect(await price({ VoucherAmount: "15.00", VoucherDays: "30", From: today })).toEqual({
    ...{ Members: 30, Cost: null, MostCents: 45_000 },
  });
});
