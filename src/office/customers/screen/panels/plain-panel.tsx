import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { saveFile } from "#office/screen/controls/save-file.ts";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { ReasonFields } from "./reason-fields.tsx";

const lines = {
  block: calls.blockCustomer,
  unblock: calls.unblockCustomer,
  sessions: calls.endSessions,
  export: calls.exportCustomer,
  erase: calls.eraseCustomer,
} as const;
export type PlainAction = keyof typeof lines;

/** An action that needs nothing but its reason. */
export function PlainPanel({ action, record, onDone, onClose }: PanelProps & { action: PlainAction }) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(lines[action]);
  const submit = async (form: FormData) => {
    form.set("IdCustomer", String(record.IdCustomer));
    const answer = await act(form);
    if (!answer) return;
    if (action === "export")
      saveFile(
        new Blob([JSON.stringify(answer, null, 2)], { type: "application/json" }),
        `customer-${record.IdCustomer}.json`,
      );
    onDone(t(`office.doDone.${action}`));
  };
  return (
    <Panel title={t(`office.do.${action}`)} note={`${record.Firstname} ${record.Lastname}`} onClose={onClose}>
      <PanelForm
        action={t(action === "erase" ? "office.doAsk.erase" : `office.do.${action}`)}
        busy={busy}
        failure={failure}
        onSubmit={submit}
        onClose={onClose}
      >
        <p>{t(`office.doText.${action}`)}</p>
        <ReasonFields first={action === "block" ? "fraud" : "request"} />
      </PanelForm>
    </Panel>
  );
}
