import { Link, useSearchParams } from "react-router";
import { clubDay } from "#i18n/club-day.ts";
import type { TextId } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { readTimeline } from "#office/customers/calls.ts";
import { timelineFilters } from "#office/customers/choices.ts";
import { Pager } from "#office/screen/controls/pager.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Empty } from "#ui/empty.tsx";
import { type TimelineEntry, TimelineIcon } from "./timeline-icon.tsx";

/** One timeline of everything, with words that choose what it shows. */
export function Timeline({ Entries, NextCursor }: ResponseBody<typeof readTimeline>) {
  const { t } = useTexts();
  const [params] = useSearchParams();
  const shown = params.get("show") ?? "all";
  const id = params.get("id") ?? "";
  return (
    <section className="timeline">
      <header>
        <h2>{t("office.customer.happened")}</h2>
        <nav className="tabs" aria-label={t("office.show")}>
          {timelineFilters.map((filter) => (
            <Link
              key={filter}
              to={`?${new URLSearchParams({ id, show: filter })}`}
              aria-current={filter === shown ? "true" : undefined}
              preventScrollReset
            >
              {t(`office.show.${filter}`)}
            </Link>
          ))}
        </nav>
      </header>
      {Entries.length === 0 ? (
        <Empty>{t("office.customer.nothing")}</Empty>
      ) : (
        <div className="scroll">
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">{t("office.customer.when")}</th>
                <th scope="col" colSpan={2}>
                  {t("office.customer.what")}
                </th>
                <th scope="col" className="number">
                  {t("office.customer.points")}
                </th>
                <th scope="col" className="number">
                  {t("office.customer.balance")}
                </th>
              </tr>
            </thead>
            <tbody>
              {Entries.map((entry) => (
                <EntryRow key={entry.IdEntry} entry={entry} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager next={NextCursor} />
    </section>
  );
}

function EntryRow({ entry }: { entry: TimelineEntry }) {
  const { number } = useTexts();
  const { day, dayOfYear, time, signed } = useFormats();
  const { what, more } = useWords(entry);
  const thisYear = clubDay(new Date(entry.At)).slice(0, 4) === clubDay().slice(0, 4);
  return (
    <tr>
      <td>
        <time dateTime={entry.At}>
          {thisYear ? day(entry.At) : dayOfYear(entry.At)}
          <br />
          <span className="note">{time(entry.At)}</span>
        </time>
      </td>
      <td className="icon">
        <TimelineIcon entry={entry} />
      </td>
      <td>
        {entry.IdShop === null ? (
          what
        ) : (
          <Link
            to={`/receipt?${new URLSearchParams({ shop: String(entry.IdShop), number: entry.ReceiptNumber ?? "" })}`}
          >
            {what}
          </Link>
        )}
        {more && (
          <>
            <br />
            <span className="note">{more}</span>
          </>
        )}
      </td>
      <td className="number">{entry.Points === null || entry.Points === 0 ? "" : signed(entry.Points)}</td>
      <td className="number note">{entry.Balance === null ? "" : number(entry.Balance)}</td>
    </tr>
  );
}

/** What happened, and below it in small what else is known. */
function useWords(entry: TimelineEntry): { what: string; more: string } {
  const { t, money, date } = useTexts();
  const { time } = useFormats();
  const amount = money(entry.Amount?.Amount ?? 0);
  const shop = entry.ShopName ?? "";
  const earning = useEarning(entry.Earning);
  const changed = useChange();
  const join = (...parts: (string | null | false | undefined)[]) => parts.filter(Boolean).join(", ");
  switch (entry.Type) {
    case "sale":
      return {
        what: t("office.event.sale", { shop, amount }),
        more: join(entry.ReceiptNumber, entry.By, earning, entry.Waiting && t("office.event.pointsWait")),
      };
    case "return":
      return {
        what: t(entry.Kind === "void" ? "office.event.void" : "office.event.return", { shop, amount }),
        more: join(
          entry.ReceiptNumber,
          // A void has the number of its sale.
          entry.Kind !== "void" && t("office.event.ofReceipt", { number: entry.OriginalReceiptNumber ?? "" }),
          entry.By,
        ),
      };
    case "letter":
      return {
        what: entry.Label ? t("office.event.letterNamed", { subject: entry.Label }) : t("office.event.letter"),
        more: entry.RefusedAt
          ? t("office.event.refused")
          : entry.SentAt
            ? t("office.event.sentAt", { time: time(entry.SentAt) })
            : t("office.event.queued"),
      };
    case "consent": {
      // The kind of a consent is its subject.
      const what = t(`office.subject.${entry.Kind as "newsletter" | "sms" | "loyalty"}`);
      return { what: t(entry.Given ? "office.event.consentGiven" : "office.event.consentEnded", { what }), more: "" };
    }
    case "session":
      return { what: join(t("office.event.session"), entry.Device), more: entry.Source ?? "" };
    case "team": {
      const what = t(`office.action.${entry.Kind}` as TextId);
      if (entry.Kind === "note_added")
        return { what: entry.Note ?? what, more: entry.By ? t("office.event.noteBy", { name: entry.By }) : what };
      const why = entry.Reason ? t(`office.reason.${entry.Reason}` as TextId) : undefined;
      return {
        what: entry.By ? `${what}, ${t("office.event.by", { name: entry.By })}` : what,
        more: join(entry.ReceiptNumber, why, ...entry.Changes.map(changed), entry.Note),
      };
    }
    default:
      return {
        what: entry.Label ?? "",
        more: join(
          entry.VoucherCode,
          entry.UsedAt && t("office.event.usedOn", { date: date(entry.UsedAt) }),
          entry.ExpiresAt && t("office.event.lapsesOn", { date: date(entry.ExpiresAt) }),
        ),
      };
  }
}

/** A corrected value: what it was, an arrow, what it is. */
function useChange() {
  const { t, date } = useTexts();
  return ({ Field, Before, After }: TimelineEntry["Changes"][number]): string => {
    const shown = (value: typeof Before) => {
      if (typeof value === "boolean") return t(value ? "office.customer.yes" : "office.customer.no");
      if (!value) return t("office.merge.noValue");
      return Field === "Birthday" ? date(value) : value;
    };
    return `${t(correctedTexts[Field])} ${shown(Before)} → ${shown(After)}`;
  };
}

const correctedTexts: Record<TimelineEntry["Changes"][number]["Field"], TextId> = {
  Firstname: "office.firstname",
  Lastname: "office.lastname",
  Email: "office.customer.email",
  MobilePhone: "office.customer.phone",
  Birthday: "office.correct.birthday",
  CardNumber: "office.detail.card",
  Newsletter: "office.correct.newsletter",
  Sms: "office.correct.sms",
};

/** The points of a sale as a sum: what was paid × rate × status, with its campaign, less what returns took back. */
function useEarning(earning: TimelineEntry["Earning"]): string {
  const { t, money, number, date } = useTexts();
  if (!earning || earning.Points + earning.CampaignPoints === 0) return "";
  const { PointsPerEuro: rate, TierName, CampaignPoints, CampaignName, Taken, ArrivesAt } = earning;
  const factors = [
    money(earning.Paid.Amount),
    number(rate),
    `${number(earning.Multiplier)}${TierName ? ` (${TierName})` : ""}`,
  ].join(" × ");
  const sum = [
    `${factors} = ${number(earning.Points)}`,
    CampaignPoints > 0 && `+ ${number(CampaignPoints)} (${CampaignName})`,
    Taken > 0 && `− ${number(Taken)} (${t("office.event.taken")})`,
  ];
  const arrives = ArrivesAt && t("office.event.arrives", { date: date(ArrivesAt) });
  return [sum.filter(Boolean).join(" "), arrives].filter(Boolean).join(", ");
}
