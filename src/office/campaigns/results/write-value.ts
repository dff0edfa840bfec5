import { amountOf } from "#brand/amounts.ts";
import { tagOf } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import type { Texts } from "#i18n/texts.ts";
import type { CampaignMetric } from "#loyalty/ledger/campaign.tables.server.ts";

/** As wide as the plus sign, as in all tables. */
const minus = "\u2212";

/** A number of the metric, as people read it: an amount, purchases, or the part of members who bought. */
export function writeValue(metric: CampaignMetric, value: number, { locale, money }: Pick<Texts, "locale" | "money">) {
  if (metric === "revenue") return (value < 0 ? minus : "") + money(amountOf(Math.round(Math.abs(value))), true);
  const options: Intl.NumberFormatOptions =
    metric === "returning"
      ? { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(tagOf(locale), options).format(value).replace("-", minus);
}

/** By how much the groups differ. Between parts of the members it is percentage points: as a percentage it would read as a growth. */
export function writeDifference(metric: CampaignMetric, value: number, texts: Pick<Texts, "locale" | "money" | "t">) {
  if (metric !== "returning") return writeValue(metric, value, texts);
  const points = Math.round(1_000 * Math.abs(value)) / 10;
  return texts.t("office.figures.sharePoints", { count: points, change: writePoints(value, texts.locale) });
}

/** The ends of its interval, behind it: the unit is said once. */
export const writeEnd = (metric: CampaignMetric, value: number, texts: Pick<Texts, "locale" | "money">) =>
  metric === "returning" ? writePoints(value, texts.locale) : writeValue(metric, value, texts);

function writePoints(part: number, locale: Locale) {
  const options = { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" } as const;
  return new Intl.NumberFormat(tagOf(locale), options).format(100 * part).replace("-", minus);
}
