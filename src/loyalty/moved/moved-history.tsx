import { Link, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Moved } from "#loyalty/calls.ts";
import { tabParameter } from "#loyalty/member-tabs.ts";
import { pageLink } from "#loyalty/page-link.ts";
import { movedParameter } from "#loyalty/paths.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Section } from "#ui/section.tsx";
import { MissingForm } from "./missing-form.tsx";

const sectionId = "former-club";

/** The history of the former club, as it was written there: it moves no points here. */
export function MovedHistory(props: { moved: Moved; page: number; pages: number; refused: Refused | undefined }) {
  const { moved, page, pages, refused } = props;
  const { t, number, date } = useTexts();
  const [search] = useSearchParams();
  const linkTo = (wanted: number) =>
    pageLink(search, { [tabParameter]: "history", [movedParameter]: wanted === 1 ? null : wanted }, sectionId);
  const signed = (points: number) => (points < 0 ? `−${number(-points)}` : `+${number(points)}`);
  return (
    <Section id={sectionId} title={t("member.movedHistory")} text={t("member.movedHistoryText")}>
      <ul className="[overflow-wrap:anywhere]">
        {moved.Entries.map(({ Date: at, Label, Points }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same, and none is ever added
          <li key={index} className="flex items-baseline gap-4 border-line border-b py-3.5">
            <span className="grow">
              {Label}
              <span className="block text-xs text-soft">{date(at)}</span>
            </span>
            <span className="tabular-nums whitespace-nowrap">{signed(Points)}</span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-x-8">
        {page > 1 && (
          <Link className="inline-flex min-h-11 items-center" to={linkTo(page - 1)}>
            <span className="underlined">{t("member.historyNewer")}</span>
          </Link>
        )}
        {page < pages && (
          <Link className="inline-flex min-h-11 items-center" to={linkTo(page + 1)}>
            <span className="underlined">{t("member.historyOlder")}</span>
          </Link>
        )}
      </div>
      <div className="print:hidden">
        <MissingForm moved={moved} refused={refused} />
      </div>
    </Section>
  );
}
