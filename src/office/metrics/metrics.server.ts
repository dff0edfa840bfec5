import { centsPerUnit } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import type { Programme } from "#loyalty/programme/programme.server.ts";
import { keyMetrics, type MetricName, metricNames, shopKeyMetrics, shopMetrics } from "./names.ts";
import type { StoredMetric, StoredMetrics } from "./stored-metrics.server.ts";

/** A metric in the period and in the one before: a number, and what it is worth in cents where that says something. */
interface Measured {
  value: number;
  previous: number;
  cents?: number;
  previousCents?: number;
}

/** Shares have no sum; where nothing was sold there is none. */
const share = (part: number, whole: number) => (whole > 0 ? part / whole : 0);

type Amounts = Pick<StoredMetric, Exclude<keyof StoredMetric, "metric" | "part">>;
const nothing: Amounts = {
  ...{ count: 0, amount: 0, previousCount: 0, previousAmount: 0 },
  ...{ countAtEnd: 0, amountAtEnd: 0, countAtPreviousEnd: 0, amountAtPreviousEnd: 0 },
};

/** The sums of stored metrics, of one shop or of all. */
function sumsOf(metrics: readonly StoredMetric[], shopId: number | undefined) {
  const known = new Map<string, Amounts>();
  for (const { metric, part, ...amounts } of metrics) {
    if (shopId !== undefined && part !== shopId) continue;
    const sum = { ...(known.get(metric) ?? nothing) };
    for (const name of Object.keys(nothing) as (keyof Amounts)[]) sum[name] += amounts[name];
    known.set(metric, sum);
  }
  return (...names: string[]): Amounts => {
    const total = { ...nothing };
    for (const metric of names)
      for (const name of Object.keys(nothing) as (keyof Amounts)[]) total[name] += known.get(metric)?.[name] ?? 0;
    return total;
  };
}

const counts = ({ count, previousCount }: Amounts): Measured => ({ value: count, previous: previousCount });
const points = ({ amount, previousAmount }: Amounts): Measured => ({ value: amount, previous: previousAmount });
const countsAndCents = ({ count, amount, previousCount, previousAmount }: Amounts): Measured => ({
  ...{ value: count, previous: previousCount, cents: amount, previousCents: previousAmount },
});

const credits = [
  ...["issued_purchase", "issued_welcome", "issued_event", "issued_referral", "issued_grant", "issued_adjust"],
];
const debits = ["spent", "lapsed", "taken_back", "corrected", "forfeited"];

/** Euros of so many sales, each. */
const mean = (cents: number, count: number) => (count === 0 ? 0 : Math.round(cents / count) / centsPerUnit());

/** Every metric, of the whole club or of one shop. */
export function measure(
  { metrics, pending }: Pick<StoredMetrics, "metrics" | "pending">,
  programme: Pick<Programme, "rewards">,
  shopId?: number,
) {
  const of = sumsOf(metrics, shopId);
  const { cents } = valueOfPoints(programme);
  const worth = ({ value, previous }: Measured): Measured => ({
    ...{ value, previous, cents: cents(value), previousCents: cents(previous) },
  });
  const joined = of("joined");
  const gone = of("left", "erased", "merged");
  const members = {
    value: joined.countAtEnd - gone.countAtEnd,
    previous: joined.countAtPreviousEnd - gone.countAtPreviousEnd,
  };
  const active = of("active");
  const [credited, debited, cancelled] = [of(...credits), of(...debits), of("cancelled")];
  const named = of("sale_named");
  const all = of("sale_named", "sale_unnamed");
  const obtained = of("voucher_reward");
  const measured: Record<MetricName, Measured> = {
    members,
    active_share: {
      value: share(active.countAtEnd, members.value),
      previous: share(active.countAtPreviousEnd, members.previous),
    },
    issued: points(credited),
    // The points of cancelled vouchers were given back.
    spent: {
      value: of("spent").amount - of("cancelled").amount,
      previous: of("spent").previousAmount - of("cancelled").previousAmount,
      cents: obtained.amount,
      previousCents: obtained.previousAmount,
    },
    lapsed: worth(points(of("lapsed"))),
    // The liability; by month: report.server.ts#outstandingByMonth.
    outstanding: worth({
      value: credited.amountAtEnd + cancelled.amountAtEnd - debited.amountAtEnd,
      previous: credited.amountAtPreviousEnd + cancelled.amountAtPreviousEnd - debited.amountAtPreviousEnd,
    }),
    joined: counts(joined),
    left: counts(of("left")),
    erased: counts(of("erased")),
    merged: counts(of("merged")),
    issued_purchase: points(of("issued_purchase")),
    issued_welcome: points(of("issued_welcome")),
    issued_event: points(of("issued_event")),
    issued_referral: points(of("issued_referral")),
    issued_gesture: points(of("issued_grant", "issued_adjust")),
    taken_back: points(of("taken_back")),
    corrected: points(of("corrected")),
    forfeited: points(of("forfeited")),
    waived: points(of("waived")),
    vouchers_obtained: countsAndCents(obtained),
    vouchers_given: countsAndCents(of("voucher_gift")),
    vouchers_reissued: countsAndCents(of("voucher_reissue")),
    vouchers_used: countsAndCents(of("voucher_used")),
    vouchers_lapsed: countsAndCents(of("voucher_open")),
    vouchers_cancelled: countsAndCents(of("voucher_cancelled")),
    pending: worth({ value: pending, previous: pending }),
    sales: countsAndCents(named),
    sales_share: { value: share(named.amount, all.amount), previous: share(named.previousAmount, all.previousAmount) },
    basket: { value: mean(named.amount, named.count), previous: mean(named.previousAmount, named.previousCount) },
    repeat_share: {
      value: share(of("sale_repeat").count, named.count),
      previous: share(of("sale_repeat").previousCount, named.previousCount),
    },
    returns: countsAndCents(of("returned")),
  };
  return measured;
}

/** The metrics as the page shows them, each with its definition: the key metrics first. */
export function describeMetrics(measured: ReturnType<typeof measure>, locale: Locale, ofShop: boolean) {
  const first: readonly MetricName[] = ofShop ? shopKeyMetrics : keyMetrics;
  const all = ofShop ? shopMetrics : metricNames;
  const rest = all.filter((name) => !first.includes(name));
  return [...first, ...rest].map((name) => {
    const { value, previous, cents = null, previousCents = null } = measured[name];
    return {
      Name: name,
      Value: value,
      Previous: previous,
      Cents: cents,
      PreviousCents: previousCents,
      Definition: textsOf[locale].t(`office.definition.${name}`),
    };
  });
}
