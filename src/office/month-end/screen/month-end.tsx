import { useEffect, useRef } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { Link, useLoaderData, useRevalidator } from "react-router";
import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/month-end/calls.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { FormError, Label } from "#office/screen/controls/controls.tsx";
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
const refreshMs = 2_000;
const tones = { closed: "good", draft: "gold", ended: "soft" } as const;

/** The book of a month, made to be read, closed and printed. */
export function MonthEnd() {
  const { t, locale } = useTexts();
  const { title } = useMonths();
  const { moment } = useFormats();
  const { Role } = useSession();
  const { Months, Month, Next, Job, Book } = useLoaderData<typeof loadMonthEnd>();
  const { open, setOpen, close, finish, status } = useDone<"close" | "redemption">();
  const draft = useAct(calls.draftMonth);
  const busy = Job === "drafting" || Job === "closing";
  useRefresh(busy || Job === "failed");
  const watched = useRef({ Month, Job });
  useEffect(() => {
    const last = watched.current;
    watched.current = { Month, Job };
    const before = Months.find((one) => one.Month === last.Month);
    if (last.Job === "closing" && before?.ClosedAt) finish(t("office.monthEnd.closed", { month: title(before.Month) }));
    if (last.Job === "drafting" && last.Month === Month && !Job) finish(t("office.monthEnd.drafted"));
  });
  const shown = Months.find((one) => one.Month === Month);
  if (!Month || !shown)
    return (
      <>
        <PageHead title={t("office.menu.monthEnd")} />
        <Empty>{t("office.monthEnd.none")}</Empty>
      </>
    );
  const csv = new URLSearchParams({ Month, LanguageIsoCode: locale });
  const mayChange = Role === "owner" && !shown.ClosedAt && !busy;
  const draftAgain = async () => {
    const answer = await draft.act({ Month });
    finish(answer?.InProgress === false ? t("office.monthEnd.drafted") : "");
  };
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
        {mayChange && Month === Next && Book && (
          <button type="button" className="button solid" onClick={() => setOpen("close")}>
            {t("office.monthEnd.close")}
          </button>
        )}
      </PageHead>
      {status}
      <FormError failure={draft.failure} />
      <p role="status" className={Job ? `banner${Job === "failed" ? " bad" : ""}` : ""}>
        {Job && t(`office.monthEnd.job.${Job}`)}
      </p>
      <p className="office-month-state">
        <Label tone={tones[shown.State]}>{t(`office.monthEnd.state.${shown.State}`)}</Label>
        <span className="note">
          {shown.ClosedAt
            ? t("office.monthEnd.closedBy", { at: moment(shown.ClosedAt), name: shown.ClosedBy ?? "" })
            : Book && t("office.monthEnd.draftedAt", { at: moment(Book.DraftedAt) })}
        </span>
        {mayChange && (
          <button type="button" className="office-link" disabled={draft.busy} onClick={draftAgain}>
            {t(Book ? "office.monthEnd.draftAgain" : "office.monthEnd.draft")}
          </button>
        )}
      </p>
      {Book ? (
        <>
          <LiabilityTables book={Book} {...(mayChange && { onChoose: () => setOpen("redemption") })} />
          <BookTables book={Book} />
        </>
      ) : (
        Job !== "drafting" && <Empty>{t("office.monthEnd.noDraft")}</Empty>
      )}
      <AllMonths months={Months} />
      {open === "close" && Book && (
        <ConfirmAct
          line={calls.closeMonth}
          input={{ Month, DraftedAt: Book.DraftedAt }}
          title={t("office.monthEnd.closeTitle", { month: title(Month) })}
          text={t("office.monthEnd.closeText")}
          action={t("office.monthEnd.close")}
          onDone={({ InProgress }) => finish(InProgress ? "" : t("office.monthEnd.closed", { month: title(Month) }))}
          // What it was refused for shows on the page.
          onClose={() => finish()}
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

/** A job goes on when the page is left. */
function useRefresh(active: boolean) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = active ? setInterval(() => void revalidate(), refreshMs) : undefined;
    return () => clearInterval(timer);
  }, [active, revalidate]);
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
