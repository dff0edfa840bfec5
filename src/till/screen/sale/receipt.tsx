import { amountOf, sumCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { SvgImage } from "#ui/svg-image.tsx";
import type { Customer, Exchange, Sold } from "./use-sale.ts";

/** A slip of 80 mm for the customer, on paper alone: it is no receipt of the cash register, and says so. */
export function Receipt({
  sold,
  receiptNumber,
  customer,
  exchange,
}: {
  sold: Sold;
  receiptNumber: string;
  customer: Customer | undefined;
  exchange?: Exchange | undefined;
}) {
  const { t, number, date } = useTexts();
  const exactMoney = useExactMoney();
  const paidCents = sumCents(sold.Lines.map(({ Paid }) => Paid)) - (exchange?.creditCents ?? 0);
  return (
    <section className="till-slip" aria-hidden="true">
      <h2>{t("till.ticket", { number: receiptNumber })}</h2>
      <p>
        {date(new Date().toISOString())}
        {customer?.member && `, ${customer.member.Name}`}
      </p>
      <table>
        <tbody>
          {sold.Lines.map(({ Line, Paid, VoucherShare }) => (
            <tr key={Line}>
              <td>{t("till.line", { number: Line })}</td>
              <td>{exactMoney(amountOf(sumCents([Paid, VoucherShare])))}</td>
            </tr>
          ))}
          {sold.Vouchers.map(({ Code, Taken }) => (
            <tr key={Code}>
              <td>{t("till.vouchers")}</td>
              <td>{exactMoney(`-${Taken}`)}</td>
            </tr>
          ))}
          {exchange && (
            <tr>
              <td>{t("till.exchange.deducted")}</td>
              <td>{exactMoney(`-${amountOf(exchange.creditCents)}`)}</td>
            </tr>
          )}
          <tr>
            <th>{t(paidCents < 0 ? "till.exchange.toGive" : "till.total")}</th>
            <th>{exactMoney(amountOf(Math.abs(paidCents)))}</th>
          </tr>
        </tbody>
      </table>
      {sold.Tier && <p>{t("till.plusPoints", { count: sold.Points.Earned, formatted: number(sold.Points.Earned) })}</p>}
      {sold.ClaimQrSvg && (
        <>
          <p>{t("till.claimText")}</p>
          <SvgImage svg={sold.ClaimQrSvg} alt="" className="till-qr" />
          <p>{sold.ClaimCode}</p>
        </>
      )}
      <p>{t("till.slip")}</p>
    </section>
  );
}
