import { useMemo } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { beside } from "#office/screen/failure.ts";
import type { readShop } from "#office/shops/calls.ts";
import { addPerson, recordCard } from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Field } from "#ui/form/field.tsx";

/** A person who may sign in at a shop's tills. */
export type Seller = ResponseBody<typeof readShop>["Staff"][number];

export const nameOf = ({ Firstname, Lastname }: Seller) => `${Firstname} ${Lastname}`;

/** A new person who sells in the shop. */
export function AddPersonPanel({
  shopId,
  onDone,
  onClose,
}: {
  shopId: number;
  onDone: (name: string) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure: refused } = useAct(addPerson);
  const failure = useMemo(() => beside(refused, "email_taken", "Email"), [refused]);
  const add = async (form: FormData) => {
    form.set("IdShop", String(shopId));
    if (await act(form)) onDone(`${form.get("Firstname")} ${form.get("Lastname")}`);
  };
  return (
    <Panel title={t("office.people.add")} note={t("office.people.addText")} onClose={onClose}>
      <PanelForm action={t("office.people.addAction")} busy={busy} failure={failure} onSubmit={add} onClose={onClose}>
        <Field name="Firstname" label={t("office.firstname")} autoComplete="off" autoCapitalize="words" />
        <Field name="Lastname" label={t("office.lastname")} autoComplete="off" autoCapitalize="words" />
        <Field name="Email" type="email" label={t("office.email")} autoComplete="off" />
      </PanelForm>
    </Panel>
  );
}

/** The card of a person who works here: they may not ring it up themselves. */
export function CardPanel({
  person,
  onDone,
  onClose,
}: {
  person: Seller;
  onDone: (words: string) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(recordCard);
  const name = nameOf(person);
  const record = async (form: FormData) => {
    form.set("IdStaff", String(person.IdStaff));
    if (await act(form)) onDone(t("office.people.cardDone", { name }));
  };
  return (
    <Panel title={t("office.people.cardTitle", { name })} note={t("office.people.cardText")} onClose={onClose}>
      <PanelForm
        action={t("office.people.cardAction")}
        busy={busy}
        failure={failure}
        onSubmit={record}
        onClose={onClose}
      >
        <Field name="CardNumber" label={t("office.people.cardNumber")} inputMode="numeric" autoComplete="off" />
      </PanelForm>
    </Panel>
  );
}
