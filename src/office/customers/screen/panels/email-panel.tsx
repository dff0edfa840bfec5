import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { sendEmail } from "#office/customers/calls.ts";
import { emailKinds } from "#office/customers/choices.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { Select } from "#ui/form/select.tsx";
import { ReasonFields } from "./reason-fields.tsx";

/** Sends an email again; only those that make sense for this customer are offered. */
export function EmailPanel({ record, onDone, onClose }: PanelProps) {
  const { t, money } = useTexts();
  const { act, busy, failure } = useAct(sendEmail);
  const usable = record.Vouchers.filter(({ State }) => State === "available");
  const offered = emailKinds.filter(
    (kind) =>
      (kind !== "confirmation" || !record.EmailVerified) &&
      (kind !== "card" || record.State === "member") &&
      (kind !== "voucher" || usable.length > 0),
  );
  const [email, setEmail] = useState<string>(offered[0] ?? "password");
  const submit = async (form: FormData) => {
    form.set("IdCustomer", String(record.IdCustomer));
    if (await act(form)) onDone(t("office.resend.done"));
  };
  return (
    <Panel title={t("office.resend.title")} note={record.Email} onClose={onClose}>
      <PanelForm action={t("office.resend.action")} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
        <Select
          name="EmailContent"
          label={t("office.resend.letter")}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          options={offered.map((kind) => [kind, t(`office.resend.${kind}`)])}
        />
        {email === "voucher" && (
          <Select
            name="IdCustomerReward"
            label={t("office.give.reward")}
            options={usable.map(({ IdCustomerReward, Value, Code }) => [
              String(IdCustomerReward),
              `${money(Value.Amount)}, ${Code}`,
            ])}
          />
        )}
        <ReasonFields first="request" />
        <p className="note">{t("office.resend.text")}</p>
      </PanelForm>
    </Panel>
  );
}
