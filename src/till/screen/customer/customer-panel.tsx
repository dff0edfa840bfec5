import { useTexts } from "#i18n/use-texts.tsx";
import { clock } from "#till/screen/browser/use-now.ts";
import { TillIcon } from "#till/screen/layout/till-icon.tsx";
import type { SaleInHand } from "#till/screen/sale/use-sale.ts";
import type { Programme } from "#till/screen/use-programme.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { fabricOf } from "#ui/fabric/fabric.tsx";

/** Who buys: the fabric of the status, the points, and what the assistant may offer. */
export function CustomerPanel({
  inHand,
  programme,
  busy,
  onDrop,
  onReturn,
}: {
  inHand: SaleInHand;
  programme: Programme | undefined;
  busy: boolean;
  onDrop: () => void;
  onReturn: () => void;
}) {
  const { t, number, money } = useTexts();
  const { customer } = inHand.sale;
  const member = customer?.member;
  const tier = programme?.Tiers.find(({ IdLoyaltyTier }) => IdLoyaltyTier === member?.Tier.IdLoyaltyTier);
  const fabric = fabricOf(tier?.Rank ?? 1);
  const reward = member?.NextReward;
  return (
    <aside className="till-customer" aria-label={t("till.customer")}>
      <div className="till-strip">
        <div className={member ? "till-cloth light-scheme" : "till-cloth"} data-fabric={fabric}>
          {member && <Drape name={`${fabric}-tile`} first />}
          {member && (
            <p className="till-tier">
              <span>{member.Tier.Name}</span> <span>× {number(member.Tier.Multiplier)}</span>
            </p>
          )}
          <h1>
            {member?.Name ??
              (customer ? t("till.cardEnding", { digits: customer.cardNumber?.slice(-4) ?? "" }) : t("till.noCard"))}
          </h1>
        </div>
        {member && (
          <p className="till-points">
            <strong>{number(member.Points)}</strong> {t("till.pointsWord", { count: member.Points })}
          </p>
        )}
      </div>
      <ul className="till-offers">
        {member?.BirthdayToday && (
          <li className="till-birthday">
            <TillIcon name="gift" /> {t("till.birthday")}
          </li>
        )}
        {member && member.Debt > 0 && (
          <li>
            <TillIcon name="back" /> {t("till.debt", { count: member.Debt, formatted: number(member.Debt) })}
          </li>
        )}
        {tier?.Benefits.slice(-2).map((benefit) => (
          <li key={benefit} className="till-benefit">
            <TillIcon name="check" /> {benefit}
          </li>
        ))}
        {reward && (
          <li>
            <TillIcon name="arrow" />{" "}
            {t("till.toNext", {
              count: reward.Missing,
              formatted: number(reward.Missing),
              amount: money(reward.Value),
            })}
          </li>
        )}
        {customer && (
          <li className="note">
            <TillIcon name="card" />{" "}
            {t(
              member
                ? customer.scanned && customer.cardNumber
                  ? "till.scannedAt"
                  : "till.foundAt"
                : "till.offlineCard",
              {
                time: clock(customer.foundAt),
              },
            )}
          </li>
        )}
        {!customer && <li className="note">{t("till.noCardHint")}</li>}
      </ul>
      <p className="till-panel-links">
        <button type="button" className="till-link" aria-disabled={busy || undefined} onClick={onDrop}>
          {t("till.drop")}
        </button>
        <button type="button" className="till-link" onClick={onReturn}>
          {t("till.return.title")}
        </button>
      </p>
    </aside>
  );
}
