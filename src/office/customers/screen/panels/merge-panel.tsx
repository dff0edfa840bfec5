import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import type { MergeChoices } from "#office/customers/choices.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { FindCustomer, useFindCustomer } from "#office/customers/screen/find-customer.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import { fieldsOf, MergeFields, MergePlan, type PlannedMerge } from "./merge-plan.tsx";
import { ReasonFields } from "./reason-fields.tsx";

/** Finds the other account, shows what the merge would do, and asks for it. */
export function MergePanel({ record, onDone, onClose }: PanelProps) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.mergeCustomers);
  const search = useFindCustomer(({ IdCustomer }) => IdCustomer !== record.IdCustomer);
  const [other, setOther] = useState<number>();
  const [planned, setPlanned] = useState<PlannedMerge>();
  const [choices, setChoices] = useState<Partial<MergeChoices>>({});
  const [reading, setReading] = useState(false);

  const find = () => {
    setOther(undefined);
    setPlanned(undefined);
    return search.find();
  };
  const preview = async (id: number, chosen: Partial<MergeChoices>) => {
    setOther(id);
    setChoices(chosen);
    setReading(true);
    const pair = { IdCustomer: record.IdCustomer, IdOther: id };
    setPlanned(await search.read(() => browserCall(calls.previewMerge, { ...pair, ...fieldsOf(chosen) })));
    setReading(false);
  };
  const submit = async (form: FormData) => {
    if (!planned || other === undefined) return find();
    form.set("IdCustomer", String(record.IdCustomer));
    form.set("IdOther", String(other));
    // What was shown, also of the fields in which the two do not differ.
    for (const { Field, From } of planned.Fields) form.set(`${Field}From`, From);
    if (await act(form)) onDone(t("office.merge.asked"));
  };
  return (
    <Panel title={t("office.do.merge")} note={`${record.Firstname} ${record.Lastname}`} onClose={onClose}>
      <PanelForm
        action={t(planned ? "office.merge.action" : "office.merge.find")}
        busy={busy || reading}
        failure={failure ?? search.failure}
        onSubmit={submit}
        onClose={onClose}
      >
        <p>{t("office.merge.text")}</p>
        <FindCustomer
          search={search}
          label={t("office.merge.other")}
          none={t("office.merge.nobody")}
          chosen={other}
          onType={() => setPlanned(undefined)}
          onChoose={(id) => preview(id, {})}
        />
        {planned && other !== undefined && (
          <MergeFields
            planned={planned}
            choices={choices}
            onChoose={(field, from) => preview(other, { ...choices, [field]: from })}
          />
        )}
        {planned && <MergePlan planned={planned} />}
        {planned && <ReasonFields first="request" />}
      </PanelForm>
    </Panel>
  );
}
