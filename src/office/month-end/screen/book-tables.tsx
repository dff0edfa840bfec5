import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { AccountName } from "#office/month-end/names.ts";
import { movementText } from "#office/month-end/words.ts";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Table } from "#ui/table.tsx";
import { type Book, useMonths } from "./use-months.ts";

/** From the opening balance to the closing one; what expires when; and what belongs to an earlier month. */
export function BookTables({ book }: { book: Book }) {
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { title } = useMonths();
  const { signed } = useFormats();
  const amount = (account: AccountName, value: number) =>
    account === "vouchers" ? exactMoney(amountOf(value)) : number(value);
  const change = (account: AccountName, value: number) =>
    account === "vouchers" ? `${value > 0 ? "+" : ""}${exactMoney(amountOf(value))}` : signed(value);
  const head = (account: AccountName) =>
    t(account === "vouchers" ? "office.monthEnd.amount" : "office.monthEnd.points");
  return (
    <>
      {book.Accounts.map(({ Name, Opening, Movements, Closing }) => (
        <section key={Name} aria-labelledby={Name}>
          <div className="office-section">
            <h2 id={Name}>{t(`office.monthEnd.${Name}`)}</h2>
          </div>
          <Table
            label={t(`office.monthEnd.${Name}`)}
            headings={[t("office.monthEnd.movement"), { number: head(Name) }]}
          >
            <tr className="total">
              <td>{t("office.monthEnd.opening")}</td>
              <td className="number">{amount(Name, Opening)}</td>
            </tr>
            {Movements.map((moved) => (
              <tr key={moved.Name}>
                <td>{t(movementText(Name, moved.Name))}</td>
                <td className="number">{change(Name, moved.Amount)}</td>
              </tr>
            ))}
            <tr className="total">
              <td>{t("office.monthEnd.closing")}</td>
              <td className="number">{amount(Name, Closing)}</td>
            </tr>
          </Table>
        </section>
      ))}
      {book.Earlier.length > 0 && (
        <section aria-labelledby="earlier">
          <div className="office-section">
            <h2 id="earlier">{t("office.monthEnd.earlier")}</h2>
          </div>
          <p className="note">{t("office.monthEnd.earlierNote")}</p>
          <Table
            label={t("office.monthEnd.earlier")}
            headings={[
              t("office.monthEnd.month"),
              t("office.monthEnd.movement"),
              { number: t("office.monthEnd.amount") },
            ]}
          >
            {book.Earlier.map(({ Account, Name, Month, Amount }) => (
              <tr key={`${Account} ${Name} ${Month}`}>
                <td>{title(Month)}</td>
                <td>{`${t(`office.monthEnd.${Account}`)} · ${t(movementText(Account, Name))}`}</td>
                <td className="number">{change(Account, Amount)}</td>
              </tr>
            ))}
          </Table>
        </section>
      )}
      <section aria-labelledby="expiry">
        <div className="office-section">
          <h2 id="expiry">{t("office.monthEnd.expiry")}</h2>
        </div>
        <Table
          label={t("office.monthEnd.expiry")}
          stacked
          headings={[
            t("office.monthEnd.month"),
            ...book.TierNames.map((name) => ({ number: name })),
            { number: t("office.monthEnd.points") },
            { number: t("office.monthEnd.vouchers") },
          ]}
        >
          {book.Expiry.map(({ Month, Tiers, Points, VoucherCents }) => (
            <tr key={Month}>
              <td>{title(Month)}</td>
              {Tiers.map((points, tier) => (
                <td key={book.TierNames[tier]} className="number">
                  {number(points)}
                </td>
              ))}
              <td className="number">{number(Points)}</td>
              <td className="number">{exactMoney(amountOf(VoucherCents))}</td>
            </tr>
          ))}
        </Table>
      </section>
    </>
  );
}
