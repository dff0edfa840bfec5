import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import type { MergeChoices } from "#office/customers/choices.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";
import { fieldsOf, MergeFields, MergePlan, type PlannedMerge } from "./merge-plan.tsx";
import { ReasonFields } from "./reason-fields.tsx";

type Found = ResponseBody<typeof calls.findCustomers>["Customers"];

/** Finds the other account, shows what the merge would do, and asks for it. */
export function MergePanel({ record, onDone, onClose }: PanelProps) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.mergeCustomers);
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Found>();
  const [other, setOther] = useState<number>();
  const [planned, setPlanned] = useState<PlannedMerge>();
  const [choices, setChoices] = useState<Partial<MergeChoices>>({});
  const [reading, setReading] = useState(false);
  const [notRead, setNotRead] = useState<Failure>();

  const read = async <T,>(call: () => Promise<T>): Promise<T | undefined> => {
    setNotRead(undefined);
    return call().catch((error: unknown) => {
      const failed = failureOf(error);
      setNotRead({ ...failed, detail: failed.detail ?? t("office.network") });
      return undefined;
    });
  };
  const find = async () => {
    setOther(undefined);
    setPlanned(undefined);
    const answer = await read(() => browserCall(calls.findCustomers, { Search: words }));
    setFound(answer?.Customers.filter(({ IdCustomer }) => IdCustomer !== record.IdCustomer).slice(0, 5));
  };
  const preview = async (id: number, chosen: Partial<MergeChoices>) => {
    setOther(id);
    setChoices(chosen);
    setReading(true);
    const pair = { IdCustomer: record.IdCustomer, IdOther: id };
    setPlanned(await read(() => browserCall(calls.previewMerge, { ...pair, ...fieldsOf(chosen) })));
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
        failure={failure ?? notRead}
        onSubmit={submit}
        onClose={onClose}
      >
        <p>{t("office.merge.text")}</p>
        <Field
          name="search"
          label={t("office.merge.other")}
          hint={t("office.search")}
          autoComplete="off"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setPlanned(undefined);
          }}
        />
        {found?.length === 0 && <p className="note">{t("office.merge.nobody")}</p>}
        {found && found.length > 0 && (
          <fieldset className="office-found">
            <legend className="sr-only">{t("office.merge.other")}</legend>
            {found.map(({ IdCustomer, Firstname, Lastname, Email, CardNumber }) => (
              <label key={IdCustomer}>
                <input
                  type="radio"
                  name="other"
                  checked={other === IdCustomer}
                  onChange={() => preview(IdCustomer, {})}
                />
                <span>
                  {Firstname} {Lastname}
                  <br />
                  <span className="note">
                    {Email}
                    {CardNumber && `, ${CardNumber}`}
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
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
