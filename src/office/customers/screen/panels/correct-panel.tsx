import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { nameLength } from "#identity/customer/customer-fields.ts";
import * as calls from "#office/customers/calls.ts";
import { consentSources } from "#office/customers/choices.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";
import { ReasonFields } from "./reason-fields.tsx";

/** Name, address, phone, birthday and consents of a customer, as they are: what is changed is sent, the rest stays. */
export function CorrectPanel({ record, onDone, onClose }: PanelProps) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.correctCustomer);
  const [optIns, setOptIns] = useState({
    NewsletterSubscribe: record.NewsletterSubscribe,
    NewsletterSmsSubscribe: record.NewsletterSmsSubscribe,
  });
  const gives =
    (optIns.NewsletterSubscribe && !record.NewsletterSubscribe) ||
    (optIns.NewsletterSmsSubscribe && !record.NewsletterSmsSubscribe);
  const submit = async (form: FormData) => {
    const phone = String(form.get("MobilePhone")).trim();
    form.set("IdCustomer", String(record.IdCustomer));
    form.set("MobilePhone", phone || "none");
    const answer = await act(form);
    if (answer) onDone(t(`office.correct.done.${answer.EmailChange}`));
  };
  const optIn = (name: keyof typeof optIns, label: string) => (
    <Select
      name={name}
      label={label}
      value={String(optIns[name])}
      onChange={(event) => setOptIns({ ...optIns, [name]: event.target.value === "true" })}
      options={[
        ["true", t("office.customer.yes")],
        ["false", t("office.customer.no")],
      ]}
    />
  );
  return (
    <Panel title={t("office.correct.title")} note={`${record.Firstname} ${record.Lastname}`} onClose={onClose}>
      <PanelForm action={t("office.correct.action")} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
        <Field
          name="Firstname"
          label={t("office.firstname")}
          initial={record.Firstname}
          maxLength={nameLength}
          autoComplete="off"
        />
        <Field
          name="Lastname"
          label={t("office.lastname")}
          initial={record.Lastname}
          maxLength={nameLength}
          autoComplete="off"
        />
        <Field
          name="Email"
          type="email"
          label={t("office.customer.email")}
          hint={t(record.EmailVerified ? "office.correct.emailHint" : "office.correct.emailUnconfirmed")}
          initial={record.Email}
          inputMode="email"
          autoComplete="off"
        />
        <Field
          name="MobilePhone"
          type="tel"
          label={t("office.customer.phone")}
          initial={record.MobilePhone ?? ""}
          inputMode="tel"
          autoComplete="off"
          optional
        />
        <Field
          name="Birthday"
          type="date"
          label={t("office.correct.birthday")}
          initial={record.Birthday ?? ""}
          optional
        />
        {optIn("NewsletterSubscribe", t("office.correct.newsletter"))}
        {optIn("NewsletterSmsSubscribe", t("office.correct.sms"))}
        {gives && (
          <Select
            name="ConsentSource"
            label={t("office.correct.source")}
            hint={t("office.correct.sourceHint")}
            options={consentSources.map((source) => [source, t(`office.source.${source}`)])}
          />
        )}
        <ReasonFields first="request" />
      </PanelForm>
    </Panel>
  );
}
