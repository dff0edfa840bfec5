import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/month-end/calls.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { Field } from "#ui/form/field.tsx";

/** The expected redemption, while too few months are closed to compute it. */
export function RedemptionPanel(props: { month: string; percent: number; onDone: () => void; onClose: () => void }) {
  const { month, percent, onDone, onClose } = props;
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.chooseRedemption);
  const choose = async (form: FormData) => {
    form.set("Month", month);
    if (await act(form)) onDone();
  };
  return (
    <Panel title={t("office.monthEnd.redemptionChoose")} note={t("office.monthEnd.redemptionText")} onClose={onClose}>
      <PanelForm
        action={t("office.monthEnd.redemptionSave")}
        busy={busy}
        failure={failure}
        onSubmit={choose}
        onClose={onClose}
      >
        <Field
          name="Percent"
          label={t("office.monthEnd.percent")}
          inputMode="numeric"
          initial={String(percent)}
          autoComplete="off"
        />
      </PanelForm>
    </Panel>
  );
}
