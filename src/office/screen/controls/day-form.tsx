import { Link, useNavigate, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Field } from "#ui/form/field.tsx";
import { useFilters } from "./use-filters.ts";

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 24 * 3_600_000).toISOString().slice(0, 10);

/** The day that a page shows, as `day` in its address: another one, the one before, the one after. */
export function DayForm({ day, today }: { day: string; today: string }) {
  const { t } = useTexts();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const form = useFilters(params.toString());
  const to = (chosen: string) => {
    const query = new URLSearchParams(params);
    query.set("day", chosen);
    return `?${query}`;
  };
  return (
    <form
      ref={form}
      className="office-search"
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = String(new FormData(event.currentTarget).get("day"));
        if (chosen) void navigate(to(chosen), { preventScrollReset: true });
      }}
    >
      <Field name="day" type="date" label={t("office.audit.day")} initial={day} max={today} />
      <button type="submit" className="button">
        {t("office.show")}
      </button>
      <Link className="office-link" to={to(dayAfter(day, -1))} preventScrollReset>
        {t("office.report.before")}
      </Link>
      {day < today && (
        <Link className="office-link" to={to(dayAfter(day, 1))} preventScrollReset>
          {t("office.report.after")}
        </Link>
      )}
    </form>
  );
}
