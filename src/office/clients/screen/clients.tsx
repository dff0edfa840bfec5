import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/clients/calls.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { ShownOnce } from "#office/screen/controls/shown-once.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Empty } from "#ui/empty.tsx";
import { Field } from "#ui/form/field.tsx";
import { Table } from "#ui/table.tsx";

export const loadClients = () => browserCall(calls.listClients);

type Client = ResponseBody<typeof calls.listClients>["Clients"][number];
type Open =
  | { form: "add" }
  | { form: "rotate" | "disable"; client: Client }
  | { form: "shown"; id: string; secret: string | null };

/** Web shops and apps at which customers sign in with their account here. */
export function Clients() {
  const { t } = useTexts();
  const { dayOfYear } = useFormats();
  const { Clients: clients } = useLoaderData<typeof loadClients>();
  const { open, setOpen, close, finish, status } = useDone<Open>();
  return (
    <>
      <PageHead title={t("office.menu.clients")} note={t("office.client.note")}>
        <button type="button" className="button solid" onClick={() => setOpen({ form: "add" })}>
          {t("office.client.add")}
        </button>
      </PageHead>
      {status}
      {clients.length === 0 ? (
        <Empty>{t("office.client.none")}</Empty>
      ) : (
        <Table
          label={t("office.menu.clients")}
          headings={[
            t("office.client.name"),
            t("office.client.uris"),
            t("office.client.since"),
            t("office.team.state"),
          ]}
          actions={t("office.actions")}
        >
          {clients.map((client) => (
            <tr key={client.IdClient}>
              <td>
                {client.Name}
                <br />
                <span className="note">{client.IdClient}</span>
              </td>
              <td>{client.RedirectUris.join(", ")}</td>
              <td>{dayOfYear(client.CreatedAt)}</td>
              <td>
                <Label tone={client.DisabledAt ? "bad" : "good"}>
                  {t(client.DisabledAt ? "office.client.disabled" : "office.client.active")}
                </Label>
              </td>
              <td className="buttons">
                <span className="row many">
                  {!client.DisabledAt && !client.Public && (
                    <RowAction
                      label={t("office.client.rotate")}
                      of={client.Name}
                      onClick={() => setOpen({ form: "rotate", client })}
                    />
                  )}
                  {!client.DisabledAt && (
                    <RowAction
                      label={t("office.client.disable")}
                      of={client.Name}
                      bad
                      onClick={() => setOpen({ form: "disable", client })}
                    />
                  )}
                </span>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {open?.form === "add" && (
        <AddPanel
          onDone={({ IdClient: id, Secret: secret }) => setOpen({ form: "shown", id, secret })}
          onClose={close}
        />
      )}
      {open?.form === "rotate" && (
        <ConfirmAct
          line={calls.rotateClient}
          input={{ IdClient: open.client.IdClient }}
          title={t("office.client.rotate")}
          text={t("office.client.rotateText", { name: open.client.Name })}
          action={t("office.client.rotate")}
          onDone={({ Secret: secret }) => setOpen({ form: "shown", id: open.client.IdClient, secret })}
          onClose={close}
        />
      )}
      {open?.form === "disable" && (
        <ConfirmAct
          line={calls.disableClient}
          input={{ IdClient: open.client.IdClient }}
          title={t("office.client.disable")}
          text={t("office.client.disableText", { name: open.client.Name })}
          action={t("office.client.disable")}
          onDone={() => finish(t("office.client.disableDone"))}
          onClose={close}
        />
      )}
      {open?.form === "shown" && (
        <ShownOnce
          title={t("office.client.shownTitle", { id: open.id })}
          note={t(open.secret === null ? "office.client.shownPublic" : "office.client.shownText")}
          secret={open.secret ?? open.id}
          onClose={() => finish("")}
        />
      )}
    </>
  );
}

function AddPanel(props: { onDone: (made: ResponseBody<typeof calls.addClient>) => void; onClose: () => void }) {
  const { onDone, onClose } = props;
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.addClient);
  const add = async (form: FormData) => {
    // What was left empty is not sent: an empty address would be refused.
    for (const name of ["LogoutUris", "BackChannelLogoutUri"]) if (!form.get(name)) form.delete(name);
    const made = await act(form);
    if (made) onDone(made);
  };
  return (
    <Panel title={t("office.client.add")} note={t("office.client.addText")} onClose={onClose}>
      <PanelForm action={t("office.client.addAction")} busy={busy} failure={failure} onSubmit={add} onClose={onClose}>
        <Field name="Name" label={t("office.client.name")} autoComplete="off" />
        <Field
          name="RedirectUris"
          label={t("office.client.uris")}
          placeholder="https://"
          autoComplete="off"
          hint={t("office.client.urisHint")}
        />
        <Field name="LogoutUris" label={t("office.client.logoutUris")} autoComplete="off" optional />
        <Field
          name="BackChannelLogoutUri"
          label={t("office.client.backChannel")}
          autoComplete="off"
          hint={t("office.client.backChannelHint")}
          optional
        />
        <label className="office-check">
          <input type="checkbox" name="FirstParty" value="true" />
          {t("office.client.firstParty")}
        </label>
        <label className="office-check">
          <input type="checkbox" name="Public" value="true" />
          {t("office.client.public")}
        </label>
      </PanelForm>
    </Panel>
  );
}
