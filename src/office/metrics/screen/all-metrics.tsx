import { useTexts } from "#i18n/use-texts.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { growthOf, type Read, useMetrics } from "./use-metrics.ts";

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
      <List
        label={title}
        stacked
        rows={metrics.Figures}
        columns={[
          { heading: t("office.figures.figureHead"), value: ({ Name }) => t(`office.figure.${Name}`) },
          { heading: t("office.figures.period"), value: shownOf, by: ({ Value }) => Value, number: true },
          { heading: t("office.figures.beforeHead"), value: previousOf, by: ({ Previous }) => Previous, number: true },
          { heading: t("office.figures.change"), value: changeOf, by: growthOf, number: true },
          { heading: t("office.figures.value"), value: ({ Cents }) => Cents, number: true },
          { heading: t("office.figures.definitionHead"), value: ({ Definition }) => Definition },
        ]}
        empty={t("office.list.none")}
        row={(metric) => (
          <tr key={metric.Name}>
            <td>{t(`office.figure.${metric.Name}`)}</td>
            <td className="number">{shownOf(metric)}</td>
            <td className="number">{previousOf(metric)}</td>
            <td className="number">{changeOf(metric)}</td>
            <td className="number">{metric.Cents === null ? "" : wholeMoney(metric.Cents)}</td>
            <td className="note">{metric.Definition}</td>
          </tr>
        )}
      />
    </section>
  );
}
