import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { useRowLinks } from "./row-links.ts";
import { growthOf, type Read, useMetrics } from "./use-metrics.ts";

type Row = Read["Shops"][number];

const sumOf = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);
const pointsOf = (rows: readonly Row[]) => ({
  Name: "issued_purchase" as const,
  Value: sumOf(rows, ({ Points }) => Points),
  Previous: sumOf(rows, ({ PreviousPoints }) => PreviousPoints),
});

/** What each shop sold to members, and a total that adds up. */
export function ShopsTable({ metrics }: { metrics: Read }) {
  const { t } = useTexts();
  const { csvOf, number, wholeMoney, wholePercent, changeOf } = useMetrics(metrics);
  const { Shops: shops, Figures, Period } = metrics;
  const title = t("office.figures.shops");
  const linkTo = useRowLinks();
  const period = { from: Period.From, to: Period.To };
  const allShare = Figures.find(({ Name }) => Name === "sales_share")?.Value ?? 0;
  const counted = (heading: string, of: (row: Row) => number) => ({
    heading,
    value: of,
    number: true as const,
    total: (rows: readonly Row[]) => number(sumOf(rows, of)),
  });
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
      <List
        label={title}
        stacked
        rows={shops}
        columns={[
          { heading: t("office.figures.shop"), value: ({ Name }) => Name },
          {
            ...counted(t("office.figures.sales"), ({ Cents }) => Cents),
            total: (rows) => wholeMoney(sumOf(rows, ({ Cents }) => Cents)),
          },
          {
            heading: t("office.figures.share"),
            value: ({ Share }) => Share,
            number: true,
            // Of all shops it is known; shares of some cannot be added up.
            total: (rows) => rows.length === shops.length && wholePercent(allShare),
          },
          counted(t("office.figures.purchasePoints"), ({ Points }) => Points),
          {
            heading: t("office.figures.change"),
            value: (row) => growthOf(pointsOf([row])),
            number: true,
            total: (rows) => changeOf(pointsOf(rows)),
          },
          counted(t("office.figures.used"), ({ VouchersUsed }) => VouchersUsed),
          counted(t("office.figures.joined"), ({ Joined }) => Joined),
        ]}
        empty={t("office.figures.noShops")}
        row={(row) => (
          <tr key={row.Name}>
            <td>
              {row.IdShop === null ? row.Name : <Link to={linkTo({ ...period, shopId: row.IdShop })}>{row.Name}</Link>}
            </td>
            <td className="number">{wholeMoney(row.Cents)}</td>
            <td className="number">
              <span className="office-share" aria-hidden="true">
                <i style={{ width: `${row.Share * 100}%` }} />
              </span>
              {wholePercent(row.Share)}
            </td>
            <td className="number">{number(row.Points)}</td>
            <td className="number">{changeOf(pointsOf([row]))}</td>
            <td className="number">{number(row.VouchersUsed)}</td>
            <td className="number">{number(row.Joined)}</td>
          </tr>
        )}
      />
    </section>
  );
}
