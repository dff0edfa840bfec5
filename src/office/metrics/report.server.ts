import { textsOf } from "#brand/texts.server.ts";
import { clubDay } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import type { FindProgramme, Programme } from "#loyalty/programme/programme.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { barChart } from "./bar-chart.server.tsx";
import { lineChart } from "./line-chart.server.tsx";
import { describeMetrics, measure } from "./metrics.server.ts";
import { addDays, daysOf, type Period, periodBefore, periodOf, yearBefore } from "./period.server.ts";
import { meanDays, readStoredMetrics, type StoredMetrics } from "./stored-metrics.server.ts";

interface Asked {
  From?: string | undefined;
  To?: string | undefined;
  IdShop?: number | undefined;
  Compare?: "before" | "year" | undefined;
}

/** The metrics of a period with the charts and tables behind them. The role shop sees its own shop's. */
export async function readMetrics(
  { database, findProgramme }: { database: Database; findProgramme: FindProgramme },
  caller: OfficeCaller,
  asked: Asked,
  { now, locale }: { now: Date; locale: Locale },
) {
  const shopId = caller.shopId ?? asked.IdShop;
  if (asked.IdShop !== undefined && asked.IdShop !== shopId) throw new Refusal("forbidden");
  const today = clubDay(now);
  const period = periodOf(asked, today);
  const before = asked.Compare === "year" ? yearBefore(period) : periodBefore(period);
  const programme = await findProgramme(defaultProgrammeId, now);
  const read = await readStoredMetrics(database, period, before, today);
  const days = daysIn(read, period, before, shopId);
  const outstanding = shopId === undefined ? outstandingByMonth(read, programme, locale) : null;
  const campaigns = read.campaigns
    .filter((one) => shopId === undefined || (one.shopId ?? shopId) === shopId)
    .map(({ day, name }) => ({ day, name: name[locale] }));
  const shops = read.shops.map(({ id, name }) => shopRow(read, programme, id, name));
  return {
    Today: today,
    Period: { From: period.from, To: period.to },
    Before: { From: before.from, To: before.to },
    Compare: asked.Compare ?? ("before" as const),
    IdShop: shopId ?? null,
    Figures: describeMetrics(measure(read, programme, shopId), locale, shopId !== undefined),
    Days: days,
    Outstanding: outstanding,
    Shops:
      shopId === undefined
        ? [...shops, ...outside(read, programme, locale)]
        : shops.filter((one) => one.IdShop === shopId),
    AllShops: read.shops
      .filter(({ id }) => caller.shopId === null || id === caller.shopId)
      .map(({ id, name }) => ({ IdShop: id, Name: name })),
    Charts: {
      Days: lineChart(days, { period, before }, campaigns, locale),
      Outstanding: outstanding && barChart(outstanding, locale),
    },
  };
}

/** Every day of the period, also those on which nothing was issued. */
function daysIn({ days }: StoredMetrics, period: Period, before: Period, shopId: number | undefined) {
  const issued = new Map<string, number>();
  for (const { day, shopId: id, points } of days)
    if (shopId === undefined || id === shopId) issued.set(day, (issued.get(day) ?? 0) + points);
  const pointsOf = (day: string) => issued.get(day) ?? 0;
  const meanOf = (day: string) => {
    const week = Array.from({ length: meanDays + 1 }, (_, back) => pointsOf(addDays(day, -back)));
    return week.reduce((sum, points) => sum + points, 0) / week.length;
  };
  return Array.from({ length: daysOf(period) }, (_, n) => {
    const day = addDays(period.from, n);
    const previous = addDays(before.from, n);
    return {
      Day: day,
      Points: pointsOf(day),
      Mean: meanOf(day),
      PreviousPoints: previous <= before.to ? pointsOf(previous) : null,
      PreviousMean: previous <= before.to ? meanOf(previous) : null,
    };
  });
}

function outstandingByMonth({ outstanding }: StoredMetrics, programme: Programme, locale: Locale) {
  const { cents, best } = valueOfPoints(programme);
  const tiers = [...programme.tiers].sort((a, b) => a.rank - b.rank);
  const months = [...new Set(outstanding.map(({ month }) => month))].map((month) => {
    const rows = outstanding.filter((row) => row.month === month);
    const ofTier = (id: number) => rows.find(({ tierId }) => tierId === id)?.points ?? 0;
    const Points = rows.reduce((sum, { points }) => sum + points, 0);
    const Tiers = tiers.map(({ id }) => ofTier(id));
    // Points of before the tier was noted, or of a tier that is gone, count with the lowest.
    Tiers[0] = Points - Tiers.slice(1).reduce((sum, points) => sum + points, 0);
    return { Month: month, Points, Cents: cents(Points), Tiers };
  });
  return {
    Months: months,
    TierNames: tiers.map(({ name }) => name[locale]),
    RewardPoints: best?.points ?? 0,
    RewardCents: best?.amountCents ?? 0,
  };
}

/** What happened in no shop, such as joining at home: with it the table adds up. */
function outside(read: StoredMetrics, programme: Programme, locale: Locale) {
  const { IdShop: _, ...row } = shopRow(read, programme, 0, textsOf[locale].t("office.figures.noShop"));
  return row.Joined > 0 || row.VouchersUsed > 0 || row.Points > 0 ? [{ IdShop: null, ...row }] : [];
}

function shopRow(read: StoredMetrics, programme: Programme, id: number, name: string) {
  const { sales, sales_share, issued_purchase, vouchers_used, joined } = measure(read, programme, id);
  return {
    IdShop: id,
    Name: name,
    Sales: sales.value,
    Cents: sales.cents ?? 0,
    Share: sales_share.value,
    Points: issued_purchase.value,
    PreviousPoints: issued_purchase.previous,
    VouchersUsed: vouchers_used.value,
    Joined: joined.value,
  };
}

export type Metrics = Awaited<ReturnType<typeof readMetrics>>;
