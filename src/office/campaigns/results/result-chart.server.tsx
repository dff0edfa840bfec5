import { Fragment } from "react";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { CampaignMetric } from "#loyalty/ledger/campaign.tables.server.ts";
import { at, drawChart, Text } from "#office/metrics/chart.server.tsx";
import { writeValue } from "./write-value.ts";

interface Interval {
  value: number;
  low: number;
  high: number;
}

/** As wide as a phone shows it, so that its words are as large as those around it. */
const size = { width: 350, height: 180 };
const left = 8;
const right = size.width - 8;
const rowHeight = size.height / 3;

/** Both groups and their difference, each as a point in its 95 % interval. The table below has the numbers. */
export function resultChart(
  rows: { reached: Interval; control: Interval; difference: Interval },
  metric: CampaignMetric,
  locale: Locale,
): string {
  const { t } = textsOf[locale];
  const write = (value: number) => writeValue(metric, value, textsOf[locale]);
  const drawn = (["reached", "control", "difference"] as const).map((name) => ({
    ...{ name, label: t(`office.result.${name}`), ...rows[name] },
  }));
  const least = Math.min(0, ...drawn.map(({ low }) => low));
  const most = Math.max(0, ...drawn.map(({ high }) => high));
  const x = (value: number) => left + ((value - least) / (most - least || 1)) * (right - left);
  const words = ({ label, value, low, high }: (typeof drawn)[number]) =>
    t("office.result.interval", { name: label, value: write(value), low: write(low), high: write(high) });
  return drawChart(
    drawn.map(words).join(" · "),
    { className: "office-chart result", role: "img" },
    <>
      <line className="base" x1={at(x(0))} x2={at(x(0))} y1={0} y2={size.height} />
      {drawn.map((row, n) => {
        const y = n * rowHeight + 42;
        return (
          <Fragment key={row.name}>
            <Text x={left} y={y - 16} className="ink">
              {words(row)}
            </Text>
            <line className={row.name} x1={at(x(row.low))} x2={at(x(row.high))} y1={at(y)} y2={at(y)} />
            <circle className={row.name} cx={at(x(row.value))} cy={at(y)} r={5} />
          </Fragment>
        );
      })}
    </>,
    size,
  );
}
