import { useTexts } from "#i18n/use-texts.tsx";
import { type Metric, type Read, useMetrics } from "./use-metrics.ts";

/** The six key metrics, each with its change, what it consists of, and its definition. */
export function KeyMetrics({ metrics }: { metrics: Read }) {
  const { t } = useTexts();
  const { shownOf, changeOf } = useMetrics(metrics);
  const noteOf = useNotes(metrics);
  return (
    <dl className="office-key-metrics">
      {metrics.Figures.slice(0, 6).map((metric) => {
        const name = t(`office.figure.${metric.Name}`);
        return (
          <div key={metric.Name}>
            <dt>{name}</dt>
            <dd className="value">{shownOf(metric)}</dd>
            <dd>{changeOf(metric)}</dd>
            <dd className="note">{noteOf(metric)}</dd>
            <dd className="definition">
              <details name="definition">
                <summary aria-label={t("office.figures.definition", { figure: name })}>?</summary>
                <p>{metric.Definition}</p>
              </details>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** What a metric consists of, or what it is worth. */
function useNotes(metrics: Read) {
  const { t } = useTexts();
  const { number, wholeMoney } = useMetrics(metrics);
  const of = (name: Metric["Name"]) => metrics.Figures.find(({ Name }) => Name === name);
  const count = (name: Metric["Name"]) => of(name)?.Value ?? 0;
  return ({ Name, Cents }: Metric): string => {
    if (Name === "members") {
      const left = count("left") + count("erased") + count("merged");
      return t("office.figures.membersNote", { joined: number(count("joined")), left: number(left) });
    }
    if (Name === "active_share") return t("office.figures.activeNote");
    if (Name === "issued") return t("office.figures.issuedNote", { points: number(count("issued_purchase")) });
    if (Name === "spent")
      return t("office.figures.spentNote", { count: count("vouchers_obtained"), amount: wholeMoney(Cents ?? 0) });
    if (Cents === null) return "";
    return Name === "lapsed" || Name === "outstanding"
      ? t("office.figures.worth", { amount: wholeMoney(Cents) })
      : wholeMoney(Cents);
  };
}
