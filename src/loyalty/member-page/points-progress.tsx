import { useId } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { listRewards } from "#loyalty/calls.ts";
import { endsSoon } from "#loyalty/ends-soon.ts";
import type { LoyaltyCustomer } from "#loyalty/loyalty-customer.ts";
import type { ResponseBody } from "#platform/api/api.ts";

type Rewards = ResponseBody<typeof listRewards>["Rewards"];

/** Two separate progress bars: points earned in twelve months towards the next tier, and points to spend. */
export function PointsProgress({ customer, rewards }: { customer: LoyaltyCustomer; rewards?: Rewards }) {
  const { t, number, money } = useTexts();
  const { Points, NextTier } = customer;
  const step = rewards?.[0]?.Points;
  const reached = step ? Points.Available % step : 0;
  // What is owed is settled first.
  const missing = (step ?? 0) - reached + Points.Debt;
  const toSpend = step && (
    <ProgressBar
      label={t("member.toSpend")}
      shown={number(Points.Available)}
      value={reached}
      max={step}
      note={`${
        Number(Points.Value.Amount) > 0 ? t("member.worth", { amount: money(Points.Value.Amount) }) : ""
      } ${t("member.nextVoucher", { count: missing, formatted: number(missing) })}`}
    />
  );
  return (
    <div className="space-y-9">
      {toSpend}
      {NextTier ? (
        <ProgressBar
          label={t("member.toTier", { tier: NextTier.Name })}
          shown={number(Points.EarnedLast12Months)}
          of={number(NextTier.PointsRequired)}
          value={Points.EarnedLast12Months}
          max={NextTier.PointsRequired}
          note={t("member.toTierMissing", {
            count: NextTier.PointsMissing,
            formatted: number(NextTier.PointsMissing),
          })}
        />
      ) : (
        <ProgressBar
          label={t("member.earned")}
          shown={number(Points.EarnedLast12Months)}
          value={1}
          max={1}
          note={t("member.topTier")}
        />
      )}
      <Expiring expiring={Points.Expiring} />
      {Points.Debt > 0 && <p className="bg-linen p-4">{t("member.debt", { points: number(Points.Debt) })}</p>}
    </div>
  );
}

/** How long the tier is kept at least; when that ends soon, what keeps it. */
export function TierUntil({ customer: { Tier } }: { customer: LoyaltyCustomer }) {
  const { t, number, date } = useTexts();
  if (!Tier?.Until) return null;
  const until = { tier: Tier.Name, date: date(Tier.Until) };
  if (!endsSoon(Tier.Until)) return <p className="mt-2 text-soft">{t("member.tierUntil", until)}</p>;
  const count = Tier.PointsToKeep ?? 0;
  return (
    <p className="mt-4 border-gold border-l-2 pl-4">
      {t("member.tierEnds", { ...until, count, formatted: number(count) })}
    </p>
  );
}

function ProgressBar(props: { label: string; shown: string; of?: string; value: number; max: number; note: string }) {
  const id = useId();
  return (
    <div className="border-ink border-t pt-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <span id={id} className="grow basis-24">
          {props.label}
        </span>
        <span className="whitespace-nowrap font-display text-[1.625rem] leading-none lg:text-[1.875rem]">
          {props.shown}
          {props.of && <span className="font-sans text-[0.875rem] text-soft tracking-normal"> / {props.of}</span>}
        </span>
      </div>
      <progress className="meter mt-4" aria-labelledby={id} value={props.value} max={props.max} />
      <p className="mt-3 text-[0.875rem] text-soft">{props.note}</p>
    </div>
  );
}

/** When the points nearest to their end expire. */
export function Expiring({ expiring }: { expiring: LoyaltyCustomer["Points"]["Expiring"] }) {
  const { t, number, date } = useTexts();
  if (!expiring) return null;
  const points = { count: expiring.Points, formatted: number(expiring.Points) };
  // A month before the letter: points are spent on the next visit.
  const soon = endsSoon(expiring.Date, 60);
  return (
    <p className={`text-[0.9375rem] ${soon ? "border-gold border-l-2 pl-4" : "text-soft"}`}>
      {t("member.expiring", { ...points, date: date(expiring.Date) })} {soon && t("member.expiringHint")}
    </p>
  );
}
