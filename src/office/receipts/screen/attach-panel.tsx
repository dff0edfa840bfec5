import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { findCustomers } from "#office/customers/calls.ts";
import { ReasonFields } from "#office/customers/screen/panels/reason-fields.tsx";
import * as calls from "#office/receipts/calls.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";

type Receipt = ResponseBody<typeof calls.readReceipt>;
type Found = ResponseBody<typeof findCustomers>["Customers"];

/** Finds the member whose receipt it is, and gives it to them. */
export function AttachPanel({
  receipt,
  onDone,
  onClose,
}: {
  receipt: Receipt;
  onDone: (words: string) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.attachReceipt);
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Found>();
  const [chosen, setChosen] = useState<number>();
  const [notRead, setNotRead] = useState<Failure>();
  const find = async () => {
    setChosen(undefined);
    setNotRead(undefined);
    const answer = await browserCall(findCustomers, { Search: words }).catch((error: unknown) => {
      const failed = failureOf(error);
      setNotRead({ ...failed, detail: failed.detail ?? t("office.network") });
    });
    setFound(answer?.Customers.filter(({ State }) => State === "member").slice(0, 5));
  };
  const submit = async (form: FormData) => {
    if (chosen === undefined) return find();
    form.set("IdCustomer", String(chosen));
    form.set("IdShop", String(receipt.IdShop));
    form.set("ReceiptNumber", receipt.ReceiptNumber);
    const answer = await act(form);
    if (answer)
      onDone(t(answer.Waiting ? "office.receipt.attachedWaits" : "office.receipt.attached", { points: answer.Earned }));
  };
  return (
    <Panel title={t("office.receipt.attach")} note={receipt.ReceiptNumber} onClose={onClose}>
      <PanelForm
        action={t(chosen === undefined ? "office.merge.find" : "office.receipt.attachAction")}
        busy={busy}
        failure={failure ?? notRead}
        onSubmit={submit}
        onClose={onClose}
      >
        <p>{t("office.receipt.attachText")}</p>
        <Field
          name="search"
          label={t("office.receipt.customer")}
          hint={t("office.search")}
          autoComplete="off"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setChosen(undefined);
          }}
        />
        {found?.length === 0 && <p className="note">{t("office.receipt.noMember")}</p>}
        {found && found.length > 0 && (
          <fieldset className="office-found">
            <legend className="sr-only">{t("office.receipt.customer")}</legend>
            {found.map(({ IdCustomer, Firstname, Lastname, Email, CardNumber }) => (
              <label key={IdCustomer}>
                <input
                  type="radio"
                  name="member"
                  checked={chosen === IdCustomer}
                  onChange={() => setChosen(IdCustomer)}
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
        {chosen !== undefined && <ReasonFields first="request" />}
      </PanelForm>
    </Panel>
  );
}
