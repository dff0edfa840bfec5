import { useEffect, useEffectEvent, useState } from "react";
import { amountOf, sumCents, typedCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Input, ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { nextReceiptNumber } from "#till/queue/receipt-number.ts";
import type { Exchange } from "#till/screen/sale/use-sale.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import type { ReturnedSale } from "./returned.tsx";

/** A receipt, with the lines for which the server was asked what their return would do. */
export type FoundReceipt = ResponseBody<typeof calls.readReceipt> & { asked: string };

/** Waits for the typing to pause before the server is asked what the return would do. */
const pauseMs = 300;

/** What was typed for each line, as lines of a return; undefined where an amount is none, or is more than is left. */
function linesOf(found: Pick<FoundReceipt, "Lines">, typed: Record<string, string>) {
  const lines: { Line: string; Amount?: string }[] = [];
  for (const { Line, Left } of found.Lines) {
    const text = typed[Line]?.trim() ?? "";
    if (text === "") continue;
    const cents = typedCents(text);
    const left = sumCents([Left]);
    if (cents === undefined || cents > left) return undefined;
    // Nothing is left to pay back of a line that vouchers paid: it is returned as a whole.
    if (cents === left) lines.push({ Line });
    else if (cents > 0) lines.push({ Line, Amount: amountOf(cents) });
  }
  return lines;
}

/** An amount for each line, nothing at first; what the return would do; one button that says what is given back. */
export function ReturnForm(props: {
  found: FoundReceipt;
  proof: object;
  error: string | undefined;
  onChoose: (lines: string) => void;
  /** Without a number the whole sale was voided. */
  onReturned: (answer: ReturnedSale, receiptNumber?: string) => void;
  /** What comes back is deducted from another sale; absent while one is in hand. */
  onExchange: ((exchange: Exchange) => void) | undefined;
  onFailed: (error: unknown) => void;
  onBack: () => void;
}) {
  const { found } = props;
  const { t, number, date } = useTexts();
  const exactMoney = useExactMoney();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  /** Made once: the same return again is the same receipt. */
  const [number_, setNumber] = useState<string>();
  const lines = linesOf(found, typed);
  const asked = lines && lines.length > 0 ? JSON.stringify(lines) : "";
  const preview = asked && found.asked === asked ? found.Return : null;
  const refundCents = sumCents(preview?.Refunds.map(({ Amount }) => Amount) ?? []);
  const nothingLeft = found.Lines.every(({ Returned }) => Returned);

  const choose = useEffectEvent(props.onChoose);
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => choose(asked), pauseMs);
    return () => clearTimeout(timer);
  }, [asked]);

  function type(line: string, text: string) {
    setTyped({ ...typed, [line]: text });
    setNumber(undefined);
  }

  async function run(call: () => Promise<[answer: ReturnedSale, receiptNumber?: string]>) {
    if (busy) return;
    setBusy(true);
    try {
      props.onReturned(...(await call()));
    } catch (error) {
      props.onFailed(error);
      setBusy(false);
    }
  }

  const back = { OriginalReceiptNumber: found.ReceiptNumber, OriginalIdShop: found.IdShop, ...props.proof };
  const exchange = () =>
    props.onExchange?.({
      receiptNumber: found.ReceiptNumber,
      creditCents: refundCents,
      returnOf: { ...back, Lines: lines ?? [] },
    });
  const giveBack = () =>
    run(async () => {
      const ReceiptNumber = number_ ?? (await nextReceiptNumber());
      setNumber(ReceiptNumber);
      const fields = { ReceiptNumber, ...back, Lines: asked } as Input<typeof calls.postReturn>;
      return [await browserCall(calls.postReturn, fields), ReceiptNumber];
    });
  const cancel = () => run(async () => [await browserCall(calls.voidSale, { ReceiptNumber: found.ReceiptNumber })]);

  return (
    <main className="till-page">
      <h1>{t("till.return.which")}</h1>
      <p className="note">
        {found.ReceiptNumber}, {found.ShopName}, {date(found.SoldAt)}
        {found.Customer && `, ${found.Customer}`}
      </p>
      <fieldset className="till-lines" disabled={busy}>
        <legend className="till-hidden">{t("till.return.which")}</legend>
        {found.Lines.map(({ Line, Paid, VoucherShare, Left, Returned }) => (
          <div key={Line}>
            <label htmlFor={`back-${Line}`}>
              {t("till.line", { number: Line })}
              <small>
                {Returned
                  ? t("till.return.already")
                  : sumCents([VoucherShare]) > 0
                    ? t("till.return.leftLess", { left: exactMoney(Left), share: exactMoney(VoucherShare) })
                    : Left === Paid
                      ? t("till.return.left", { left: exactMoney(Left) })
                      : t("till.return.leftOf", { left: exactMoney(Left), paid: exactMoney(Paid) })}
              </small>
            </label>
            <input
              id={`back-${Line}`}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              placeholder={exactMoney("0")}
              disabled={Returned}
              value={typed[Line] ?? ""}
              aria-invalid={
                linesOf({ Lines: found.Lines.filter((one) => one.Line === Line) }, typed) ? undefined : true
              }
              onChange={(event) => type(Line, event.target.value)}
            />
            <button
              type="button"
              className="till-add"
              aria-label={t("till.return.wholeLine", { number: Line })}
              disabled={Returned}
              onClick={() => type(Line, Left.replace(".", ","))}
            >
              {t("till.return.whole")}
            </button>
          </div>
        ))}
      </fieldset>
      {nothingLeft && <p className="note">{t("till.return.nothing")}</p>}
      <div className="till-giving">
        {preview && (
          <section className="till-preview" aria-live="polite">
            <p>
              <span>{t("till.return.refund")}</span>
              <strong>{exactMoney(amountOf(refundCents))}</strong>
            </p>
            {found.Customer && (
              <p>
                <span>{t("till.return.taken")}</span>
                <strong>
                  {t("till.minusPoints", { count: preview.Points.Taken, formatted: number(preview.Points.Taken) })}
                </strong>
              </p>
            )}
            {preview.Points.Debt > 0 && (
              <p className="note">
                {t("till.return.debt", { count: preview.Points.Debt, formatted: number(preview.Points.Debt) })}
              </p>
            )}
            {preview.ReissuedVouchers.map(({ Value, ExpiresAt }) => (
              <p key={ExpiresAt + Value} className="note">
                {t("till.return.reissued", { amount: exactMoney(Value), date: date(ExpiresAt) })}
              </p>
            ))}
            {preview.CancelledVouchers.map(({ Value }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and their order stays.
              <p key={place} className="note">
                {t("till.return.cancelled", { amount: exactMoney(Value) })}
              </p>
            ))}
          </section>
        )}
        <p role="alert" className="message">
          {lines ? props.error : t("till.return.tooMuch")}
        </p>
        {found.Voidable && (
          <p className="till-void">
            <span>{t("till.return.voidToday")}</span>
            <button type="button" className="till-link" onClick={cancel}>
              {t("till.return.void")}
            </button>
          </p>
        )}
        <div className="till-foot till-actions">
          <button type="button" className={`button ${nothingLeft ? "solid" : ""}`} onClick={props.onBack}>
            {t("till.back")}
          </button>
          {props.onExchange && preview && (
            <button type="button" className="button till-two" onClick={exchange}>
              {t("till.return.exchange")}
              <small>{t("till.return.exchangeText", { amount: exactMoney(amountOf(refundCents)) })}</small>
            </button>
          )}
          {!nothingLeft && (
            <button
              type="button"
              className="button solid"
              disabled={!preview}
              aria-disabled={busy || undefined}
              onClick={giveBack}
            >
              {busy
                ? t("till.working")
                : preview
                  ? t("till.return.submitAmount", { amount: exactMoney(amountOf(refundCents)) })
                  : t("till.return.submit")}
            </button>
          )}
        </div>
      </div>
    </main>
  );
}
