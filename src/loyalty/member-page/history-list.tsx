import { Link, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { readHistory } from "#loyalty/calls.ts";
import { tabParameter } from "#loyalty/member-tabs.ts";
import { pageLink } from "#loyalty/page-link.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Empty } from "#ui/empty.tsx";
import { Drape } from "#ui/fabric/drape.tsx";
import { Section } from "#ui/section.tsx";

const sectionId = "history";

/** Purchases whose points are pending, then the ledger's entries: date, name, points, balance, and when the remaining points expire. */
export function HistoryList({ history }: { history: ResponseBody<typeof readHistory> }) {
  const { t, number, date } = useTexts();
  const [search] = useSearchParams();
  const linkTo = (changes: Record<string, string | null>) =>
    pageLink(search, { [tabParameter]: "history", ...changes }, sectionId);
  const signed = (points: number) =>
    points === 0 ? number(0) : points < 0 ? `−${number(-points)}` : `+${number(points)}`;
  const { Pending = [] } = history;
  return (
    <Section id={sectionId} title={t("member.history")}>
      {history.Entries.length + Pending.length === 0 ? (
        <Empty picture={<Drape name="cotton-tile" own="empty" />}>{t("member.historyEmpty")}</Empty>
      ) : (
        <div className="[container-type:inline-size]">
          <table className="history w-full border-collapse [overflow-wrap:anywhere]">
            <thead className="text-left text-xs text-soft">
              <tr className="border-line border-b">
                <th scope="col" className="hidden py-2 pr-4 font-normal sm:table-cell">
                  {t("member.historyDate")}
                </th>
                <th scope="col" className="py-2 pr-4 font-normal">
                  {t("member.historyWhat")}
                </th>
                <th scope="col" className="whitespace-nowrap py-2 pl-3 text-right font-normal sm:pl-4">
                  {t("member.historyPoints")}
                </th>
                <th scope="col" className="whitespace-nowrap py-2 pl-3 text-right font-normal sm:pl-4">
                  {t("member.historyBalance")}
                </th>
              </tr>
            </thead>
            <tbody>
              {Pending.map((purchase) => (
                <tr key={purchase.Date + purchase.Label} className="border-line border-b align-baseline">
                  <td className="hidden py-3.5 pr-4 sm:table-cell">{date(purchase.Date)}</td>
                  <td className="py-3.5 pr-2 sm:pr-4">
                    {purchase.Label}
                    <span className="block text-xs text-soft sm:hidden">{date(purchase.Date)}</span>
                    <span className="block text-xs text-soft">
                      {t("member.historyPending", { date: date(purchase.ArrivesAt) })}
                    </span>
                  </td>
                  <td className="tabular-nums whitespace-nowrap py-3.5 pl-3 text-right text-soft sm:pl-4">
                    {signed(purchase.Points)}
                  </td>
                  <td />
                </tr>
              ))}
              {history.Entries.map((entry) => (
                <tr key={entry.IdLoyaltyHistory} className="border-line border-b align-baseline">
                  <td className="hidden py-3.5 pr-4 sm:table-cell">{date(entry.Date)}</td>
                  <td className="py-3.5 pr-2 sm:pr-4">
                    {entry.Label}
                    <span className="block text-xs text-soft sm:hidden">{date(entry.Date)}</span>
                    {entry.ExpiresAt && (
                      <span className="block text-xs text-soft">
                        {entry.Remaining < entry.Points
                          ? t("member.expiring", {
                              count: entry.Remaining,
                              formatted: number(entry.Remaining),
                              date: date(entry.ExpiresAt),
                            })
                          : t("member.historyExpires", { date: date(entry.ExpiresAt) })}
                      </span>
                    )}
                  </td>
                  <td className="tabular-nums whitespace-nowrap py-3.5 pl-3 text-right sm:pl-4">
                    {signed(entry.Points)}
                  </td>
                  <td className="tabular-nums whitespace-nowrap py-3.5 pl-3 text-right sm:pl-4 text-soft">
                    {number(entry.Balance)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="flex flex-wrap gap-x-8">
        {history.PreviousCursor && (
          <Link
            className="inline-flex min-h-11 items-center"
            to={linkTo({ after: history.PreviousCursor, cursor: null })}
          >
            <span className="underlined">{t("member.historyNewer")}</span>
          </Link>
        )}
        {history.NextCursor && (
          <Link className="inline-flex min-h-11 items-center" to={linkTo({ cursor: history.NextCursor, after: null })}>
            <span className="underlined">{t("member.historyOlder")}</span>
          </Link>
        )}
      </div>
    </Section>
  );
}
