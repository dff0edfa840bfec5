import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { amountOf, sumCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { Band, Fact, Facts } from "#till/screen/layout/band.tsx";
import { Returned, type ReturnedSale } from "#till/screen/return/returned.tsx";
import { type UndoneReturn, UndoneReturnView } from "#till/screen/return/undone-return.tsx";
import { UndoButton } from "#till/screen/undo-button.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { SvgImage } from "#ui/svg-image.tsx";
import { Receipt } from "./receipt.tsx";
import type { Customer, Exchange, Sold } from "./use-sale.ts";

export interface DoneSale {
  sold: Sold;
  receiptNumber: string;
  customer: Customer | undefined;
  total: number;
  exchange?: Exchange | undefined;
}

/** The sale is recorded: what to tell the customer, the facts, undo. */
export function DoneView({
  done,
  onFailure,
  onReturn,
  onNext,
}: {
  done: DoneSale;
  onFailure: (error: unknown) => Failure;
  onReturn: () => void;
  onNext: () => void;
}) {
  const { t, number, money, date } = useTexts();
  const exactMoney = useExactMoney();
  const { sold, receiptNumber, customer } = done;
  const [undone, setUndone] = useState<ReturnedSale>();
  const [undoneExchange, setUndoneExchange] = useState<UndoneReturn>();
  const [error, setError] = useState<string>();
  const [printing, setPrinting] = useState(false);
  const [emailed, setEmailed] = useState(false);
  // The slip is there for the paper alone.
  useEffect(() => {
    if (!printing) return;
    print();
    setPrinting(false);
  }, [printing]);
  const next = useRef<HTMLButtonElement>(null);
  // Before the screen is painted: anyone who sees it may press Enter. The band stays in view, on a phone too.
  useLayoutEffect(() => next.current?.focus({ preventScroll: true }), []);
  const paidCents = sumCents(sold.Lines.map(({ Paid }) => Paid));
  const discountCents = done.total - paidCents;
  const creditCents = done.exchange?.creditCents ?? 0;
  const firstname = customer?.member?.Name.replace(/ \S+\.$/, "") ?? "";
  const earned = sold.Points.Earned;

  async function undo() {
    const fields = { ReceiptNumber: receiptNumber };
    try {
      // An exchange has two halves, which are undone together.
      if (done.exchange) setUndoneExchange(await browserCall(calls.undoReturn, fields));
      else setUndone(await browserCall(calls.voidSale, fields));
    } catch (thrown) {
      setError(failureText(onFailure(thrown), t));
    }
  }

  async function email() {
    try {
      setError(undefined);
      await browserCall(calls.emailReceipt, { ReceiptNumber: receiptNumber });
      setEmailed(true);
    } catch (thrown) {
      setError(failureText(onFailure(thrown), t));
    }
  }

  const member = sold.Tier !== null;
  // Points that wait for a review are in the words below.
  const brings = member && earned > 0;
  const giveBack = (
    <button type="button" className="button" onClick={onReturn}>
      {t("till.return.title")}
    </button>
  );
  if (undoneExchange) return <UndoneReturnView answer={undoneExchange} {...{ member, onNext }} />;
  if (undone) return <Returned answer={undone} voided {...{ member, onFailure, onNext }} />;

  return (
    <main className="till-page">
      <Band
        tone="done"
        title={brings ? `+${number(earned)}` : t("till.recorded")}
        title2={brings ? t("till.pointsWord", { count: earned }) : t("till.recorded2")}
        metric={brings}
      >
        {sold.Waiting
          ? t("till.waits", { count: sold.WaitingPoints ?? 0, formatted: number(sold.WaitingPoints ?? 0) })
          : discountCents > 0
            ? t("till.less", { amount: exactMoney(amountOf(discountCents)), name: firstname })
            : member
              ? firstname && t("till.forName", { name: firstname })
              : t("till.claimHint")}
      </Band>
      {member && (
        <p className="till-tell">
          {t("till.tell", { count: sold.Points.Available, formatted: number(sold.Points.Available) })}{" "}
          {sold.NextReward &&
            t("till.toNext", {
              count: sold.NextReward.Missing,
              formatted: number(sold.NextReward.Missing),
              amount: money(sold.NextReward.Value),
            })}
        </p>
      )}
      {sold.Points.ArrivesAt && <p className="till-tell">{t("till.arrives", { date: date(sold.Points.ArrivesAt) })}</p>}
      {sold.Campaign && (
        <p className="till-tell">
          {t("till.campaign", { points: number(sold.Campaign.Points), name: sold.Campaign.Name })}
        </p>
      )}
      {sold.ClaimQrSvg && (
        <div className="till-claim">
          <SvgImage svg={sold.ClaimQrSvg} alt={t("till.claimQr")} className="till-qr" />
          <p>
            {t("till.claimText")}
            <strong>{sold.ClaimCode}</strong>
          </p>
        </div>
      )}
      <Facts>
        {creditCents > 0 && <Fact name={t("till.exchange.deducted")}>{exactMoney(amountOf(creditCents))}</Fact>}
        <Fact name={t(paidCents < creditCents ? "till.exchange.toGive" : "till.cashed")}>
          {exactMoney(amountOf(Math.abs(paidCents - creditCents)))}
        </Fact>
        {member && sold.Points.Taken !== undefined && (
          <Fact name={t("till.return.taken")}>
            {t("till.minusPoints", { count: sold.Points.Taken, formatted: number(sold.Points.Taken) })}
          </Fact>
        )}
        <Fact name={t("till.receipt")}>{receiptNumber}</Fact>
      </Facts>
      {printing && <Receipt {...done} />}
      <p role="alert" className="message">
        {error}
      </p>
      <div className="till-foot till-actions">
        <button type="button" className="button" onClick={() => setPrinting(true)}>
          {t("till.print")}
        </button>
        {customer?.member?.Confirmed && (
          <button type="button" className="button" disabled={emailed} onClick={email}>
            {t(emailed ? "till.emailed" : "till.email")}
          </button>
        )}
        {/* The code of a voucher that came back with an exchange has been sent. */}
        {(sold.ReissuedVouchers?.length ?? 0) > 0 ? giveBack : <UndoButton onUndo={undo} after={giveBack} />}
        <button ref={next} type="button" className="button solid" onClick={onNext}>
          {t("till.next")}
        </button>
      </div>
    </main>
  );
}
