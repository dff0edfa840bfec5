import { Link, useNavigate, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { useFilters } from "#office/screen/controls/use-filters.ts";
import type { Failure } from "#office/screen/failure.ts";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";
import type { Read } from "./use-metrics.ts";

const utc = (day: string) => new Date(`${day}T00:00:00Z`);
const written = (date: Date) => date.toISOString().slice(0, 10);
const monthAt = (day: string, months: number, date: number) =>
  written(new Date(Date.UTC(utc(day).getUTCFullYear(), utc(day).getUTCMonth() + months, date)));
const yesterdayOf = (day: string) => written(new Date(utc(day).getTime() - 24 * 3_600_000));

/** Chooses the period and the shop. Both stand in the address, and in the form again where they were refused. */
export function PeriodForm({
  metrics,
  shops,
  refused,
}: {
  metrics: Read;
  shops: Read["AllShops"];
  refused: Failure["fields"] | undefined;
}) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const ref = useFilters(params.toString());
  const { Today, Period, IdShop, Compare } = metrics;
  const typed = (name: string) => params.get(name) ?? "";
  return (
    <form
      ref={ref}
      className="office-search office-period"
      onSubmit={(event) => {
        event.preventDefault();
        const entries = [...new FormData(event.currentTarget)].filter(([, value]) => value !== "");
        void navigate(`?${new URLSearchParams(entries as [string, string][])}`, { preventScrollReset: true });
      }}
    >
      <Field
        name="From"
        type="date"
        label={t("office.figures.from")}
        initial={refused ? typed("From") : Period.From}
        max={Today}
        error={refused?.["From"]}
      />
      <Field
        name="To"
        type="date"
        label={t("office.figures.to")}
        initial={refused ? typed("To") : Period.To}
        max={Today}
        error={refused?.["To"]}
      />
      {shops.length > 0 && (
        <Select
          name="IdShop"
          label={t("office.figures.shop")}
          initial={refused ? typed("IdShop") : String(IdShop ?? "")}
          error={refused?.["IdShop"]}
          options={[
            ["", t("office.figures.everywhere")],
            ...shops.map(({ IdShop, Name }) => [String(IdShop), Name] as const),
          ]}
        />
      )}
      <Select
        name="Compare"
        label={t("office.figures.compare")}
        initial={refused ? typed("Compare") : Compare}
        options={[
          ["before", t("office.figures.compareBefore")],
          ["year", t("office.figures.compareYear")],
        ]}
      />
      <button type="submit" className="button">
        {t("office.show")}
      </button>
    </form>
  );
}

/** Periods that are often asked for. */
export function Periods({
  metrics,
  shops,
  isShown,
}: {
  metrics: Read;
  shops: Read["AllShops"];
  /** Whether the metrics of the period stand below. */
  isShown: boolean;
}) {
  const { t } = useTexts();
  const { Today, Period, IdShop, Compare } = metrics;
  const choices = [
    ["office.figures.today", Today, Today],
    ["office.figures.yesterday", yesterdayOf(Today), yesterdayOf(Today)],
    ["office.figures.thisMonth", monthAt(Today, 0, 1), Today],
    ["office.figures.lastMonth", monthAt(Today, -1, 1), monthAt(Today, 0, 0)],
    ["office.figures.lastYear", monthAt(Today, -12, 1), monthAt(Today, 0, 0)],
  ] as const;
  const shop: Record<string, string> = IdShop && shops.length > 0 ? { IdShop: String(IdShop) } : {};
  return (
    <nav className="tabs office-periods" aria-label={t("office.figures.periods")}>
      {choices.map(([text, From, To]) => (
        <Link
          key={text}
          to={`?${new URLSearchParams({ From, To, ...shop, ...(Compare === "year" && { Compare }) })}`}
          aria-current={isShown && From === Period.From && To === Period.To ? "true" : undefined}
          preventScrollReset
        >
          {t(text)}
        </Link>
      ))}
    </nav>
  );
}
