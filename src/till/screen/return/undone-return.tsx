import { useEffect, useRef } from "react";
import { amountOf, sumCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import type * as calls from "#till/calls.ts";
import { Band, Fact, Facts } from "#till/screen/layout/band.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";

export type UndoneReturn = ResponseBody<typeof calls.undoReturn>;

/** A return or an exchange is undone: what the customer pays again or gets, and the points that are back or taken. */
export function UndoneReturnView(props: { answer: UndoneReturn; member: boolean; onNext: () => void }) {
  const { Points, Refunds, Voided } = props.answer;
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus({ preventScroll: true }), []);
  const centsOf = (refunds: typeof Refunds) => sumCents(refunds.map(({ Amount }) => Amount));
  // Of an exchange what the new sale had cost is set against it.
  const dueCents = centsOf(Refunds) - centsOf(Voided?.Refunds ?? []);
  const amount = exactMoney(amountOf(Math.abs(dueCents)));
  return (
    <main className="till-page">
      <Band
        tone="done"
        title={t(Voided ? "till.exchange.undone" : "till.return.undone")}
        title2={t(Voided ? "till.exchange.undone2" : "till.return.undone2")}
      >
        {t(dueCents < 0 ? "till.return.given" : "till.return.collect", { amount })}
      </Band>
      {props.member && (
        <Facts>
          <Fact name={t("till.return.restored")}>
            {t("till.plusPoints", { count: Points.Restored, formatted: number(Points.Restored) })}
          </Fact>
          {Voided && (
            <Fact name={t("till.return.taken")}>
              {t("till.minusPoints", { count: Voided.Points.Taken, formatted: number(Voided.Points.Taken) })}
            </Fact>
          )}
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
