import { Fragment } from "react";
import { Link, useLoaderData } from "react-router";
import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/campaigns/calls.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { type Column, List } from "#office/screen/controls/list.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { PageHead } from "#office/screen/page.tsx";
import { SegmentWords } from "#office/segments/screen/segment-words.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { CampaignPanel } from "./campaign-panel.tsx";
import { useCampaignWords, usePriceWords } from "./use-campaign-words.ts";

export const loadCampaigns = () => browserCall(calls.listCampaigns);
type Campaign = ResponseBody<typeof calls.listCampaigns>["Campaigns"][number];
type Action = "approve" | "refuse" | "withdraw" | "end";
type Open = { form: "add" } | { form: Action; campaign: Campaign };

const tones = {
  waiting: "gold",
  planned: "gold",
  running: "good",
  over: "soft",
  refused: "soft",
  withdrawn: "soft",
} as const;

/** Campaigns, with what each has cost so far. */
export function Campaigns() {
  const { t, locale, number } = useTexts();
  const exactMoney = useExactMoney();
  const page = useLoaderData<typeof loadCampaigns>();
  const { open, setOpen, close, finish, status } = useDone<Open>();
  const wordsOf = useCampaignWords();
  const priceOf = usePriceWords();
  const { Campaigns: campaigns } = page;
  const columns: Column<Campaign>[] = [
    { heading: t("office.campaigns.name"), value: ({ Name }) => Name[locale] },
    { heading: t("office.campaigns.gives"), value: (campaign) => wordsOf(campaign).gives },
    { heading: t("office.campaigns.for"), value: (campaign) => wordsOf(campaign).whom },
    {
      heading: t("office.campaigns.when"),
      value: (campaign) => wordsOf(campaign).when,
      by: ({ StartsAt }) => StartsAt,
    },
    {
      heading: t("office.campaigns.sales"),
      number: true,
      value: ({ Sales }) => Sales,
      total: (rows) => number(rows.reduce((sum, { Sales }) => sum + Sales, 0)),
    },
    {
      heading: t("office.campaigns.points"),
      number: true,
      value: ({ Points }) => Points,
      total: (rows) => number(rows.reduce((sum, { Points }) => sum + Points, 0)),
    },
    {
      heading: t("office.campaigns.cost"),
      number: true,
      value: ({ Cents }) => Number(amountOf(Cents)),
      total: (rows) => exactMoney(amountOf(rows.reduce((sum, { Cents }) => sum + Cents, 0))),
    },
  ];
  return (
    <>
      <PageHead title={t("office.menu.campaigns")} note={t("office.campaigns.note")}>
        <Link className="button" to="/hold-out">
          {t("office.holdOut.title")}
        </Link>
        <button type="button" className="button solid" onClick={() => setOpen({ form: "add" })}>
          {t("office.campaigns.add")}
        </button>
      </PageHead>
      {status}
      <List
        label={t("office.menu.campaigns")}
        rows={campaigns}
        columns={columns}
        actions={t("office.actions")}
        empty={t("office.campaigns.none")}
        csvName="campaigns.csv"
        row={(campaign) => (
          <Row key={campaign.IdCampaign} campaign={campaign} onChoose={(form) => setOpen({ form, campaign })} />
        )}
      />
      {open?.form === "add" && (
        <CampaignPanel page={page} onDone={() => finish(t("office.campaigns.added"))} onClose={close} />
      )}
      {open?.form === "approve" && (
        <ConfirmAct
          line={calls.approveCampaign}
          input={{ IdCampaign: String(open.campaign.IdCampaign) }}
          title={t("office.campaigns.approveTitle", { name: open.campaign.Name[locale] })}
          text={[
            t("office.campaigns.approveText", {
              name: open.campaign.AddedBy,
              what: Object.values(wordsOf(open.campaign)).filter(Boolean).join(", "),
            }),
            priceOf(open.campaign),
          ].join(" ")}
          action={t("office.approvals.approve")}
          onDone={() => finish(t("office.campaigns.approved"))}
          onClose={close}
        >
          {open.campaign.SegmentDefinition && (
            <section>
              <h3>{open.campaign.SegmentName}</h3>
              <SegmentWords
                segment={open.campaign.SegmentDefinition}
                choices={{
                  ...page,
                  Codes: page.LineCodes.map(({ code, name }) => ({ Code: code, Name: name[locale] ?? code })),
                }}
              />
            </section>
          )}
        </ConfirmAct>
      )}
      {(open?.form === "refuse" || open?.form === "withdraw") && (
        <ConfirmAct
          line={calls.endCampaign}
          input={{ IdCampaign: String(open.campaign.IdCampaign) }}
          title={t(`office.campaigns.${open.form}Title`, { name: open.campaign.Name[locale] })}
          text={t("office.campaigns.neverText")}
          action={t(open.form === "refuse" ? "office.approvals.decline" : "office.campaigns.withdraw")}
          onDone={() =>
            finish(t(open.form === "refuse" ? "office.campaigns.refuseDone" : "office.campaigns.withdrawDone"))
          }
          onClose={close}
        />
      )}
      {open?.form === "end" && (
        <ConfirmAct
          line={calls.endCampaign}
          input={{ IdCampaign: String(open.campaign.IdCampaign) }}
          title={t("office.campaigns.endTitle", { name: open.campaign.Name[locale] })}
          text={t("office.campaigns.endText")}
          action={t("office.campaigns.end")}
          onDone={() => finish(t("office.campaigns.ended"))}
          onClose={close}
        />
      )}
    </>
  );
}

function Row({ campaign, onChoose }: { campaign: Campaign; onChoose: (form: Action) => void }) {
  const { t, locale, number } = useTexts();
  const exactMoney = useExactMoney();
  const { State } = campaign;
  const name = campaign.Name[locale];
  const { gives, whom, when, hours, ...notes } = useCampaignWords()(campaign);
  const price = usePriceWords()(campaign);
  const past = State === "over" || State === "refused" || State === "withdrawn";
  return (
    <tr className={past ? "past" : undefined}>
      <td>
        {name} <Label tone={tones[State]}>{t(`office.campaigns.${State}`)}</Label>
        <br />
        <span className="note">{campaign.Text[locale]}</span>
      </td>
      <td>
        <span className="office-phrase">{gives}</span>
        {Object.values(notes)
          .filter(Boolean)
          .map((words) => (
            <Fragment key={words}>
              <br />
              <span className="note">{words}</span>
            </Fragment>
          ))}
        {(State === "waiting" || State === "planned") && (
          <>
            <br />
            <span className="note">{price}</span>
          </>
        )}
      </td>
      <td>{whom}</td>
      <td>
        <span className="office-phrase">{when}</span>
        {hours && (
          <>
            <br />
            <span className="note">{hours}</span>
          </>
        )}
      </td>
      <td className="number">{number(campaign.Sales)}</td>
      <td className="number">{number(campaign.Points)}</td>
      <td className="number">{exactMoney(amountOf(campaign.Cents))}</td>
      <td className="buttons">
        <span className="row office-phrase">
          {campaign.ControlPercent > 0 && ["planned", "running", "over"].includes(State) && (
            <Link to={`/campaign?id=${campaign.IdCampaign}`}>{t("office.campaigns.result")}</Link>
          )}
          {State === "waiting" && !campaign.Mine && (
            <>
              <RowAction label={t("office.approvals.approve")} of={name} onClick={() => onChoose("approve")} />
              <RowAction label={t("office.approvals.decline")} of={name} onClick={() => onChoose("refuse")} />
            </>
          )}
          {State === "waiting" && campaign.Mine && (
            <RowAction label={t("office.campaigns.withdraw")} of={name} onClick={() => onChoose("withdraw")} />
          )}
          {!past && State !== "waiting" && (
            <RowAction label={t("office.campaigns.end")} of={name} onClick={() => onChoose("end")} />
          )}
        </span>
      </td>
    </tr>
  );
}
