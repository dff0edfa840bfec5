import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { Checkbox } from "#ui/form/field.tsx";
import { ReasonFields } from "./reason-fields.tsx";

/** Replaces a lost card: another number, and after a lost phone no pass or session of the one before. */
export function CardPanel({ record, onDone, onClose }: PanelProps) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.replaceCard);
  const submit = async (form: FormData) => {
    form.set("IdCustomer", String(record.IdCustomer));
    const answer = await act(form);
    if (answer) onDone(t("office.card.done", { number: answer.CardNumber }));
  };
  return (
    <Panel title={t("office.card.title")} note={`${record.Firstname} ${record.Lastname}`} onClose={onClose}>
      <PanelForm action={t("office.card.action")} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
        <p>{t("office.card.text", { number: record.CardNumber ?? "" })}</p>
        <Checkbox name="PhoneLost">
          {t("office.card.phoneLost")}
          <br />
          <span className="note">{t("office.card.phoneLostHint")}</span>
        </Checkbox>
        <ReasonFields first="request" />
      </PanelForm>
    </Panel>
  );
}
