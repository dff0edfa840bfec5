import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Empty } from "#ui/empty.tsx";
import { useRowLinks } from "./row-links.ts";
import { type Read, useMetrics } from "./use-metrics.ts";

/** Points issued by day, and the numbers behind the line. */
export function DaysChart({ metrics }: { metrics: Read }) {
  const { t } = useTexts();
  const { number, day } = useMetrics(metrics);
  const { Days, Charts, IdShop } = metrics;
  const linkTo = useRowLinks();
  const words = t(IdShop ? "office.figures.daysNoteShop" : "office.figures.daysNote");
  return (
    <Chart
      id="days"
      metrics={metrics}
      title={t("office.figures.days")}
      svg={Charts.Days}
      note={Days.length >= 28 ? `${words} ${t("office.figures.mean")}` : words}
    >
      <List
        label={t("office.figures.days")}
        rows={Days}
        columns={[
          { heading: t("office.figures.day"), value: ({ Day }) => day(Day), by: ({ Day }) => Day },
          { heading: t("office.figures.pointsHead"), value: ({ Points }) => Points, number: true },
          { heading: t("office.figures.beforeHead"), value: ({ PreviousPoints }) => PreviousPoints, number: true },
        ]}
        empty={t("office.list.none")}
        row={({ Day, Points, PreviousPoints }) => (
          <tr key={Day}>
            <td>
              <Link to={linkTo({ from: Day, to: Day, shopId: IdShop })}>{day(Day)}</Link>
            </td>
            <td className="number">{number(Points)}</td>
            <td className="number">{PreviousPoints === null ? "" : number(PreviousPoints)}</td>
          </tr>
        )}
      />
    </Chart>
  );
}

/** Points outstanding by month of expiry, and the numbers behind the bars. */
export function LiabilityChart({
  metrics,
  outstanding,
}: {
  metrics: Read;
  outstanding: NonNullable<Read["Outstanding"]>;
}) {
  const { t } = useTexts();
  const { number, month, wholeMoney } = useMetrics(metrics);
  const { Months, TierNames, RewardPoints, RewardCents } = outstanding;
  const note = t("office.figures.outstandingNote", { points: number(RewardPoints), amount: wholeMoney(RewardCents) });
  const title = t("office.figures.outstanding");
  const counted = (
    heading: string,
    value: (month: (typeof Months)[number]) => number,
    shown: (sum: number) => string,
  ) => ({
    ...{ heading, value, number: true as const },
    total: (rows: readonly (typeof Months)[number][]) => shown(rows.reduce((sum, row) => sum + value(row), 0)),
  });
  if (Months.length === 0)
    return (
      <section aria-labelledby="outstanding">
        <h2 id="outstanding">{title}</h2>
        <Empty>{t("office.figures.noOutstanding")}</Empty>
      </section>
    );
  return (
    <Chart
      id="outstanding"
      metrics={metrics}
      title={title}
      svg={metrics.Charts.Outstanding ?? ""}
      note={note}
      legend={TierNames}
    >
      <List
        label={title}
        rows={Months}
        columns={[
          { heading: t("office.figures.month"), value: ({ Month }) => month(`${Month}-15`), by: ({ Month }) => Month },
          ...TierNames.map((heading, tier) => counted(heading, ({ Tiers }) => Tiers[tier] ?? 0, number)),
          counted(t("office.figures.pointsHead"), ({ Points }) => Points, number),
          counted(t("office.figures.value"), ({ Cents }) => Cents, wholeMoney),
        ]}
        empty={t("office.figures.noOutstanding")}
        row={({ Month, Points, Cents, Tiers }) => (
          <tr key={Month}>
            <td>{month(`${Month}-15`)}</td>
            {Tiers.map((points, tier) => (
              <td key={TierNames[tier]} className="number">
                {number(points)}
              </td>
            ))}
            <td className="number">{number(Points)}</td>
            <td className="number">{wholeMoney(Cents)}</td>
          </tr>
        )}
      />
    </Chart>
  );
}

/** A chart that the server drew, its definition below, its table behind it. */
function Chart({
  id,
  metrics,
  title,
  svg,
  note,
  legend = [],
  children,
}: {
  id: "days" | "outstanding";
  metrics: Read;
  title: string;
  svg: string;
  note: string;
  legend?: readonly string[];
  children: ReactNode;
}) {
  const { t } = useTexts();
  const { csvOf } = useMetrics(metrics);
  const [shown, setShown] = useState(false);
  return (
    <section aria-labelledby={id}>
      <div className="office-section">
        <h2 id={id}>{title}</h2>
        <div className="links">
          <button
            type="button"
            className="office-link"
            aria-expanded={shown}
            aria-label={t("office.figures.tableOf", { what: title })}
            onClick={() => setShown(!shown)}
          >
            {t("office.figures.table")}
          </button>
          <a className="office-link" href={csvOf(id)} download aria-label={t("office.figures.csvOf", { what: title })}>
            {t("office.csv")}
          </a>
        </div>
      </div>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own server drew it, and escapes every text in it. */}
      <div dangerouslySetInnerHTML={{ __html: svg }} />
      <p className="note office-chart-note">
        <span>{note}</span>
        <span className="legends">
          {legend.map((name, tier) => (
            <span key={name} className="legend">
              <i className={`tier-${tier}`} />
              {name}
            </span>
          ))}
        </span>
      </p>
      {shown && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls in its place, also by keyboard.
        <section className="office-behind" aria-label={t("office.figures.tableOf", { what: title })} tabIndex={0}>
          {children}
        </section>
      )}
    </section>
  );
}
