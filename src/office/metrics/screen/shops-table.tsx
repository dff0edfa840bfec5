import { useTexts } from "#i18n/use-texts.tsx";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";
import { type Read, useMetrics } from "./use-metrics.ts";

type Row = Omit<Read["Shops"][number], "IdShop">;

/** What each shop sold to members, and a total that adds up. */
export function ShopsTable({ metrics }: { metrics: Read }) {
  const { t } = useTexts();
  const { csvOf } = useMetrics(metrics);
  const { Shops: shops } = metrics;
  const title = t("office.figures.shops");
  return (
    <section aria-labelledby="shops">
      <div className="office-section">
        <h2 id="shops">{title}</h2>
        <a
          className="office-link"
          href={csvOf("shops")}
          download
          aria-label={t("office.figures.csvOf", { what: title })}
        >
          {t("office.csv")}
        </a>
      </div>
      {shops.length === 0 ? (
        <Empty>{t("office.figures.noShops")}</Empty>
      ) : (
        <Table
          label={title}
          headings={[
            t("office.figures.shop"),
            { number: t("office.figures.sales") },
            { number: t("office.figures.share") },
            { number: t("office.figures.purchasePoints") },
            { number: t("office.figures.change") },
            { number: t("office.figures.used") },
            { number: t("office.figures.joined") },
          ]}
        >
          {shops.map((row) => (
            <tr key={row.Name}>
              <Cells metrics={metrics} row={row} />
            </tr>
          ))}
          {shops.length > 1 && (
            <tr className="total">
              <Cells metrics={metrics} row={totalOf(shops, metrics, t("office.figures.total"))} />
            </tr>
          )}
        </Table>
      )}
    </section>
  );
}

function Cells({ metrics, row }: { metrics: Read; row: Row }) {
  const { number, wholeMoney, wholePercent, changeOf } = useMetrics(metrics);
  const { Points, PreviousPoints } = row;
  return (
    <>
      <td>{row.Name}</td>
      <td className="number">{wholeMoney(row.Cents)}</td>
      <td className="number">
        <span className="office-share" aria-hidden="true">
          <i style={{ width: `${row.Share * 100}%` }} />
        </span>
        {wholePercent(row.Share)}
      </td>
      <td className="number">{number(Points)}</td>
      <td className="number">{changeOf({ Name: "issued_purchase", Value: Points, Previous: PreviousPoints })}</td>
      <td className="number">{number(row.VouchersUsed)}</td>
      <td className="number">{number(row.Joined)}</td>
    </>
  );
}

function totalOf(shops: readonly Row[], { Figures }: Read, name: string): Row {
  const sum = (of: (row: Row) => number) => shops.reduce((total, row) => total + of(row), 0);
  return {
    ...{
      Name: name,
      Sales: sum((row) => row.Sales),
      Cents: sum((row) => row.Cents),
      Share: Figures.find(({ Name }) => Name === "sales_share")?.Value ?? 0,
    },
    ...{ Points: sum((row) => row.Points), PreviousPoints: sum((row) => row.PreviousPoints) },
    ...{ VouchersUsed: sum((row) => row.VouchersUsed), Joined: sum((row) => row.Joined) },
  };
}
