import { useEffect, useRef } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import type * as calls from "#till/calls.ts";
import { Band, Fact, Facts } from "#till/screen/layout/band.tsx";
import { eurosOf, sumCents } from "#till/screen/sale/goods.ts";
import { useEuros } from "#till/screen/use-euros.ts";

export type ReturnedSale = ResponseBody<typeof calls.postReturn>;

/** A sale, or a part of it, is taken back: what to give to the customer, and what became of points and vouchers. */
export function Returned({
  answer,
  voided,
  receiptNumber,
  member,
  onNext,
}: {
  answer: ReturnedSale;
  voided: boolean;
  /** Of the return itself. */
  receiptNumber?: string | undefined;
  /** Without a member no points were earned, and none are taken. */
  member: boolean;
  onNext: () => void;
}) {
  const { t, number, date } = useTexts();
  const euros = useEuros();
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus({ preventScroll: true }), []);
  const { Points, Refunds, ReissuedVouchers, CancelledVouchers, Waiting } = answer;
  const refundCents = sumCents(Refunds.map(({ Amount }) => Amount));
  return (
    <main className="till-page">
      <Band
        key="returned"
        tone="done"
        title={t(voided ? "till.undone" : "till.return.done")}
        title2={t(voided ? "till.undone2" : "till.return.done2")}
      >
        {Waiting ? t("till.return.waits") : t("till.return.given", { amount: euros(eurosOf(refundCents)) })}
      </Band>
      <Facts>
        {receiptNumber && <Fact name={t("till.return.number")}>{receiptNumber}</Fact>}
        {member && (
          <>
            <Fact name={t("till.return.taken")}>
              {t("till.minusPoints", { count: Points.Taken, formatted: number(Points.Taken) })}
            </Fact>
            <Fact name={t("till.return.balance")}>
              {t("till.points", { count: Points.Available, formatted: number(Points.Available) })}
            </Fact>
          </>
        )}
      </Facts>
      {ReissuedVouchers.map(({ Value, ExpiresAt }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and their order stays.
        <p key={place} className="till-tell">
          {t("till.return.reissued", { amount: euros(Value), date: date(ExpiresAt) })}
        </p>
      ))}
      {CancelledVouchers.map(({ Value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and their order stays.
        <p key={place} className="till-tell">
          {t("till.return.cancelled", { amount: euros(Value) })}
        </p>
      ))}
      <button ref={next} type="button" className="button solid till-foot" onClick={onNext}>
        {t("till.next")}
      </button>
    </main>
  );
}
