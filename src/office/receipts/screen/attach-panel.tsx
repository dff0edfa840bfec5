import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { FindCustomer, useFindCustomer } from "#office/customers/screen/find-customer.tsx";
import { ReasonFields } from "#office/customers/screen/panels/reason-fields.tsx";
import * as calls from "#office/receipts/calls.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import type { ResponseBody } from "#platform/api/api.ts";

type Receipt = ResponseBody<typeof calls.readReceipt>;

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
  const search = useFindCustomer(({ State }) => State === "member");
  const [chosen, setChosen] = useState<number>();
  const submit = async (form: FormData) => {
    if (chosen === undefined) return search.find();
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
        failure={failure ?? search.failure}
        onSubmit={submit}
        onClose={onClose}
      >
        <p>{t("office.receipt.attachText")}</p>
        <FindCustomer
          search={search}
          label={t("office.receipt.customer")}
          none={t("office.receipt.noMember")}
          chosen={chosen}
          onType={() => setChosen(undefined)}
          onChoose={setChosen}
        />
        {chosen !== undefined && <ReasonFields first="request" />}
      </PanelForm>
    </Panel>
  );
}
