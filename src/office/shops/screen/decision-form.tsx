import { type ReactNode, useId, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { Failure } from "#office/screen/failure.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { TextArea } from "#ui/form/select.tsx";
import { type Conflict, CustomerName } from "./conflict.tsx";

/** A way to decide: its name, what it does, and what the button then says. */
export interface Choice {
  value: string;
  label: string;
  text: string;
  action: string;
}

/** What every decision about a receipt asks: one of some ways, and the reason. */
export function DecisionForm({
  conflict,
  choices,
  why,
  fieldsOf,
  busy,
  failure,
  onDecide,
  onClose,
}: {
  conflict: Conflict;
  choices: readonly [Choice, ...Choice[]];
  /** Why it waits. */
  why?: string;
  /** Fields that a choice needs. */
  fieldsOf?: (choice: string) => ReactNode;
  busy: boolean;
  failure: Failure | undefined;
  onDecide: (form: FormData) => void;
  onClose: () => void;
}) {
  const { t, number } = useTexts();
  const { moment } = useFormats();
  const exactMoney = useExactMoney();
  const [chosen, setChosen] = useState(choices[0].value);
  const id = useId();
  const decide = (form: FormData) => {
    form.set("IdShop", String(conflict.IdShop));
    form.set("ReceiptNumber", conflict.ReceiptNumber);
    onDecide(form);
  };
  const { action } = choices.find(({ value }) => value === chosen) ?? choices[0];
  return (
    <Panel
      title={t(`office.conflict.${conflict.Reason}`)}
      note={t("office.conflict.about", {
        number: conflict.ReceiptNumber,
        shop: conflict.ShopName,
        moment: moment(conflict.At),
      })}
      onClose={onClose}
    >
      {why && <p>{why}</p>}
      <dl className="office-facts office-about">
        {conflict.Customer && (
          <>
            <dt>{t("office.conflict.customer")}</dt>
            <dd>
              <CustomerName conflict={conflict} />
            </dd>
          </>
        )}
        {conflict.Amount !== null && (
          <>
            <dt>{t("office.conflict.amount")}</dt>
            <dd>{exactMoney(conflict.Amount)}</dd>
          </>
        )}
        {conflict.Points !== null && (
          <>
            <dt>{t("office.conflict.points")}</dt>
            <dd>{number(conflict.Points)}</dd>
          </>
        )}
      </dl>
      <PanelForm action={action} busy={busy} failure={failure} onSubmit={decide} onClose={onClose}>
        <fieldset className="office-choices">
          <legend className="sr-only">{t("office.conflict.decision")}</legend>
          {choices.map(({ value, label, text }) => (
            <div key={value}>
              <input
                type="radio"
                id={`${id}-${value}`}
                name="Decision"
                value={value}
                checked={value === chosen}
                onChange={() => setChosen(value)}
                aria-describedby={`${id}-${value}-text`}
              />
              <label htmlFor={`${id}-${value}`}>{label}</label>
              <p id={`${id}-${value}-text`} className="note">
                {text}
              </p>
            </div>
          ))}
        </fieldset>
        {fieldsOf?.(chosen)}
        <TextArea
          name="Reason"
          label={t("office.conflict.reason")}
          hint={t("office.conflict.reasonHint")}
          maxLength={200}
        />
      </PanelForm>
    </Panel>
  );
}
