import { Link, useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { useAsked } from "#office/customers/screen/approvals/use-asked.ts";
import { ActionPanel, type PanelName, panelsOf } from "#office/customers/screen/panels/action-panel.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { Drape } from "#ui/fabric/drape.tsx";
import { fabricOf } from "#ui/fabric/fabric.tsx";
import type { CustomerRecord, loadCustomer } from "./customer.data.ts";
import { Facts } from "./facts.tsx";
import { Summary } from "./summary.tsx";
import { Timeline } from "./timeline.tsx";

/** One customer: who, what they have, and everything that happened. */
export function CustomerPage() {
  const { t } = useTexts();
  const { record, timeline } = useLoaderData<typeof loadCustomer>();
  const { dayOfYear } = useFormats();
  const asked = useAsked();
  const { open: panel, setOpen: setPanel, close, finish, status } = useDone<PanelName>();
  const { Firstname, Lastname, Tier, BlockedAt, Requests } = record;
  return (
    <>
      <div className="office-person">
        <span className="cloth-square">
          {Tier && <Drape name={`${fabricOf(Tier.Rank)}-square`} own={`square-${Tier.Rank}`} />}
        </span>
        <PageHead title={`${Firstname} ${Lastname}`.trim() || record.Email} note={<Standing record={record} />}>
          {!panel && record.State === "member" && (
            <button type="button" className="button solid" onClick={() => setPanel("points")}>
              {t("office.adjust.title")}
            </button>
          )}
          <OtherActions record={record} onChoose={setPanel} />
        </PageHead>
      </div>
      {status}
      {BlockedAt && <p className="banner bad">{t("office.customer.blockedSince", { date: dayOfYear(BlockedAt) })}</p>}
      {Requests.map((request) => (
        <p key={request.IdRequest} className="banner">
          {t("office.customer.waiting", { name: request.AskedBy, what: asked(request) })}{" "}
          <Link to="/approvals">{t("office.customer.seeRequests")}</Link>
        </p>
      ))}
      <Summary record={record} />
      <div className="office-record">
        <Facts record={record} />
        <Timeline {...timeline} />
      </div>
      {panel && <ActionPanel key={panel} name={panel} record={record} onDone={finish} onClose={close} />}
    </>
  );
}

/** Status, card and since when, in one line. */
function Standing({ record }: { record: CustomerRecord }) {
  const { t, date } = useTexts();
  const { Tier, CardNumber, MemberSince, State } = record;
  const words = [
    Tier && (Tier.Until ? t("office.customer.tierUntil", { tier: Tier.Name, date: date(Tier.Until) }) : Tier.Name),
    State === "left" && t("office.customers.left"),
    State === "none" && t("office.customers.outside"),
    CardNumber && t("office.customer.cardNumber", { number: CardNumber }),
    MemberSince && State === "member" && t("office.customer.memberSince", { date: date(MemberSince) }),
  ];
  return words.filter(Boolean).join(" · ");
}

function OtherActions({ record, onChoose }: { record: CustomerRecord; onChoose: (name: PanelName) => void }) {
  const { t } = useTexts();
  return (
    <details
      className="office-actions"
      onClick={(event) => {
        if (event.target instanceof HTMLButtonElement) event.currentTarget.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.open = false;
      }}
    >
      <summary className="button">{t("office.customer.more")}</summary>
      <div>
        {panelsOf(record).map(([name, text]) => (
          <button key={name} type="button" onClick={() => onChoose(name)}>
            {t(text)}
          </button>
        ))}
      </div>
    </details>
  );
}
