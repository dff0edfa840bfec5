import { Link, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Pager } from "#office/screen/controls/pager.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { resend } from "#office/webhooks/calls.ts";
import { FormMessage } from "#ui/form/form.tsx";
import { answerOf, type Delivery, DeliveryPanel } from "./delivery-panel.tsx";

const shown = ["all", "failed", "waiting", "delivered", "stopped"] as const;

/** The log: what failed first. */
export function Deliveries({ deliveries, next }: { deliveries: readonly Delivery[]; next: string | null }) {
  const { t, locale } = useTexts();
  const [params] = useSearchParams();
  const { open, setOpen, close, finish, status } = useDone<Delivery>();
  const endpoint = params.get("endpoint");
  const show = params.get("show") ?? "all";
  const to = (chosen: string) => `?${new URLSearchParams({ ...(endpoint && { endpoint }), show: chosen })}`;
  const csv = new URLSearchParams({ ...(endpoint && { IdEndpoint: endpoint }), Show: show, LanguageIsoCode: locale });
  const { moment } = useFormats();
  return (
    <section aria-labelledby="deliveries">
      <div className="office-section">
        <h2 id="deliveries">{t("office.delivery.title")}</h2>
        <a className="office-link" href={`/api/office/webhook/delivery/csv?${csv}`} download>
          {t("office.csv")}
        </a>
      </div>
      <nav className="tabs" aria-label={t("office.show")}>
        {shown.map((one) => (
          <Link key={one} to={to(one)} aria-current={show === one ? "true" : undefined} preventScrollReset>
            {t(`office.shown.${one}`)}
          </Link>
        ))}
        {endpoint && <Link to={`?show=${show}`}>{t("office.delivery.everywhere")}</Link>}
      </nav>
      {status}
      <List
        label={t("office.delivery.title")}
        rows={deliveries}
        columns={[
          { heading: t("office.audit.when"), value: ({ EventAt }) => moment(EventAt), by: ({ EventAt }) => EventAt },
          { heading: t("office.delivery.event"), value: ({ Type, IdEvent }) => `${Type} evt_${IdEvent}` },
          { heading: t("office.webhook.url"), value: ({ Url }) => Url },
          { heading: t("office.team.state"), value: ({ State }) => t(`office.delivery.${State}`) },
          { heading: t("office.delivery.answer"), value: ({ Attempts }) => Attempts },
        ]}
        actions={t("office.actions")}
        empty={t("office.delivery.none")}
        paged={next !== null || params.has("cursor")}
        row={(delivery) => (
          <DeliveryRow key={delivery.IdDelivery} delivery={delivery} onOpen={setOpen} onDone={finish} />
        )}
      />
      <Pager next={next} />
      {open && <DeliveryPanel key={open.IdDelivery} delivery={open} onClose={close} />}
    </section>
  );
}

function DeliveryRow({
  delivery,
  onOpen,
  onDone,
}: {
  delivery: Delivery;
  onOpen: (delivery: Delivery) => void;
  onDone: (words: string) => void;
}) {
  const { t } = useTexts();
  const { day, time, moment } = useFormats();
  const { act, busy, failure } = useAct(resend);
  const tone = delivery.State === "delivered" ? "good" : delivery.State === "dead" ? "bad" : "soft";
  const again = async () => {
    if (await act({ IdDelivery: String(delivery.IdDelivery) })) onDone(t("office.delivery.resendDone"));
  };
  const name = `${delivery.Type} ${delivery.IdEvent}`;
  return (
    <tr>
      <td className="line">
        {day(delivery.EventAt)}
        <br />
        <span className="note">{time(delivery.EventAt)}</span>
      </td>
      <td>
        {delivery.Type}
        <br />
        <span className="note">evt_{delivery.IdEvent}</span>
      </td>
      <td className="wrap">{delivery.Url}</td>
      <td>
        <Label tone={delivery.Failed && delivery.State === "waiting" ? "gold" : tone}>
          {t(`office.delivery.${delivery.State}`)}
        </Label>
        {delivery.Failed && delivery.NextAt && (
          <>
            <br />
            <span className="note">{t("office.delivery.next", { moment: moment(delivery.NextAt) })}</span>
          </>
        )}
      </td>
      <td className="line">
        {delivery.TriedAt && answerOf(delivery)}
        {delivery.Attempts > 0 && (
          <>
            <br />
            <span className="note">{t("office.delivery.attempts", { count: delivery.Attempts })}</span>
          </>
        )}
        <FormMessage failure={failure} />
      </td>
      <td className="buttons">
        <span className="row">
          <RowAction label={t("office.audit.details")} of={name} onClick={() => onOpen(delivery)} />
          <RowAction label={t("office.delivery.resend")} of={name} disabled={busy} onClick={again} />
        </span>
      </td>
    </tr>
  );
}
