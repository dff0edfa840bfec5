import { useLoaderData } from "react-router";
import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/campaigns/calls.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";
import { CampaignPanel } from "./campaign-panel.tsx";

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
  const { t, locale } = useTexts();
  const page = useLoaderData<typeof loadCampaigns>();
  const { open, setOpen, close, finish, status } = useDone<Open>();
  const wordsOf = useWords();
  const { Campaigns: campaigns } = page;
  return (
    <>
      <PageHead title={t("office.menu.campaigns")} note={t("office.campaigns.note")}>
        <button type="button" className="button solid" onClick={() => setOpen({ form: "add" })}>
          {t("office.campaigns.add")}
        </button>
      </PageHead>
      {status}
      {campaigns.length === 0 ? (
        <Empty>{t("office.campaigns.none")}</Empty>
      ) : (
        <Table
          label={t("office.menu.campaigns")}
          headings={[
            t("office.campaigns.name"),
            t("office.campaigns.gives"),
            t("office.campaigns.for"),
            t("office.campaigns.when"),
            { number: t("office.campaigns.sales") },
            { number: t("office.campaigns.points") },
            { number: t("office.campaigns.cost") },
          ]}
          actions={t("office.actions")}
        >
          {campaigns.map((campaign) => (
            <Row key={campaign.IdCampaign} campaign={campaign} onChoose={(form) => setOpen({ form, campaign })} />
          ))}
        </Table>
      )}
      {open?.form === "add" && (
        <CampaignPanel page={page} onDone={() => finish(t("office.campaigns.added"))} onClose={close} />
      )}
      {open?.form === "approve" && (
        <ConfirmAct
          line={calls.approveCampaign}
          input={{ IdCampaign: String(open.campaign.IdCampaign) }}
          title={t("office.campaigns.approveTitle", { name: open.campaign.Name[locale] })}
          text={t("office.campaigns.approveText", {
            name: open.campaign.AddedBy,
            what: Object.values(wordsOf(open.campaign)).filter(Boolean).join(", "),
          })}
          action={t("office.approvals.approve")}
          onDone={() => finish(t("office.campaigns.approved"))}
          onClose={close}
        />
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

/** What a campaign gives, to whom and when. */
function useWords() {
  const { t, money, number } = useTexts();
  const { days } = useFormats();
  return ({ Multiplier, ExtraPoints, MinimumAmount, TierName, ShopName, IdleMonths, StartsAt, EndsAt }: Campaign) => {
    const whom = [
      TierName && t("office.campaigns.tier", { name: TierName }),
      ShopName,
      IdleMonths && t("office.campaigns.idle", { count: IdleMonths }),
    ].filter(Boolean);
    return {
      gives:
        Multiplier === null
          ? t("office.campaigns.extra", { count: ExtraPoints ?? 0 })
          : t("office.campaigns.times", { times: number(Multiplier) }),
      least: MinimumAmount && t("office.campaigns.minimum", { amount: money(MinimumAmount.Amount) }),
      whom: whom.length > 0 ? whom.join(", ") : t("office.campaigns.everybody"),
      when: days(StartsAt, EndsAt),
    };
  };
}

function Row({ campaign, onChoose }: { campaign: Campaign; onChoose: (form: Action) => void }) {
  const { t, locale, number } = useTexts();
  const exactMoney = useExactMoney();
  const { State } = campaign;
  const name = campaign.Name[locale];
  const { gives, least, whom, when } = useWords()(campaign);
  const past = State === "over" || State === "refused" || State === "withdrawn";
  return (
    <tr className={past ? "past" : undefined}>
      <td>
        {name} <Label tone={tones[State]}>{t(`office.campaigns.${State}`)}</Label>
        <br />
        <span className="note">{campaign.Text[locale]}</span>
      </td>
      <td className="nowrap">
        {gives}
        {least && (
          <>
            <br />
            <span className="note">{least}</span>
          </>
        )}
      </td>
      <td>{whom}</td>
      <td className="nowrap">{when}</td>
      <td className="number">{number(campaign.Sales)}</td>
      <td className="number">{number(campaign.Points)}</td>
      <td className="number">{exactMoney(amountOf(campaign.Cents))}</td>
      <td className="buttons">
        <span className="row">
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
