import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import * as calls from "#office/webhooks/calls.ts";
import { eventTypes } from "#shop/webhooks/event-types.ts";
import { Field } from "#ui/form/field.tsx";
import type { Endpoint } from "./webhooks.data.ts";

/** The form's chosen events as the call takes them: absent for every one, a space for none, which is refused. */
const eventsOf = (form: FormData) => (form.get("All") ? {} : { Events: form.getAll("Event").join(",") || " " });

/** A new place to send events to. */
export function AddPanel({ onDone, onClose }: { onDone: (made: { Secret: string }) => void; onClose: () => void }) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.addEndpoint);
  const add = async (form: FormData) => {
    const fields = { Url: String(form.get("Url")), OwnerEmail: String(form.get("OwnerEmail")) };
    const made = await act({ ...fields, ...eventsOf(form) });
    if (made) onDone(made);
  };
  return (
    <Panel title={t("office.webhook.add")} note={t("office.webhook.addText")} onClose={onClose}>
      <PanelForm action={t("office.webhook.addAction")} busy={busy} failure={failure} onSubmit={add} onClose={onClose}>
        <Field
          name="Url"
          type="url"
          label={t("office.webhook.url")}
          placeholder="https://"
          autoComplete="off"
          hint={t("office.webhook.urlHint")}
        />
        <Field
          name="OwnerEmail"
          type="email"
          label={t("office.webhook.owner")}
          autoComplete="off"
          hint={t("office.webhook.ownerHint")}
        />
        <EventChoice chosen={null} error={failure?.fields["Events"]} />
      </PanelForm>
    </Panel>
  );
}

/** Which events an endpoint is sent. */
export function EventsPanel({
  endpoint,
  onDone,
  onClose,
}: {
  endpoint: Endpoint;
  onDone: (words: string) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.chooseEvents);
  const choose = async (form: FormData) => {
    if (await act({ IdEndpoint: String(endpoint.IdEndpoint), ...eventsOf(form) }))
      onDone(t("office.webhook.eventsDone"));
  };
  return (
    <Panel title={t("office.webhook.events")} note={endpoint.Url} onClose={onClose}>
      <PanelForm
        action={t("office.webhook.eventsAction")}
        busy={busy}
        failure={failure}
        onSubmit={choose}
        onClose={onClose}
      >
        <EventChoice chosen={endpoint.Events} error={failure?.fields["Events"]} />
      </PanelForm>
    </Panel>
  );
}

function EventChoice({ chosen, error }: { chosen: readonly string[] | null; error: string | undefined }) {
  const { t } = useTexts();
  const [all, setAll] = useState(chosen === null);
  return (
    <fieldset className="office-checks">
      <legend className="note">{t("office.webhook.events")}</legend>
      <label className="office-check">
        <input type="checkbox" name="All" checked={all} onChange={(event) => setAll(event.target.checked)} />
        {t("office.webhook.allEvents")}
      </label>
      {!all &&
        eventTypes.map((type) => (
          <label key={type} className="office-check">
            <input type="checkbox" name="Event" value={type} defaultChecked={chosen?.includes(type)} />
            {type}
          </label>
        ))}
      {error && <p className="message">{error}</p>}
    </fieldset>
  );
}
