import { useState } from "react";
import { amountOf, typedCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { Band, Fact, Facts } from "#till/screen/layout/band.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Field } from "#ui/form/field.tsx";
import { bySubmit, Form, type FormFailure, Submit } from "#ui/form/form.tsx";

export type DayTotals = Pick<ResponseBody<typeof calls.readDay>, "Sales" | "Returns" | "Net">;
type Counted = ResponseBody<typeof calls.countDay>;

/** The end of the day: what was counted, beside what the receipts say; the difference is noted with who counted. */
export function CountDay(props: { day: DayTotals; onFailure: (error: unknown) => Failure; onNext: () => void }) {
  const { day } = props;
  const { t } = useTexts();
  const exactMoney = useExactMoney();
  const [wrong, setWrong] = useState<FormFailure>();
  const [busy, setBusy] = useState(false);
  const [counted, setCounted] = useState<Counted>();

  async function count(form: FormData) {
    const Count = String(form.get("Count")).trim();
    const typed = String(form.get("Amount")).trim();
    const cents = typedCents(typed.replace(/^[-−]/, ""));
    if (!/^\d{1,6}$/.test(Count) || cents === undefined)
      return setWrong({
        fields: {
          ...(!/^\d{1,6}$/.test(Count) && { Count: t("till.count.wrong") }),
          ...(cents === undefined && { Amount: t("till.amountWrong") }),
        },
      });
    setWrong(undefined);
    setBusy(true);
    try {
      const Amount = `${/^[-−]/.test(typed) ? "-" : ""}${amountOf(cents)}`;
      setCounted(await browserCall(calls.countDay, { Count, Amount }));
    } catch (thrown) {
      const failure = props.onFailure(thrown);
      setWrong({ detail: failure.offline ? t("till.needsNetwork") : failureText(failure, t), fields: {} });
    } finally {
      setBusy(false);
    }
  }

  if (counted) {
    const { Expected, Difference } = counted;
    const agrees = Difference.Count === 0 && Number(Difference.Amount) === 0;
    return (
      <main className="till-page">
        <Band
          tone="done"
          title={t("till.count.done")}
          title2={t(agrees ? "till.count.agrees" : "till.count.differs")}
        />
        <Facts>
          <Fact name={t("till.count.expected")}>
            {t("till.day.receipts", { count: Expected.Count })}, {exactMoney(Expected.Amount)}
          </Fact>
          {!agrees && (
            <Fact name={t("till.count.difference")}>
              {Difference.Count !== 0 &&
                `${Difference.Count > 0 ? "+" : "−"}${t("till.day.receipts", { count: Math.abs(Difference.Count) })}, `}
              {Number(Difference.Amount) > 0 && "+"}
              {exactMoney(Difference.Amount)}
            </Fact>
          )}
        </Facts>
        <div className="till-foot till-actions">
          {!agrees && (
            <button type="button" className="button" onClick={() => setCounted(undefined)}>
              {t("till.count.again")}
            </button>
          )}
          <button type="button" className="button solid" onClick={props.onNext}>
            {t("till.next")}
          </button>
        </div>
      </main>
    );
  }
  return (
    <main className="till-page">
      <h1>{t("till.count.title")}</h1>
      <p className="note">{t("till.count.text")}</p>
      <Facts>
        <Fact name={t("till.count.expected")}>
          {t("till.day.receipts", { count: day.Sales + day.Returns })}, {exactMoney(day.Net)}
        </Fact>
      </Facts>
      <Form className="till-form" autoComplete="off" failure={wrong} busy={busy} onSubmit={bySubmit(count)}>
        <Field name="Count" label={t("till.count.receipts")} inputMode="numeric" />
        <Field name="Amount" label={t("till.count.amount")} inputMode="decimal" />
        <div className="till-foot till-actions">
          <button type="button" className="button" onClick={props.onNext}>
            {t("till.back")}
          </button>
          <Submit className="button solid">{t("till.count.submit")}</Submit>
        </div>
      </Form>
    </main>
  );
}
