import { useEffect, useRef, useState } from "react";
import { amountOf, sumCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { Band, Fact, Facts } from "#till/screen/layout/band.tsx";
import { UndoButton } from "#till/screen/undo-button.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { type UndoneReturn, UndoneReturnView } from "./undone-return.tsx";

export type ReturnedSale = ResponseBody<typeof calls.postReturn>;

/** A sale, or a part of it, is taken back: what to give to the customer, and what became of points and vouchers. */
export function Returned({
  answer,
  voided,
  receiptNumber,
  member,
  onFailure,
  onNext,
}: {
  answer: ReturnedSale;
  voided: boolean;
  /** Of the return itself. */
  receiptNumber?: string | undefined;
  /** Without a member no points were earned, and none are taken. */
  member: boolean;
  onFailure: (error: unknown) => Failure;
  onNext: () => void;
}) {
  const { t, number, date } = useTexts();
  const exactMoney = useExactMoney();
  const [undone, setUndone] = useState<UndoneReturn>();
  const [error, setError] = useState<string>();
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus({ preventScroll: true }), []);
  const { Points, Refunds, ReissuedVouchers, CancelledVouchers, Waiting } = answer;
  async function undo(ReceiptNumber: string) {
    try {
      setUndone(await browserCall(calls.undoReturn, { ReceiptNumber }));
    } catch (thrown) {
      setError(failureText(onFailure(thrown), t));
    }
  }
  if (undone) return <UndoneReturnView answer={undone} {...{ member, onNext }} />;
  const refundCents = sumCents(Refunds.map(({ Amount }) => Amount));
  return (
    <main className="till-page">
      <Band
        key="returned"
        tone="done"
        title={t(voided ? "till.undone" : "till.return.done")}
        title2={t(voided ? "till.undone2" : "till.return.done2")}
      >
        {Waiting ? t("till.return.waits") : t("till.return.given", { amount: exactMoney(amountOf(refundCents)) })}
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
          {t("till.return.reissued", { amount: exactMoney(Value), date: date(ExpiresAt) })}
        </p>
      ))}
      {CancelledVouchers.map(({ Value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and their order stays.
        <p key={place} className="till-tell">
          {t("till.return.cancelled", { amount: exactMoney(Value) })}
        </p>
      ))}
      <p role="alert" className="message">
        {error}
      </p>
      <div className="till-foot till-actions">
        {/* The code of a voucher that comes back has been sent. */}
        {receiptNumber && ReissuedVouchers.length === 0 && <UndoButton onUndo={() => undo(receiptNumber)} />}
        <button ref={next} type="button" className="button solid" onClick={onNext}>
          {t("till.next")}
        </button>
      </div>
    </main>
  );
}
