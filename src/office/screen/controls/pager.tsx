import { Link, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";

/** Leads through a list by its cursor: on to the next page, or back to the beginning. Filters stay. */
export function Pager({ next }: { next: string | number | null }) {
  const { t } = useTexts();
  const [params] = useSearchParams();
  const at = params.get("cursor");
  const to = (cursor: string | undefined) => {
    const query = new URLSearchParams(params);
    if (cursor === undefined) query.delete("cursor");
    else query.set("cursor", cursor);
    return `?${query}`;
  };
  if (!at && next === null) return null;
  return (
    <nav className="office-pager" aria-label={t("office.pages")}>
      {at && <Link to={to(undefined)}>{t("office.first")}</Link>}
      {next !== null && <Link to={to(String(next))}>{t("office.next")}</Link>}
    </nav>
  );
}
