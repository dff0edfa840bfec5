import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Table } from "#ui/table.tsx";
import { type Book, useMonths } from "./use-months.ts";

/** What the club owes, and where the expected redemption comes from. */
export function LiabilityTables({ book, onChoose }: { book: Book; onChoose?: () => void }) {
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { percent } = useMonths();
  const { Liability: liability } = book;
  const pointsOf = (name: "points" | "pending") => book.Accounts.find(({ Name }) => Name === name)?.Closing ?? 0;
  const value = (points: number) =>
    liability.RewardPoints > 0 ? (points * liability.RewardCents) / liability.RewardPoints : 0;
  const rows = [
    { name: "Points", points: pointsOf("points"), cents: liability.PointsCents },
    { name: "Pending", points: pointsOf("pending"), cents: liability.PendingCents },
    { name: "Vouchers", points: null, cents: liability.VouchersCents },
  ] as const;
  return (
    <section aria-labelledby="liability">
      <div className="office-section">
        <h2 id="liability">{t("office.monthEnd.liability")}</h2>
        {onChoose && liability.Source === "chosen" && (
          <button type="button" className="office-link" onClick={onChoose}>
            {t("office.monthEnd.redemptionChoose")}
          </button>
        )}
      </div>
      <p className="note">
        {t("office.monthEnd.liabilityNote", {
          points: number(liability.RewardPoints),
          value: exactMoney(amountOf(liability.RewardCents)),
        })}{" "}
        {liability.Source === "chosen"
          ? t("office.monthEnd.chosenNote", { percent: percent(liability.ChosenPercent / 100) })
          : t("office.monthEnd.historyNote")}
      </p>
      <Table
        label={t("office.monthEnd.liability")}
        stacked
        headings={[
          t("office.monthEnd.liability"),
          { number: t("office.monthEnd.points") },
          { number: t("office.monthEnd.value") },
          { number: t("office.monthEnd.expected") },
          { number: t("office.monthEnd.amount") },
        ]}
      >
        {rows.map(({ name, points, cents }) => (
          <tr key={name}>
            <td>{t(`office.owed.${name}`)}</td>
            <td className="number">{points === null ? "" : number(points)}</td>
            <td className="number">{exactMoney(amountOf(points === null ? cents : Math.round(value(points))))}</td>
            <td className="number">{percent(points === null || value(points) === 0 ? 1 : cents / value(points))}</td>
            <td className="number">{exactMoney(amountOf(cents))}</td>
          </tr>
        ))}
        <tr className="total">
          <td>{t("office.owed.Total")}</td>
          <td />
          <td />
          <td />
          <td className="number">{exactMoney(amountOf(liability.TotalCents))}</td>
        </tr>
      </Table>
      {liability.Source === "history" && (
        <>
          <h3>{t("office.monthEnd.ages")}</h3>
          <Table
            label={t("office.monthEnd.ages")}
            headings={[
              { number: t("office.monthEnd.age") },
              { number: t("office.monthEnd.exposure") },
              { number: t("office.movement.points_spent") },
              { number: t("office.monthEnd.left") },
              { number: t("office.monthEnd.expected") },
            ]}
          >
            {liability.Ages.map(({ Age, Exposure, Spent, Left, Expected }) => (
              <tr key={Age}>
                <td className="number">{number(Age)}</td>
                <td className="number">{number(Exposure)}</td>
                <td className="number">{number(Spent)}</td>
                <td className="number">{number(Left)}</td>
                <td className="number">{percent(Expected)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </section>
  );
}
