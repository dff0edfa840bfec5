import { amountOf, typedCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { fromClubTime } from "#office/screen/controls/club-time.ts";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import * as calls from "#office/shops/calls.ts";
import { Field } from "#ui/form/field.tsx";
import type { Conflict } from "./conflict.tsx";
import { type Choice, DecisionForm } from "./decision-form.tsx";

interface Props {
  conflict: Conflict;
  onDone: (words: string) => void;
  onClose: () => void;
}

/** A return that does not fit its sale, or has none. */
export function ReturnPanel({ conflict, onDone, onClose }: Props) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.decideReturn);
  const decide = async (form: FormData) => {
    form.set("Kind", conflict.Kind);
    const paid = typedCents(String(form.get("OriginalAmount") ?? ""));
    if (paid !== undefined) form.set("OriginalAmount", amountOf(paid));
    const done = await act(form);
    if (done) onDone(t("office.conflict.returnDone", { number: conflict.ReceiptNumber, points: done.Taken }));
  };
  const choice = (value: "apply" | "attach" | "dismiss"): Choice => ({
    value,
    label: t(`office.conflict.${value}`),
    text: t(`office.conflict.${value}_text`, { number: conflict.OriginalReceiptNumber ?? "" }),
    action: t(`office.conflict.${value}_action`),
  });
  const rest = [choice("attach"), choice("dismiss")] as const;
  return (
    <DecisionForm
      conflict={conflict}
      choices={conflict.Reason === "return_does_not_fit" ? [choice("apply"), ...rest] : [...rest]}
      fieldsOf={(chosen) =>
        chosen === "attach" && (
          <>
            <Field
              name="OriginalReceiptNumber"
              label={t("office.conflict.original")}
              autoComplete="off"
              maxLength={40}
            />
            <Field
              name="OriginalIdShop"
              label={t("office.conflict.originalShop")}
              hint={t("office.conflict.originalShopHint")}
              inputMode="numeric"
              autoComplete="off"
            />
            <Field
              name="OriginalClaimCode"
              label={t("office.conflict.claimCode")}
              hint={t("office.conflict.proofHint")}
              autoComplete="off"
              maxLength={32}
            />
            <Field name="OriginalAmount" label={t("office.conflict.paid")} inputMode="decimal" autoComplete="off" />
            <Field name="OriginalDay" type="date" label={t("office.conflict.day")} />
          </>
        )
      }
      busy={busy}
      failure={failure}
      onDecide={decide}
      onClose={onClose}
    />
  );
}

/** Points that wait because a card bought so often in a day. */
export function PointsPanel({ conflict, onDone, onClose }: Props) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.decidePoints);
  const points = conflict.Points ?? 0;
  const decide = async (form: FormData) => {
    const done = await act(form);
    if (done) onDone(t("office.conflict.pointsDone", { number: conflict.ReceiptNumber, points: done.Points }));
  };
  const choice = (value: "release" | "refuse"): Choice => ({
    value,
    label: t(`office.conflict.${value}`, { points }),
    text: t(`office.conflict.${value}_text`),
    action: t(`office.conflict.${value}_action`, { points }),
  });
  return (
    <DecisionForm
      conflict={conflict}
      choices={[choice("release"), choice("refuse")]}
      why={t("office.conflict.points_why")}
      busy={busy}
      failure={failure}
      onDecide={decide}
      onClose={onClose}
    />
  );
}

/** A sale of a till that was ahead of the time. */
export function ClockPanel({ conflict, onDone, onClose }: Props) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const { act, busy, failure } = useAct(calls.decideClock);
  const decide = async (form: FormData) => {
    const soldAt = fromClubTime(String(form.get("SoldAt") ?? ""));
    if (soldAt) form.set("SoldAt", soldAt.toISOString());
    const done = await act(form);
    if (done) onDone(t("office.conflict.clockDone", { number: conflict.ReceiptNumber, moment: moment(done.SoldAt) }));
  };
  const choice = (value: "confirm" | "correct"): Choice => ({
    value,
    label: t(`office.conflict.${value}`, { moment: moment(conflict.At) }),
    text: t(`office.conflict.${value}_text`),
    action: t(`office.conflict.${value}_action`),
  });
  return (
    <DecisionForm
      conflict={conflict}
      choices={[choice("confirm"), choice("correct")]}
      fieldsOf={(chosen) =>
        chosen === "correct" && (
          <Field
            name="SoldAt"
            type="datetime-local"
            label={t("office.conflict.soldAt")}
            hint={t("office.conflict.soldAtHint")}
          />
        )
      }
      busy={busy}
      failure={failure}
      onDecide={decide}
      onClose={onClose}
    />
  );
}
