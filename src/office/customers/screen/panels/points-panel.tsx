import { useState } from "react";
import { amountOf, centsOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { adjustPoints } from "#office/customers/calls.ts";
import { customerTextLength } from "#office/customers/choices.ts";
import type { CustomerRecord, PanelProps } from "#office/customers/screen/customer.data.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";
import { Icon } from "#ui/icon.tsx";
import { ReasonFields } from "./reason-fields.tsx";

const quick = [50, 100, 250];
const step = 10;

/** Adds points or takes them: what the balance will be, and the line that the customer will read. */
export function PointsPanel({ record, onDone, onClose }: PanelProps) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(adjustPoints);
  const [adds, setAdds] = useState(true);
  const [points, setPoints] = useState(100);
  const [text, setText] = useState("");
  const { Firstname, Lastname, Free, Points } = record;
  const signed = adds ? points : -points;
  const waits = points > Free.Points;
  const submit = async (form: FormData) => {
    form.set("IdCustomer", String(record.IdCustomer));
    form.set("Points", String(signed));
    form.delete("Ready");
    const answer = await act(form);
    if (answer?.Waiting) onDone(t("office.adjust.asked"));
    else if (answer) onDone(t("office.adjust.done", { points: answer.Points.Available }));
  };
  const action = waits ? t("office.adjust.ask") : t(adds ? "office.adjust.doAdd" : "office.adjust.doTake", { points });
  return (
    <Panel
      title={t("office.adjust.title")}
      note={t("office.adjust.who", { name: `${Firstname} ${Lastname}`, points: Points.Available })}
      onClose={onClose}
    >
      <PanelForm
        action={action}
        busy={busy}
        disabled={points === 0}
        failure={failure}
        onSubmit={submit}
        onClose={onClose}
      >
        <fieldset className="office-choice">
          <legend className="sr-only">{t("office.adjust.direction")}</legend>
          {[true, false].map((way) => (
            <label key={String(way)}>
              <input type="radio" name="direction" checked={adds === way} onChange={() => setAdds(way)} />
              <span>{t(way ? "office.adjust.add" : "office.adjust.take")}</span>
            </label>
          ))}
        </fieldset>
        <Stepper points={points} onChange={setPoints} error={failure?.fields["Points"]} />
        <After record={record} balance={Points.Available + signed} />
        <ReasonFields first="gesture" />
        <Select
          name="Ready"
          label={t("office.adjust.ready")}
          value={record.AdjustmentTexts.includes(text) ? text : ""}
          onChange={(event) => setText(event.target.value)}
          options={[["", t("office.adjust.ownText")], ...record.AdjustmentTexts.map((one) => [one, one] as const)]}
        />
        <div>
          <Field
            name="CustomerText"
            label={t(`office.reads.${record.LanguageIsoCode}`, { name: Firstname })}
            aside={`${text.length} / ${customerTextLength}`}
            maxLength={customerTextLength}
            lang={record.LanguageIsoCode}
            autoCapitalize="sentences"
            autoComplete="off"
            spellCheck
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Preview text={text} points={signed} expires={record.AddedExpireAt} />
        </div>
        <p className="note">{waits ? t("office.adjust.waits") : t("office.adjust.free", { points: Free.Points })}</p>
      </PanelForm>
    </Panel>
  );
}

function Stepper({
  points,
  onChange,
  error,
}: {
  points: number;
  onChange: (points: number) => void;
  error: string | undefined;
}) {
  const { t, number } = useTexts();
  const set = (wanted: number) => onChange(Math.max(0, Math.min(999_999, Math.round(wanted) || 0)));
  return (
    <div className="labelled">
      <label className="label" htmlFor="points">
        {t("office.adjust.points")}
      </label>
      <div className="office-stepper">
        <button type="button" aria-label={t("office.adjust.fewer")} onClick={() => set(points - step)}>
          <Icon name="minus" />
        </button>
        <input
          id="points"
          inputMode="numeric"
          autoComplete="off"
          value={points}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "points-error" : undefined}
          onChange={(event) => set(Number(event.target.value.replace(/\D/g, "")))}
        />
        <button type="button" aria-label={t("office.adjust.more")} onClick={() => set(points + step)}>
          <Icon name="plus" />
        </button>
      </div>
      {error && (
        <p id="points-error" className="error">
          {error}
        </p>
      )}
      <div className="office-quick">
        {quick.map((value) => (
          <button key={value} type="button" className="button small" onClick={() => set(value)}>
            {number(value)}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The balance after it, and what it can be exchanged for. */
function After({ record, balance }: { record: CustomerRecord; balance: number }) {
  const { t, money } = useTexts();
  const rewards = record.Rewards.map(({ Points, Value }) => ({
    points: Points,
    amountCents: centsOf(Value.Amount),
  }));
  const worth = valueOfPoints({ rewards }).vouchersCents(balance);
  return (
    <p className="office-after">
      <span>{t("office.adjust.after")}</span>
      {balance < 0 ? (
        <span className="bad">{t("office.adjust.short")}</span>
      ) : (
        <span>{t("office.adjust.worth", { points: balance, amount: money(amountOf(worth)) })}</span>
      )}
    </p>
  );
}

/** The line as it will stand in the customer's own history. */
function Preview({ text, points, expires }: { text: string; points: number; expires: string }) {
  const { t, date } = useTexts();
  const { signed } = useFormats();
  const today = date(new Date());
  return (
    <div className="office-preview" aria-hidden="true">
      <span>{text || "…"}</span>
      <span>{signed(points)}</span>
      <span className="note">
        {points > 0 ? `${today}, ${t("office.event.lapsesOn", { date: date(expires) })}` : today}
      </span>
    </div>
  );
}
