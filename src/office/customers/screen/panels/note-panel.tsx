import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { TextArea } from "#ui/form/select.tsx";

/** A note about the customer, which the team reads. */
export function NotePanel({ record, onDone, onClose }: PanelProps) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.addNote);
  const submit = async (form: FormData) => {
    form.set("IdCustomer", String(record.IdCustomer));
    if (await act(form)) onDone(t("office.addNote.done"));
  };
  return (
    <Panel title={t("office.addNote.title")} note={`${record.Firstname} ${record.Lastname}`} onClose={onClose}>
      <PanelForm action={t("office.addNote.action")} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
        <TextArea name="Note" label={t("office.note")} rows={5} maxLength={500} />
        <p className="note">{t("office.addNote.text")}</p>
      </PanelForm>
    </Panel>
  );
}
