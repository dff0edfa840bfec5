import { expect, test } from "vitest";
import { obtainReward, unsubscribe } from "#loyalty/calls.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";

/** The whole club's metrics: no one else may be in it. */
const { addMember, clock, openOffice, openShop } = await openTestOffice();
const today = "2026-03-10";

async function metricsOf(input: object) {
  // A session of its own: the clock moves by a year.
  const marketing = await openOffice("marketing");
  const read = await marketing.call(calls.readMetrics, input);
  return { ...read, of: (name: string) => read.Figures.find(({ Name }) => Name === name) };
}

test("metrics of a period, compared with the one before", async () => {
  const shop = await openShop("Cercle Lyon");
  const [member, leaver] = [await addMember(400), await addMember()];
  const ReceiptNumber = shop.newNumber();
  await shop.sell({ CardNumber: member.card, Amount: "90.00", ReceiptNumber });
  await shop.sell({ Amount: "30.00" });
  await shop.sell({ CardNumber: member.card, Amount: "60.00", VoucherCodes: await member.obtain() });
  await shop.takeBack(ReceiptNumber);
  await leaver.call(unsubscribe);
  const march = await metricsOf({ From: "2026-03-01", To: today });
  expect(march.Period).toEqual({ From: "2026-03-01", To: today });
  expect(march.Before).toEqual({ From: "2026-02-19", To: "2026-02-28" });
  const expected = {
    members: { Value: 1, Previous: 0 },
    joined: { Value: 2, Previous: 0 },
    left: { Value: 1 },
    active_share: { Value: 1, Previous: 0 },
    // Two welcome gifts, 90 and 50 for the purchases; the grant was in February, before the period before.
    issued: { Value: 640, Previous: 0 },
    issued_purchase: { Value: 140 },
    issued_welcome: { Value: 500 },
    spent: { Value: 250, Cents: 1_000 },
    taken_back: { Value: 90 },
    outstanding: { Value: 700, Previous: 400, Cents: 2_800 },
    vouchers_obtained: { Value: 1, Cents: 1_000 },
    vouchers_used: { Value: 1, Cents: 1_000 },
    sales: { Value: 2, Cents: 14_000 },
    sales_share: { Value: 140 / 170 },
    returns: { Value: 1, Cents: 9_000 },
  };
  for (const [name, metric] of Object.entries(expected))
    expect({ name, ...march.of(name) }).toMatchObject({ name, ...metric });
  expect(march.of("members")?.Definition).toBe("Clients membres du club à la fin de la période.");
  expect(march.Days).toHaveLength(10);
  expect(march.Days.at(-1)).toMatchObject({ Day: today, Points: 640 });
  expect(march.Outstanding?.Months.reduce((sum, { Points }) => sum + Points, 0)).toBe(700);
  expect(march.Shops).toContainEqual(
    expect.objectContaining({ IdShop: shop.shopId, Sales: 2, Cents: 14_000, Points: 140, VouchersUsed: 1, Joined: 0 }),
  );
  for (const chart of Object.values(march.Charts)) expect(chart).toMatch(/^<svg .*<\/svg>$/s);
  // After the voucher has ended unused it has lapsed; in the month before it had not.
  await member.call(obtainReward, { IdLoyaltyReward: "1" });
  clock.now = new Date("2027-03-11T10:00:00Z");
  const year = await metricsOf({ From: "2026-03-11", To: "2027-03-10" });
  expect(year.of("vouchers_lapsed")).toMatchObject({ Value: 1, Cents: 1_000, Previous: 0 });
  // A year after the last purchase.
  expect(year.of("active_share")).toMatchObject({ Value: 0, Previous: 1 });
  expect(year.Days).toHaveLength(365);
});
