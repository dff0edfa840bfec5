import { amountOf, sumCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { CustomerRecord } from "./customer.data.ts";

/** Four metrics in a row: points, the status's points, vouchers, purchases. */
export function Summary({ record }: { record: CustomerRecord }) {
  const { t, number, money, date } = useTexts();
  const { Points, NextTier, Tier, TierMonths, Vouchers, Last12Months } = record;
  const free = Vouchers.filter(({ State }) => State === "available");
  const worth = amountOf(sumCents(free.map(({ Value }) => Value.Amount)));
  return (
    <dl className="office-metrics">
      <div>
        <dt>{t("office.customer.toSpend")}</dt>
        <dd className="metric">
          {number(Points.Available)} <small>{money(Points.Value.Amount)}</small>
        </dd>
        {Points.NextPending && (
          <dd>
            {t(Points.NextPending.Points < Points.Pending ? "office.customer.pendingFrom" : "office.customer.pending", {
              points: Points.Pending,
              date: date(Points.NextPending.Date),
            })}
          </dd>
        )}
        <dd>{Points.Debt > 0 ? t("office.customer.debt", { points: Points.Debt }) : t("office.customer.noDebt")}</dd>
      </div>
      <div>
        <dt>{t("office.customer.earned", { months: TierMonths })}</dt>
        <dd className="metric">
          {number(Points.EarnedLast12Months)} {NextTier && <small>/ {number(NextTier.PointsRequired)}</small>}
        </dd>
        <dd>
          {NextTier
            ? t("office.customer.nextTier", { tier: NextTier.Name, points: number(NextTier.PointsMissing) })
            : Tier && t("office.customer.topTier")}
        </dd>
      </div>
      <div>
        <dt>{t("office.customer.vouchersFree")}</dt>
        <dd className="metric">
          {number(free.length)} {free.length > 0 && <small>{money(worth)}</small>}
        </dd>
        <dd>{t("office.customer.vouchersPast", { count: Vouchers.length - free.length })}</dd>
      </div>
      <div>
        <dt>{t("office.customer.bought")}</dt>
        <dd className="metric">{money(Last12Months.Amount.Amount)}</dd>
        <dd>{t("office.customer.receipts", { receipts: Last12Months.Receipts, returns: Last12Months.Returns })}</dd>
      </div>
    </dl>
  );
}
