import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { amountOf, centsPerUnit } from "#brand/amounts.ts";
import { defaultBrand, installBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { clubDay } from "#i18n/club-day.ts";
import { locales } from "#i18n/locale.ts";
import { readProgramme } from "#loyalty/calls.ts";
import { addMonths, countsFrom } from "#loyalty/status/status.ts";
import { readMetrics } from "#office/metrics/calls.ts";
import type { Installation } from "#platform/database/migrations/installation.server.ts";
import * as calls from "#shop/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { publishNow } from "#testing/programme.server.ts";

const hourMs = 3_600_000;
const dayAfter = (day: string) => new Date(Date.parse(day) + 24 * hourMs).toISOString().slice(0, 10);
const dayBefore = (day: string) => new Date(Date.parse(day) - 24 * hourMs).toISOString().slice(0, 10);

/**
 * Ledger, tiers, metrics, campaigns and amounts of an installation with this currency and time zone. `days` are those of
 * both changes of clocks and 29 February, in their order.
 */
export async function testInstallation(installation: Installation, days: readonly string[]): Promise<void> {
  installBrand({ ...defaultBrand(), ...installation });
  afterAll(() => installBrand(undefined));
  const { addMember, begin, call, clock, database, fetch, openOffice, openShop } = await openTestCampaigns();
  const till = await openShop();

  /** The first moment of a day by Intl alone, which the product's SQL does not use. */
  function startOf(day: string): number {
    const { format } = new Intl.DateTimeFormat("sv", { timeZone: installation.TimeZone });
    let [before, after] = [Date.parse(day) - 15 * hourMs, Date.parse(day) + 15 * hourMs];
    while (after - before > 1_000) {
      const middle = before + Math.floor((after - before) / 2_000) * 1_000;
      if (format(middle) < day) before = middle;
      else after = middle;
    }
    return after;
  }
  const at = (moment: number) => {
    clock.now = new Date(moment);
  };
  /** A purchase of so many main units of the currency. */
  const buy = (member: { card: string }, units: number) =>
    till.sell({ CardNumber: member.card, Amount: amountOf(units * centsPerUnit()) });

  test.each(days)("%s begins and ends with the club's clocks, in SQL and in TypeScript", async (day) => {
    const [starts, ends] = [startOf(day), startOf(dayAfter(day))];
    const { rows } = await database.execute(sql`
      select extract(epoch from club_day_start(${day}))::float8 * 1000 as starts,
        extract(epoch from club_day_end(${day}))::float8 * 1000 as ends,
        club_day(${new Date(starts).toISOString()})::text as first,
        club_day(${new Date(starts - 1).toISOString()})::text as before`);
    expect(rows).toEqual([{ starts, ends: ends - 1_000, first: day, before: dayBefore(day) }]);
    expect([starts - 1, starts, ends - 1, ends].map((moment) => clubDay(new Date(moment)))).toEqual([
      ...[dayBefore(day), day, day, dayAfter(day)],
    ]);
  });

  test("points, statuses, metrics and campaigns follow the day, to the second", async () => {
    const { PointsValidMonths, TierMonths } = await call(readProgramme);
    for (const day of days) {
      const [starts, ends] = [startOf(day), startOf(dayAfter(day))];
      at(startOf(dayBefore(day)) + 8 * hourMs);
      const member = await addMember();
      const gift = (await member.points()).Available;
      await begin({ Multiplier: "2", From: day, To: day });
      at(starts - 1_000);
      expect((await buy(member, 10)).Points.Earned).toBe(10);
      at(starts);
      expect((await buy(member, 100)).Points.Earned).toBe(200);
      at(ends - 1_000);
      expect((await buy(member, 200)).Points.Earned).toBe(400);
      at(ends);
      expect((await buy(member, 40)).Points.Earned).toBe(40);
      const earned = [
        { on: dayBefore(day), points: gift + 10 },
        { on: day, points: 600 },
        { on: dayAfter(day), points: 40 },
      ];
      const pointsOf = (counts: (on: string) => boolean) =>
        earned.reduce((sum, { on, points }) => sum + (counts(on) ? points : 0), 0);

      const metrics = await (await openOffice("marketing")).call(readMetrics, { From: day, To: day });
      expect(metrics.Figures.find(({ Name }) => Name === "sales")).toMatchObject({
        ...{ Value: 2, Cents: 300 * centsPerUnit(), Previous: 1, PreviousCents: 10 * centsPerUnit() },
      });

      // At the last and the first second of the days around which points stop to count for the status.
      for (const on of [addMonths(day, TierMonths), dayAfter(addMonths(day, TierMonths))])
        for (const moment of [startOf(on), startOf(dayAfter(on)) - 1_000]) {
          at(moment);
          const expected = pointsOf((earnedOn) => earnedOn >= countsFrom(on, TierMonths));
          expect((await member.points()).EarnedLast12Months, clock.now.toISOString()).toBe(expected);
        }
      // And around which they expire.
      const lastDay = addMonths(day, PointsValidMonths);
      for (const on of [lastDay, dayAfter(lastDay)])
        for (const moment of [startOf(on), startOf(dayAfter(on)) - 1_001]) {
          at(moment);
          const expected = pointsOf((earnedOn) => addMonths(earnedOn, PointsValidMonths) >= on);
          expect((await member.points()).Available, clock.now.toISOString()).toBe(expected);
        }
    }
  });

  test("a sale of 8990, 3995 and a gift card, with a voucher of 1000, earns and gives back by whole cents", async () => {
    const member = await addMember(1_000);
    const Code = await member.obtain();
    const lines = [8_990, 3_995, 5_000].map((cents, index) => ({
      ...{ Line: String(index + 1), Amount: amountOf(cents), Earns: index < 2 },
    }));
    const ReceiptNumber = till.newNumber();
    const sold = await till.sell({ ReceiptNumber, CardNumber: member.card, Lines: lines, VoucherCodes: Code });
    const points = (cents: number) => Math.floor((cents * 125) / 100 / centsPerUnit());
    expect(sold.Lines.map(({ Paid, VoucherShare }) => [Paid, VoucherShare])).toEqual([
      [amountOf(8_298), amountOf(692)],
      [amountOf(3_687), amountOf(308)],
      [amountOf(5_000), amountOf(0)],
    ]);
    expect(sold.Points.Earned).toBe(points(11_985));
    const scarf = await till.takeBack(ReceiptNumber, [{ Line: "2" }]);
    expect(scarf).toMatchObject({ Refunds: [{ Amount: amountOf(3_687) }] });
    expect(scarf.Points.Taken).toBe(points(11_985) - points(8_298));
    const dress = await till.takeBack(ReceiptNumber, [{ Line: "1" }]);
    expect(dress.Points.Taken).toBe(points(8_298));
    expect(dress.ReissuedVouchers).toMatchObject([{ Value: amountOf(1_000) }]);
    const { rows } = await database.execute(sql`select webhook_amount(11985) as paid, webhook_amount(7) as few`);
    expect(rows).toEqual([{ paid: amountOf(11_985), few: amountOf(7) }]);
  });

  test("amounts have exactly the decimals of the currency and nine digits at most, and the documentation says so", async () => {
    const decimals = Math.log10(centsPerUnit());
    const most = amountOf(999_999_999);
    expect(most.replace(".", "")).toHaveLength(9);
    expect(most.split(".")[1]?.length ?? 0).toBe(decimals);
    expect((await till.call(calls.quote, { Amount: most })).Lines).toMatchObject([{ Paid: most }]);
    const wrong = [
      `1${most}`,
      `1.${"0".repeat(decimals + 1)}`,
      ...(decimals > 0 ? ["1", `1.${"0".repeat(decimals - 1)}`] : []),
    ];
    for (const Amount of wrong)
      await expect(till.call(calls.quote, { Amount }), Amount).rejects.toMatchObject({
        problem: { status: 400, errors: [{ field: "Amount" }] },
      });
    const other = await fetch("/api/loyalty/programme?currency=EUR");
    expect([other.status, (await other.json()).errors]).toMatchObject([400, [{ code: "currency" }]]);
    expect((await call(readProgramme)).Rewards[0]?.Value).toEqual({
      ...{ Amount: amountOf(1_000), CurrencyIsoCode: installation.Currency },
    });
    const documented = await (await fetch("/api/openapi.json")).text();
    expect(documented).toContain(`"const":"${installation.Currency}"`);
    expect(documented).toContain(
      JSON.stringify(decimals ? `^\\d{1,${9 - decimals}}\\.\\d{${decimals}}$` : "^\\d{1,9}$"),
    );
    const page = await (await fetch("/api/docs")).text();
    expect(page).toContain(`Amount=${amountOf(8_990)}`);
    expect(page).toContain(`With VAT: ${amountOf(8_990)}`);
    expect(documented + page).not.toMatch(/€|\beuros?\b/i);
  });

  test("no page names another currency", async () => {
    const plain = { fr: "", en: "", de: "" };
    const none = { fr: [], en: [], de: [] };
    await publishNow(
      database,
      ({ tiers, rewards, events }) => ({
        tiers: tiers.map((tier) => ({ ...tier, benefits: none })),
        rewards: rewards.map((reward) => ({ ...reward, name: plain, description: plain })),
        events: events.map((event) => ({ ...event, description: plain, hint: plain })),
      }),
      { now: clock.now },
    );
    for (const locale of locales) {
      const page = await (await fetch(locale === "fr" ? "/" : `/${locale}`)).text();
      expect(page).toContain(textsOf[locale].t("home.rate2"));
      expect(page.replace(/<[^>]*>/g, " ")).not.toMatch(/€|\beuros?\b/i);
    }
  });
}
