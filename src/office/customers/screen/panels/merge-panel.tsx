import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";
import { MergePlan, type PlannedMerge } from "./merge-plan.tsx";
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
  const choose = async (id: number) => {
    setOther(id);
    setPlanned(await read(() => browserCall(calls.previewMerge, { IdCustomer: record.IdCustomer, IdOther: id })));
  };
  const submit = async (form: FormData) => {
    if (!planned || other === undefined) return find();
    form.set("IdCustomer", String(record.IdCustomer));
    form.set("IdOther", String(other));
    if (await act(form)) onDone(t("office.merge.asked"));
  };
  return (
    <Panel title={t("office.do.merge")} note={`${record.Firstname} ${record.Lastname}`} onClose={onClose}>
      <PanelForm
        action={t(planned ? "office.merge.action" : "office.merge.find")}
        busy={busy}
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
                <input type="radio" name="other" checked={other === IdCustomer} onChange={() => choose(IdCustomer)} />
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
        {planned && <MergePlan planned={planned} />}
        {planned && <ReasonFields first="request" />}
      </PanelForm>
    </Panel>
  );
}
