import { useEffect, useRef } from "react";
import { amountOf, sumCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import type * as calls from "#till/calls.ts";
import { Band, Fact, Facts } from "#till/screen/layout/band.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";

export type UndoneReturn = ResponseBody<typeof calls.undoReturn>;

/** A return is undone: what the customer pays again, and the points that are back. */
export function UndoneReturnView(props: { answer: UndoneReturn; member: boolean; onNext: () => void }) {
  const { Points, Refunds } = props.answer;
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus({ preventScroll: true }), []);
  return (
    <main className="till-page">
      <Band tone="done" title={t("till.return.undone")} title2={t("till.return.undone2")}>
        {t("till.return.collect", { amount: exactMoney(amountOf(sumCents(Refunds.map(({ Amount }) => Amount)))) })}
      </Band>
      {props.member && (
        <Facts>
          <Fact name={t("till.return.restored")}>
            {t("till.plusPoints", { count: Points.Restored, formatted: number(Points.Restored) })}
          </Fact>
          <Fact name={t("till.return.balance")}>
            {t("till.points", { count: Points.Available, formatted: number(Points.Available) })}
          </Fact>
        </Facts>
      )}
      <button ref={next} type="button" className="button solid till-foot" onClick={props.onNext}>
        {t("till.next")}
      </button>
    </main>
  );
}
