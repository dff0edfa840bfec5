import { useId } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer, listRewards } from "#loyalty/calls.ts";
import { endsSoon } from "#loyalty/ends-soon.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { PendingPoints, type PendingPurchases } from "./pending-points.tsx";

type Rewards = ResponseBody<typeof listRewards>["Rewards"];

/**
 * Two separate progress bars: points to spend, towards a voucher, and points earned in the months that decide the tier,
 * towards the next tier. Pending points are a hatched piece of both, and part of no number.
 */
export function PointsProgress(props: {
  customer: LoyaltyCustomer;
  rewards?: Rewards;
  pending: PendingPurchases | undefined;
}) {
  const { t, number } = useTexts();
  const { Points, NextTier, TierMonths } = props.customer;
  const [cheapest] = props.rewards ?? [];
  const missing = NextTier && {
    count: NextTier.PointsMissing,
    formatted: number(NextTier.PointsMissing),
    months: TierMonths,
  };
  return (
    <div className="space-y-9">
      {cheapest ? (
        <PointsToSpend points={Points} cheapest={cheapest} pending={props.pending} />
      ) : (
        <PendingPoints points={Points} purchases={props.pending} />
      )}
      {NextTier && missing ? (
        <ProgressBar
          label={t("member.toTier", { tier: NextTier.Name })}
          shown={number(Points.EarnedLast12Months)}
          of={number(NextTier.PointsRequired)}
          value={Points.EarnedLast12Months}
          pending={Points.Pending}
          max={NextTier.PointsRequired}
          note={`${t("member.toTierMissing", missing)} ${
            Points.Pending > 0
              ? t("member.toTierPending", {
                  left: Math.max(missing.count - Points.Pending, 0),
                  count: Points.Pending,
                  formatted: number(Points.Pending),
                })
              : ""
          }`}
        />
      ) : (
        <ProgressBar
          label={t("member.earned", { months: TierMonths })}
          shown={number(Points.EarnedLast12Months)}
          value={1}
          max={1}
          note={t("member.topTier")}
        />
      )}
      <Expiring points={Points} />
      {Points.Debt > 0 && <p className="bg-linen p-4">{t("member.debt", { points: number(Points.Debt) })}</p>}
    </div>
  );
}

/** A full bar once a voucher is reached; while points are pending, how far those bring the customer to the next one. */
function PointsToSpend(props: {
  points: LoyaltyCustomer["Points"];
  cheapest: Rewards[number];
  pending: PendingPurchases | undefined;
}) {
  const { t, number, money } = useTexts();
  const { Available, Debt, Pending, NextPending } = props.points;
  const step = props.cheapest.Points;
  const worth = (vouchers: number) => money(vouchers * Number(props.cheapest.Value.Amount));
  // What is owed is settled first.
  const waiting = Debt === 0 ? Math.floor(Available / step) : 0;
  const missing = step * (waiting + 1) - Available + Debt;
  const next = { count: missing, formatted: number(missing) };
  const max = NextPending ? step * (waiting + 1) : step;
  const notes = [
    waiting > 0 && t("member.waiting", { count: waiting, amount: worth(1), total: worth(waiting) }),
    !NextPending && t(waiting > 0 ? "member.waitingNext" : "member.nextVoucher", next),
  ];
  const missingThen = missing - (NextPending?.Points ?? 0);
  return (
    <div className="space-y-4">
      <ProgressBar
        label={t("member.toSpend")}
        shown={number(Available)}
        value={Math.min(Available, max)}
        pending={Pending - Debt}
        max={max}
        note={notes.filter(Boolean).join(" ")}
      />
      <PendingPoints
        points={props.points}
        purchases={props.pending}
        outlook={
          missingThen > 0
            ? t("member.pendingMissing", {
                count: missingThen,
                formatted: number(missingThen),
                amount: worth(waiting + 1),
              })
            : t("member.pendingWorth", { amount: worth(waiting + 1 + Math.floor(-missingThen / step)) })
        }
      />
    </div>
  );
}

/** How long the tier is kept at least; when that ends soon, what keeps it. */
export function TierUntil({ customer: { Tier } }: { customer: LoyaltyCustomer }) {
  const { t, number, date } = useTexts();
  if (!Tier?.Until) return null;
  const until = { tier: Tier.Name, date: date(Tier.Until) };
  if (!endsSoon(Tier.Until)) return <p className="mt-6 text-soft">{t("member.tierUntil", until)}</p>;
  const count = Tier.PointsToKeep ?? 0;
  return (
    <p className="mt-6 border-gold border-l-2 pl-4">
      {t("member.tierEnds", { ...until, count, formatted: number(count) })}
    </p>
  );
}

function ProgressBar(props: {
  label: string;
  shown: string;
  of?: string;
  value: number;
  /** What is to come on top of the value. */
  pending?: number;
  max: number;
  note: string;
}) {
  const id = useId();
  const { value, pending = 0, max } = props;
  return (
    <div className="border-ink border-t pt-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <span id={id} className="grow basis-24">
          {props.label}
        </span>
        <span className="whitespace-nowrap font-display text-3xl leading-none lg:text-4xl">
          {props.shown}
          {props.of && <span className="font-sans text-sm text-soft tracking-normal"> / {props.of}</span>}
        </span>
      </div>
      <div className="mt-4">
        {pending > 0 && (
          <progress className="meter meter-pending" aria-hidden="true" value={value + pending} max={max} />
        )}
        <progress className="meter" aria-labelledby={id} value={value} max={max} />
      </div>
      {props.note && <p className="mt-3 text-sm text-soft">{props.note}</p>}
    </div>
  );
}

/** When the points nearest to their end expire. */
export function Expiring({ points: { Expiring: expiring, Value } }: { points: LoyaltyCustomer["Points"] }) {
  const { t, number, date } = useTexts();
  if (!expiring) return null;
  const points = { count: expiring.Points, formatted: number(expiring.Points) };
  // A month before the email: points are spent on the next visit.
  const soon = endsSoon(expiring.Date, 60);
  return (
    <p className={`text-md ${soon ? "border-gold border-l-2 pl-4" : "text-soft"}`}>
      {t("member.expiring", { ...points, date: date(expiring.Date) })}{" "}
      {soon && Number(Value.Amount) > 0 && t("member.expiringHint")}
    </p>
  );
}
