import { Link, useLoaderData } from "react-router";
import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/campaigns/calls.ts";
import { leastMembers } from "#office/campaigns/results/welch.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { type Column, List } from "#office/screen/controls/list.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Select } from "#ui/form/select.tsx";

export const loadHoldOut = () => browserCall(calls.readHoldOut);
type Year = ResponseBody<typeof calls.readHoldOut>["Results"][number];
type Group = Year["Groups"][number];

/** The part of all members whom no campaign reaches for a year, and what all campaigns together have brought. */
export function HoldOut() {
  const { t } = useTexts();
  const { Role } = useSession();
  const { days, percent } = useFormats();
  const { Running, Results } = useLoaderData<typeof loadHoldOut>();
  const { open, setOpen, close, finish, status } = useDone<"start" | "end">();
  return (
    <>
      <PageHead title={t("office.holdOut.title")} note={t("office.holdOut.note")}>
        <Link className="button" to="/campaigns">
          {t("office.menu.campaigns")}
        </Link>
        {Role === "owner" && (
          <button type="button" className="button solid" onClick={() => setOpen(Running ? "end" : "start")}>
            {t(Running ? "office.campaigns.end" : "office.holdOut.start")}
          </button>
        )}
      </PageHead>
      {status}
      <section>
        <p>
          {Running
            ? t("office.holdOut.running", {
                percent: percent(Running.Percent / 100),
                days: days(Running.From, Running.Until),
              })
            : t("office.holdOut.none")}
        </p>
      </section>
      {Results.map((year) => (
        <Result key={year.From} year={year} />
      ))}
      {open === "start" && <StartPanel onDone={() => finish(t("office.holdOut.started"))} onClose={close} />}
      {open === "end" && (
        <ConfirmAct
          line={calls.endHoldOut}
          input={{}}
          title={t("office.holdOut.endTitle")}
          text={t("office.holdOut.endText")}
          action={t("office.campaigns.end")}
          onDone={() => finish(t("office.holdOut.ended"))}
          onClose={close}
        />
      )}
    </>
  );
}

function StartPanel({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.startHoldOut);
  const start = async (form: FormData) => {
    if (await act(form)) onDone();
  };
  return (
    <Panel title={t("office.holdOut.title")} note={t("office.holdOut.startNote")} onClose={onClose}>
      <PanelForm action={t("office.holdOut.start")} busy={busy} failure={failure} onSubmit={start} onClose={onClose}>
        <Select
          name="Percent"
          label={t("office.holdOut.percent")}
          options={["1", "2", "3", "4", "5"].map((percent) => [percent, percent])}
        />
      </PanelForm>
    </Panel>
  );
}

function Result({ year }: { year: Year }) {
  const { t, number } = useTexts();
  const { days } = useFormats();
  const exactMoney = useExactMoney();
  const nameOf = ({ Control }: Group) => t(Control ? "office.holdOut.title" : "office.holdOut.reached");
  const mean = ({ Mean }: Group) => exactMoney(amountOf(Math.round(Mean)));
  const columns: Column<Group>[] = [
    { heading: t("office.result.group"), value: nameOf },
    { heading: t("office.result.members"), number: true, value: ({ Members }) => Members },
    { heading: t("office.result.metric.revenue"), number: true, value: mean },
  ];
  return (
    <section>
      <h2>{days(year.From, year.Until)}</h2>
      <p className="banner">
        <Verdict year={year} />
      </p>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own server drew it, and escapes every text in it. */}
      {year.Chart && <div dangerouslySetInnerHTML={{ __html: year.Chart }} />}
      <List
        label={days(year.From, year.Until)}
        rows={year.Groups}
        columns={columns}
        empty=""
        csvName="hold-out.csv"
        row={(group) => (
          <tr key={nameOf(group)}>
            <td>{nameOf(group)}</td>
            <td className="number">{number(group.Members)}</td>
            <td className="number">{mean(group)}</td>
          </tr>
        )}
      />
    </section>
  );
}

/** What all campaigns together brought, and what to do. */
function Verdict({ year: { Difference, Verdict: verdict, CostPerMemberCents } }: { year: Year }) {
  const { t } = useTexts();
  const exactMoney = useExactMoney();
  const write = (cents: number) => exactMoney(amountOf(Math.round(cents)));
  if (!Difference || verdict === "too_few" || verdict === null)
    return t("office.holdOut.too_few", { least: leastMembers });
  const { Value, Low, High } = Difference;
  if (verdict === "unclear") return t("office.holdOut.same", { low: write(Low), high: write(High) });
  const cost = write(CostPerMemberCents ?? 0);
  return verdict === "more"
    ? t("office.holdOut.more", { value: write(Value), low: write(Low), high: write(High), cost })
    : t("office.holdOut.less", { value: write(-Value), low: write(-High), high: write(-Low) });
}
