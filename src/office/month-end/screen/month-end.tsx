import type { LoaderFunctionArgs } from "react-router";
import { Link, useLoaderData } from "react-router";
import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/month-end/calls.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label } from "#office/screen/controls/controls.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";
import { BookTables } from "./book-tables.tsx";
import { LiabilityTables } from "./liability-tables.tsx";
import { RedemptionPanel } from "./redemption-panel.tsx";
import { useMonths } from "./use-months.ts";

export function loadMonthEnd({ request }: LoaderFunctionArgs) {
  const month = new URL(request.url).searchParams.get("Month");
  return browserCall(calls.readMonthEnd, month ? { Month: month } : {});
}

type MonthEndRead = ResponseBody<typeof calls.readMonthEnd>;
const tones = { closed: "good", draft: "gold", ended: "soft" } as const;

/** The book of a month, made to be read, closed and printed. */
export function MonthEnd() {
  const { t, locale } = useTexts();
  const { title } = useMonths();
  const { moment } = useFormats();
  const { Role } = useSession();
  const { Months, Month, Next, Book } = useLoaderData<typeof loadMonthEnd>();
  const { open, setOpen, close, finish, status } = useDone<"close" | "redemption">();
  const shown = Months.find((one) => one.Month === Month);
  if (!Month || !shown)
    return (
      <>
        <PageHead title={t("office.menu.monthEnd")} />
        <Empty>{t("office.monthEnd.none")}</Empty>
      </>
    );
  const csv = new URLSearchParams({ Month, LanguageIsoCode: locale });
  const isOwner = Role === "owner";
  const isNext = isOwner && Month === Next;
  return (
    <>
      <PageHead title={t("office.monthEnd.title", { month: title(Month) })} note={t("office.monthEnd.note")}>
        {Book && (
          <>
            <a className="button" href={`/api/office/month-end/csv?${csv}`} download>
              {t("office.csv")}
            </a>
            <button type="button" className="button" onClick={() => print()}>
              {t("office.monthEnd.print")}
            </button>
          </>
        )}
        {isNext && Book && (
          <button type="button" className="button solid" onClick={() => setOpen("close")}>
            {t("office.monthEnd.close")}
          </button>
        )}
      </PageHead>
      {status}
      <p className="office-month-state">
        <Label tone={tones[shown.State]}>{t(`office.monthEnd.state.${shown.State}`)}</Label>
        <span className="note">
          {shown.ClosedAt
            ? t("office.monthEnd.closedBy", { at: moment(shown.ClosedAt), name: shown.ClosedBy ?? "" })
            : Book && t("office.monthEnd.draftedAt", { at: moment(Book.DraftedAt) })}
        </span>
        {isOwner && !shown.ClosedAt && (
          <Draft month={Month} hasBook={Book !== null} onDone={() => finish(t("office.monthEnd.drafted"))} />
        )}
      </p>
      {Book ? (
        <>
          <LiabilityTables book={Book} {...(isOwner && !shown.ClosedAt && { onChoose: () => setOpen("redemption") })} />
          <BookTables book={Book} />
        </>
      ) : (
        <Empty>{t("office.monthEnd.noDraft")}</Empty>
      )}
      <AllMonths months={Months} />
      {open === "close" && Book && (
        <ConfirmAct
          line={calls.closeMonth}
          input={{ Month, DraftedAt: Book.DraftedAt }}
          title={t("office.monthEnd.closeTitle", { month: title(Month) })}
          text={t("office.monthEnd.closeText")}
          action={t("office.monthEnd.close")}
          onDone={() => finish(t("office.monthEnd.closed", { month: title(Month) }))}
          onClose={close}
        />
      )}
      {open === "redemption" && Book && (
        <RedemptionPanel
          month={Month}
          percent={Book.Liability.ChosenPercent}
          onDone={() => finish(t("office.monthEnd.redemptionDone"))}
          onClose={close}
        />
      )}
    </>
  );
}

function Draft({ month, hasBook, onDone }: { month: string; hasBook: boolean; onDone: () => void }) {
  const { t } = useTexts();
  const { act, busy } = useAct(calls.draftMonth);
  const draft = async () => {
    if (await act({ Month: month })) onDone();
  };
  return (
    <button type="button" className="office-link" disabled={busy} onClick={draft}>
      {t(hasBook ? "office.monthEnd.draftAgain" : "office.monthEnd.draft")}
    </button>
  );
}

function AllMonths({ months }: { months: MonthEndRead["Months"] }) {
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { title } = useMonths();
  const { dayOfYear } = useFormats();
  const label = t("office.monthEnd.months");
  return (
    <section className="office-months" aria-labelledby="months">
      <div className="office-section">
        <h2 id="months">{label}</h2>
      </div>
      <Table
        label={label}
        stacked
        headings={[
          t("office.monthEnd.month"),
          t("office.monthEnd.stateHead"),
          { number: t("office.monthEnd.points") },
          { number: t("office.monthEnd.liability") },
        ]}
      >
        {months.map(({ Month, State, Points, LiabilityCents, ClosedAt, ClosedBy }) => (
          <tr key={Month}>
            <td>
              <Link to={`?Month=${Month}`}>{title(Month)}</Link>
            </td>
            <td>
              <Label tone={tones[State]}>{t(`office.monthEnd.state.${State}`)}</Label>
              {ClosedAt && <span className="note"> {`${dayOfYear(ClosedAt)} · ${ClosedBy ?? ""}`}</span>}
            </td>
            <td className="number">{Points === null ? "" : number(Points)}</td>
            <td className="number">{LiabilityCents === null ? "" : exactMoney(amountOf(LiabilityCents))}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
