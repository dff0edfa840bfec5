import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { ShownOnce } from "#office/screen/controls/shown-once.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { PageHead } from "#office/screen/page.tsx";
import * as calls from "#office/webhooks/calls.ts";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";
import { Deliveries } from "./deliveries.tsx";
import { AddPanel, EventsPanel } from "./endpoint-panels.tsx";
import { EndpointRow } from "./endpoint-row.tsx";
import type { loadWebhooks, Open } from "./webhooks.data.ts";

/** Where events are sent, and how each delivery went. */
export function Webhooks() {
  const { t } = useTexts();
  const { Endpoints, Deliveries: deliveries, NextCursor } = useLoaderData<typeof loadWebhooks>();
  const { open, setOpen, close, finish, status } = useDone<Open>();
  const show = ({ Secret: secret }: { Secret: string }) => setOpen({ form: "shown", secret });
  return (
    <>
      <PageHead title={t("office.menu.webhooks")} note={t("office.webhook.note")}>
        <button type="button" className="button solid" onClick={() => setOpen({ form: "add" })}>
          {t("office.webhook.add")}
        </button>
      </PageHead>
      {status}
      {Endpoints.length === 0 ? (
        <Empty>{t("office.webhook.none")}</Empty>
      ) : (
        <Table
          label={t("office.webhook.endpoints")}
          headings={[
            t("office.webhook.url"),
            t("office.webhook.events"),
            t("office.team.state"),
            { number: t("office.webhook.waiting") },
            { number: t("office.webhook.dead") },
          ]}
          actions={t("office.actions")}
        >
          {Endpoints.map((endpoint) => (
            <EndpointRow key={endpoint.IdEndpoint} endpoint={endpoint} onOpen={setOpen} onDone={finish} />
          ))}
        </Table>
      )}
      <Deliveries deliveries={deliveries} next={NextCursor} />
      {open?.form === "add" && <AddPanel onDone={show} onClose={close} />}
      {open?.form === "events" && <EventsPanel endpoint={open.endpoint} onDone={finish} onClose={close} />}
      {open?.form === "rotate" && (
        <ConfirmAct
          line={calls.rotateSecret}
          input={{ IdEndpoint: String(open.endpoint.IdEndpoint) }}
          title={t("office.webhook.rotate")}
          text={t("office.webhook.rotateText", { url: open.endpoint.Url })}
          action={t("office.webhook.rotateAction")}
          onDone={show}
          onClose={close}
        />
      )}
      {open?.form === "remove" && (
        <ConfirmAct
          line={calls.removeEndpoint}
          input={{ IdEndpoint: String(open.endpoint.IdEndpoint) }}
          title={t("office.webhook.removeTitle")}
          text={t("office.webhook.removeText", { url: open.endpoint.Url })}
          action={t("office.webhook.removeAction")}
          onDone={() => finish(t("office.webhook.removeDone"))}
          onClose={close}
        />
      )}
      {open?.form === "shown" && (
        <ShownOnce
          title={t("office.webhook.shownTitle")}
          note={t("office.webhook.shownText")}
          secret={open.secret}
          onClose={() => finish("")}
        />
      )}
    </>
  );
}
