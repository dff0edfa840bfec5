import { useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer, readHistory } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Icon } from "#ui/icon.tsx";

/** Purchases whose points arrive later. */
export type PendingPurchases = ResponseBody<typeof readHistory>["Pending"];

/** When the next pending points arrive, from which purchase, what they lead to, and how many are pending in all. */
export function PendingPoints(props: {
  points: Pick<LoyaltyCustomer["Points"], "Pending" | "NextPending">;
  purchases?: PendingPurchases | undefined;
  /** What the customer has once they have arrived. */
  outlook?: string | undefined;
}) {
  const { t, number, day } = useTexts();
  const { Pending, NextPending } = props.points;
  if (!NextPending) return null;
  const date = day(NextPending.Date);
  return (
    <div className="flex gap-3 border-line border-y py-3 text-sm text-soft">
      <Icon name="clock" className="mt-0.5 size-5 shrink-0 text-gold" />
      <div className="space-y-0.5">
        <p className="font-medium text-base text-ink">
          {t("member.pending", { count: NextPending.Points, formatted: number(NextPending.Points), date })}
        </p>
        {props.purchases
          ?.filter(({ ArrivesAt }) => day(ArrivesAt) === date)
          .map((purchase) => (
            <p key={purchase.Date + purchase.Points}>
              {t("member.pendingPurchase", { label: purchase.Label, date: day(purchase.Date) })}
            </p>
          ))}
        {props.outlook && <p>{props.outlook}</p>}
        {Pending > NextPending.Points && <p>{t("member.pendingTotal", { formatted: number(Pending) })}</p>}
      </div>
    </div>
  );
}
