import { useState } from "react";
import { centsOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { giveVoucher } from "#office/customers/calls.ts";
import type { PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { Select } from "#ui/form/select.tsx";
import { ReasonFields } from "./reason-fields.tsx";

/** Gives a voucher that costs no points. */
export function VoucherPanel({ record, onDone, onClose }: PanelProps) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(giveVoucher);
  const [chosen, setChosen] = useState(String(record.Rewards[0]?.IdLoyaltyReward ?? ""));
  const reward = record.Rewards.find(({ IdLoyaltyReward }) => String(IdLoyaltyReward) === chosen);
  const cents = centsOf(reward?.Value.Amount ?? "0");
  const waits = cents > record.Free.Cents || (reward?.Points ?? 0) > record.Free.Points;
  const submit = async (form: FormData) => {
    form.set("IdCustomer", String(record.IdCustomer));
    const given = await act(form);
    if (given) onDone(t(given.Waiting ? "office.adjust.asked" : "office.give.done"));
  };
  return (
    <Panel title={t("office.give.title")} note={`${record.Firstname} ${record.Lastname}`} onClose={onClose}>
      <PanelForm
        action={t(waits ? "office.adjust.ask" : "office.give.action")}
        busy={busy}
        failure={failure}
        onSubmit={submit}
        onClose={onClose}
      >
        <Select
          name="IdLoyaltyReward"
          label={t("office.give.reward")}
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
          options={record.Rewards.map(({ IdLoyaltyReward, Name }) => [String(IdLoyaltyReward), Name])}
        />
        <ReasonFields first="gesture" />
        <p className="note">{t(waits ? "office.adjust.waits" : "office.give.text")}</p>
      </PanelForm>
    </Panel>
  );
}
