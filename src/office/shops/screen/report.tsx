import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { type Day, DayCounts, DayReceipts, DayTotals } from "#office/receipts/screen/day-receipts.tsx";
import { DayForm } from "#office/screen/controls/day-form.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { readReport } from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Table } from "#ui/table.tsx";

type Report = ResponseBody<typeof readReport>;

/** A shop's day: what was sold and given back, and what the till counted otherwise. */
export function Report({
  shopId,
  report,
  day: receipts,
  today,
}: {
  shopId: number;
  report: Report;
  day: Day;
  today: string;
}) {
  const { t, locale, number } = useTexts();
  const { today: written } = useFormats();
  const exactMoney = useExactMoney();
  const { Day: day } = report;
  const { Total, Missing } = receipts;
  const sold = Number(Total.Net) + Number(Total.Returned);
  const csv = new URLSearchParams({ IdShop: String(shopId), Day: day, LanguageIsoCode: locale });
  return (
    <section aria-labelledby="report">
      <div className="office-section">
        <div>
          <h2 id="report">{t("office.report.title")}</h2>
          <p className="note">{written(day)}</p>
        </div>
        <a className="office-link" href={`/api/office/shop/report/csv?${csv}`} download>
          {t("office.csv")}
        </a>
      </div>
      <DayForm day={day} today={today} />
      <dl className="office-metrics">
        <Metric name={t("office.day.netSales")} metric={exactMoney(Total.Net)}>
          {t("office.report.receipts", { count: Total.Sales })}
        </Metric>
        <Metric name={t("office.day.sales")} metric={number(Total.Sales)}>
          {Total.Sales > 0 && t("office.day.average", { amount: exactMoney(sold / Total.Sales) })}
        </Metric>
        <Metric name={t("office.report.returns")} metric={number(Total.Returns)}>
          {Total.Returns > 0 && exactMoney(`-${Total.Returned}`)}
        </Metric>
        <Metric name={t("office.day.withCard")} metric={number(Total.WithCard)}>
          {`${t("office.day.ofSales", { count: Total.Sales })}, ${t("office.day.vouchers", {
            ...{ count: Total.Vouchers.Count, amount: exactMoney(Total.Vouchers.Amount) },
          })}`}
        </Metric>
        <Metric name={t("office.report.points")} metric={number(Total.Points)}>
          {t("office.day.pointsNote")}
        </Metric>
        <Metric name={t("office.day.voidedApart")} metric={number(Total.Voids)}>
          {Total.Voids > 0 && exactMoney(Total.Voided)}
        </Metric>
      </dl>
      {Missing.length > 0 && (
        <p className="banner">{t("office.day.missing", { count: Missing.length, numbers: Missing.join(", ") })}</p>
      )}
      <div className="office-day">
        <div>
          <DayTotals
            title={t("office.day.byTill")}
            heading={t("office.day.till")}
            rows={receipts.Tills}
            total={Total}
          />
          <DayTotals
            title={t("office.day.bySeller")}
            heading={t("office.day.seller")}
            rows={receipts.Sellers}
            total={Total}
          />
          <DayCounts counts={receipts.Counts} />
          <Close report={report} />
        </div>
        <DayReceipts day={receipts} shopId={shopId} />
      </div>
    </section>
  );
}

function Metric({ name, metric, children }: { name: string; metric: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="metric">{metric}</dd>
      <dd>{children}</dd>
    </div>
  );
}

type Total = "Count" | "Amount" | "VoucherAmount" | "ReturnCount" | "ReturnAmount";
const totals = {
  Count: "office.report.sales",
  Amount: "office.report.salesAmount",
  VoucherAmount: "office.report.vouchers",
  ReturnCount: "office.report.returns",
  ReturnAmount: "office.report.returnsAmount",
} as const;

const mostNamed = 10;

/** What came after the day was closed: sales, and returns with the word for those of another kind. */
function Late({ report: { ArrivedAfterClose: sales, ReturnsAfterClose: returns } }: { report: Report }) {
  const { t } = useTexts();
  const named = returns.map(({ ReceiptNumber, Kind }) =>
    Kind === "return" ? ReceiptNumber : `${ReceiptNumber} (${t(`office.report.${Kind}`)})`,
  );
  const values = (numbers: string[]) => {
    const listed = numbers.slice(0, mostNamed).join(", ");
    const more = numbers.length - mostNamed;
    return { count: numbers.length, numbers: more > 0 ? t("office.report.more", { numbers: listed, more }) : listed };
  };
  return (
    <>
      {sales.length > 0 && <p className="note">{t("office.report.late", values(sales))}</p>}
      {named.length > 0 && <p className="note">{t("office.report.lateReturns", values(named))}</p>}
    </>
  );
}

/** What the till counted when the day was closed, where it differs. */
function Close({ report }: { report: Report }) {
  const { Close: close } = report;
  const { t } = useTexts();
  const { moment } = useFormats();
  const exactMoney = useExactMoney();
  if (!close) return <p className="office-close">{t("office.report.open")}</p>;
  const shown = (total: string, value: string) => (total.endsWith("Amount") ? exactMoney(value) : value);
  if (close.Differences.length === 0)
    return (
      <div className="office-close">
        <p className="good">{t("office.report.agrees", { moment: moment(close.ClosedAt) })}</p>
        <Late report={report} />
      </div>
    );
  return (
    <div className="office-close">
      <p className="message">{t("office.report.differs", { moment: moment(close.ClosedAt) })}</p>
      <Table
        label={t("office.report.differences")}
        headings={[t("office.report.total"), { number: t("office.report.till") }, { number: t("brand") }]}
      >
        {close.Differences.map(({ Total, Till, Cercle }) => (
          <tr key={Total}>
            <td>{t(totals[Total as Total])}</td>
            <td className="number">{shown(Total, Till)}</td>
            <td className="number">{shown(Total, Cercle)}</td>
          </tr>
        ))}
      </Table>
      <Late report={report} />
    </div>
  );
}
