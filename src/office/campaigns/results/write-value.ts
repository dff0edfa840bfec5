import { amountOf } from "#brand/amounts.ts";
import { tagOf } from "#i18n/club-day.ts";
import type { Texts } from "#i18n/texts.ts";
import type { CampaignMetric } from "#loyalty/ledger/campaign.tables.server.ts";

/** As wide as the plus sign, as in all tables. */
const minus = "\u2212";

/** A number of the metric, as people read it: an amount, purchases, or the part of members who bought. */
export function writeValue(metric: CampaignMetric, value: number, { locale, money }: Pick<Texts, "locale" | "money">) {
  if (metric === "revenue") return (value < 0 ? minus : "") + money(amountOf(Math.round(Math.abs(value))), true);
  const options: Intl.NumberFormatOptions =
    metric === "returning"
      ? { style: "percent", maximumFractionDigits: 1 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(tagOf(locale), options).format(value).replace("-", minus);
}
