import { useId } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { listRewards } from "#loyalty/calls.ts";
import { endsSoon } from "#loyalty/ends-soon.ts";
import type { LoyaltyCustomer } from "#loyalty/loyalty-customer.ts";
import type { ResponseBody } from "#platform/api/api.ts";

type Rewards = ResponseBody<typeof listRewards>["Rewards"];

/** Two separate progress bars: points earned in twelve months towards the next tier, and points to spend. */
export function PointsProgress({ customer, rewards }: { customer: LoyaltyCustomer; rewards?: Rewards }) {
  const { t, number, money, date } = useTexts();
  const { Points, Tier, NextTier } = customer;
  const points = (count: number) => t("card.pointsCount", { count, formatted: number(count) });
  const step = rewards?.[0]?.Points;
  const missing = step && step - (Points.Available % step);
  return (
    <div className="space-y-9">
      {NextTier ? (
        <ProgressBar
          label={t("member.toTier", { tier: NextTier.Name })}
          shown={t("member.earnedOf", {
            earned: number(Points.EarnedLast12Months),
            required: number(NextTier.PointsRequired),
          })}
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
          shown={points(Points.EarnedLast12Months)}
          value={1}
          max={1}
          note={t("member.topTier")}
        />
      )}
      {step && missing !== undefined && (
        <ProgressBar
          label={t("member.toSpend")}
          shown={points(Points.Available)}
          value={step - missing}
          max={step}
          note={`${
            Number(Points.Value.Amount) > 0 ? t("member.worth", { amount: money(Points.Value.Amount) }) : ""
          } ${t("member.nextVoucher", { count: missing, formatted: number(missing) })}`}
        />
      )}
      {Points.Debt > 0 && <p className="bg-linen p-4">{t("member.debt", { points: number(Points.Debt) })}</p>}
      {Tier?.Until &&
        (endsSoon(Tier.Until) ? (
          <p className="border-gold border-l-2 pl-4 text-[0.9375rem]">
            {t("member.tierEnds", {
              tier: Tier.Name,
              date: date(Tier.Until),
              count: Tier.PointsToKeep ?? 0,
              formatted: number(Tier.PointsToKeep ?? 0),
            })}
          </p>
        ) : (
          <p className="text-[0.875rem] text-soft">
            {t("member.tierUntil", { tier: Tier.Name, date: date(Tier.Until) })}
          </p>
        ))}
    </div>
  );
}

function ProgressBar(props: { label: string; shown: string; value: number; max: number; note: string }) {
  const id = useId();
  return (
    <div className="border-ink border-t pt-4">
      <div className="flex items-baseline justify-between gap-4">
        <span id={id}>{props.label}</span>
        <span className="tabular-nums text-soft">{props.shown}</span>
      </div>
      <progress className="meter mt-4" aria-labelledby={id} value={props.value} max={props.max} />
      <p className="mt-3 text-[0.875rem] text-soft">{props.note}</p>
    </div>
  );
}
