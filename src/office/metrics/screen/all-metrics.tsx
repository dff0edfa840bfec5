import { useTexts } from "#i18n/use-texts.tsx";
import { Table } from "#ui/table.tsx";
import { type Read, useMetrics } from "./use-metrics.ts";

/** Every metric with its definition beside it. */
export function AllMetrics({ metrics }: { metrics: Read }) {
  const { t } = useTexts();
  const { shownOf, previousOf, changeOf, wholeMoney, csvOf } = useMetrics(metrics);
  const title = t("office.figures.all");
  return (
    <section className="office-all" aria-labelledby="all">
      <div className="office-section">
        <h2 id="all">{title}</h2>
        <a
          className="office-link"
          href={csvOf("figures")}
          download
          aria-label={t("office.figures.csvOf", { what: title })}
        >
          {t("office.csv")}
        </a>
      </div>
      <Table
        label={title}
        headings={[
          t("office.figures.figureHead"),
          { number: t("office.figures.period") },
          { number: t("office.figures.beforeHead") },
          { number: t("office.figures.change") },
          { number: t("office.figures.value") },
          t("office.figures.definitionHead"),
        ]}
      >
        {metrics.Figures.map((metric) => (
          <tr key={metric.Name}>
            <td>{t(`office.figure.${metric.Name}`)}</td>
            <td className="number">{shownOf(metric)}</td>
            <td className="number">{previousOf(metric)}</td>
            <td className="number">{changeOf(metric)}</td>
            <td className="number">{metric.Cents === null ? "" : wholeMoney(metric.Cents)}</td>
            <td className="note">{metric.Definition}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
