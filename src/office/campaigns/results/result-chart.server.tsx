import { Fragment } from "react";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { TextId } from "#i18n/texts.ts";
import type { CampaignMetric } from "#loyalty/ledger/campaign.tables.server.ts";
import { at, drawChart, Text } from "#office/metrics/chart.server.tsx";
import { writeDifference, writeEnd, writeValue } from "./write-value.ts";

interface Interval {
  value: number;
  low: number;
  high: number;
}

/** As wide as a phone shows it, so that its words are as large as those around it. */
const size = { width: 350, height: 222 };
const left = 8;
const right = size.width - 8;
const rowHeight = size.height / 3;

const campaignLabels = {
  reached: "office.result.reached",
  control: "office.result.control",
  difference: "office.result.difference",
} as const;
export const holdOutLabels = {
  ...campaignLabels,
  ...({ reached: "office.holdOut.reached" } as const),
};

/** Both groups and their difference, each as a point in its 95 % interval. The table below has the numbers. */
export function resultChart(
  rows: { reached: Interval; control: Interval; difference: Interval },
  metric: CampaignMetric,
  locale: Locale,
  labels: { reached: TextId; control: TextId; difference: TextId } = campaignLabels,
): string {
  const texts = textsOf[locale];
  const { t } = texts;
  const drawn = (["reached", "control", "difference"] as const).map((name) => ({
    ...{ name, label: t(labels[name]), ...rows[name] },
  }));
  const least = Math.min(0, ...drawn.map(({ low }) => low));
  const most = Math.max(0, ...drawn.map(({ high }) => high));
  const x = (value: number) => left + ((value - least) / (most - least || 1)) * (right - left);
  const words = ({ name, value, low, high }: (typeof drawn)[number]) => {
    const [write, end] = name === "difference" ? [writeDifference, writeEnd] : [writeValue, writeValue];
    return t("office.result.interval", {
      ...{ value: write(metric, value, texts), low: end(metric, low, texts), high: end(metric, high, texts) },
    });
  };
  return drawChart(
    drawn.map((row) => `${row.label} ${words(row)}`).join(" · "),
    { className: "office-chart result", role: "img" },
    drawn.map((row, n) => {
      const y = n * rowHeight + 58;
      return (
        <Fragment key={row.name}>
          <Text x={left + 4} y={y - 34}>
            {row.label}
          </Text>
          <Text x={left + 4} y={y - 16} className="ink">
            {words(row)}
          </Text>
          {/* Zero, beside the interval alone: through all rows it would cross their words. */}
          <line className="base" x1={at(x(0))} x2={at(x(0))} y1={y - 10} y2={y + 10} />
          <line className={row.name} x1={at(x(row.low))} x2={at(x(row.high))} y1={at(y)} y2={at(y)} />
          <circle className={row.name} cx={at(x(row.value))} cy={at(y)} r={5} />
        </Fragment>
      );
    }),
    size,
  );
}
