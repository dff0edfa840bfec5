import { useCallback, useEffect, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Input, ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { nextReceiptNumber } from "#till/queue/receipt-number.ts";
import { codeKind } from "#till/scan/code-kind.ts";
import { signal } from "#till/screen/browser/signals.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { Fact, Facts } from "#till/screen/layout/band.tsx";
import { CodeField } from "#till/screen/layout/bar.tsx";
import { eurosOf, sumCents } from "#till/screen/sale/goods.ts";
import { useEuros } from "#till/screen/use-euros.ts";
import { type CardTaker, OtherShopForm, type OtherShopReceipt } from "./other-shop.tsx";
import { Returned, type ReturnedSale } from "./returned.tsx";

type Receipt = ResponseBody<typeof calls.readReceipt>;
export type ReceiptName = { ReceiptNumber: string } | OtherShopReceipt | { ClaimCode: string };

/** What proves to the return that a receipt of another shop is at hand: the same as found it. */
function proofOf(named: ReceiptName): object {
  if ("ClaimCode" in named) return { OriginalClaimCode: named.ClaimCode };
  if (!("IdShop" in named)) return {};
  const { ReceiptNumber: _, IdShop: __, ...proof } = named;
  return proof;
}

/** Something comes back: which receipt, which lines, what is taken; then done. */
export function ReturnView(props: {
  receipt: ReceiptName | undefined;
  takeCard: CardTaker;
  /** This till's own shop. */
  idShop: number | null;
  onFailure: (error: unknown) => Failure;
  /** Absent while another sale is in hand. */
  onSell: ((receiptNumber: string) => void) | undefined;
  onNext: () => void;
}) {
  const { t } = useTexts();
  const { onFailure, onSell } = props;
  const [named, setNamed] = useState(props.receipt);
  const [found, setFound] = useState<Receipt>();
  const [error, setError] = useState<string>();
  const [unknown, setUnknown] = useState<string>();
  /** The receipt is looked for in another shop. */
  const [elsewhere, setElsewhere] = useState(false);
  const [returned, setReturned] = useState<{ answer: ReturnedSale; voided: boolean }>();

  const read = useCallback(
    async (chosen?: string[]) => {
      if (!named) return;
      const Lines = chosen && JSON.stringify(chosen.map((Line) => ({ Line })));
      try {
        const fields = { ...named, ...(Lines && { Lines }) } as Input<typeof calls.readReceipt>;
        setFound(await browserCall(calls.readReceipt, fields));
        setError(undefined);
      } catch (thrown) {
        const failure = onFailure(thrown);
        if (failure.code === "receipt_not_found" && "IdShop" in named) {
          setError(failureText(failure, t));
          signal("refused");
        } else if (failure.code === "receipt_not_found") {
          setUnknown("ReceiptNumber" in named ? named.ReceiptNumber : named.ClaimCode);
          signal("refused");
        } else setError(failure.offline ? t("till.needsNetwork") : failureText(failure, t));
      }
    },
    [named, onFailure, t],
  );
  useEffect(() => void read(), [read]);

  if (returned) return <Returned {...returned} member={found?.Customer != null} onNext={props.onNext} />;
  const title = t("till.return.title");
  if (!found && elsewhere && named && "ReceiptNumber" in named)
    return (
      <OtherShopForm
        receiptNumber={named.ReceiptNumber}
        takeCard={props.takeCard}
        error={error}
        onFailure={onFailure}
        onFind={setNamed}
        onBack={() => setElsewhere(false)}
      />
    );
  if (!found)
    return (
      <main className="till-page">
        <h1>{title}</h1>
        {!unknown && <p className="till-lead">{t("till.return.scan")}</p>}
        <p role="alert" className="till-error till-unknown">
          {unknown && t("till.return.unknown", { number: unknown })}
        </p>
        <div className="till-ready-field">
          <CodeField
            id="receipt"
            label={t("till.receipt")}
            onEnter={(text) => {
              const { kind, value } = codeKind(text);
              setUnknown(undefined);
              setError(undefined);
              setNamed(kind === "claim" ? { ClaimCode: value } : { ReceiptNumber: value });
            }}
          />
        </div>
        <p role="alert" className="till-error">
          {error}
        </p>
        <div className="till-foot till-actions">
          {unknown && named && "ReceiptNumber" in named && (
            <button type="button" className="button" onClick={() => setElsewhere(true)}>
              {t("till.return.otherShop")}
            </button>
          )}
          {onSell && unknown && named && "ReceiptNumber" in named && (
            <button type="button" className="button" onClick={() => onSell(named.ReceiptNumber)}>
              {t("till.return.sell")}
            </button>
          )}
          <button type="button" className="button solid" onClick={props.onNext}>
            {t("till.back")}
          </button>
        </div>
      </main>
    );
  return (
    <ReturnForm
      found={found}
      proof={named && found.IdShop !== props.idShop ? proofOf(named) : {}}
      error={error}
      onChoose={read}
      onReturned={(answer, voided) => {
        signal("done");
        setReturned({ answer, voided });
      }}
      onFailed={(thrown) => {
        const failure = onFailure(thrown);
        signal("refused");
        setError(failure.offline ? t("till.needsNetwork") : failureText(failure, t));
      }}
      onBack={props.onNext}
    />
  );
}

function ReturnForm(props: {
  found: Receipt;
  proof: object;
  error: string | undefined;
  onChoose: (lines: string[]) => void;
  onReturned: (answer: ReturnedSale, voided: boolean) => void;
  onFailed: (error: unknown) => void;
  onBack: () => void;
}) {
  const { found } = props;
  const { t, number, date } = useTexts();
  const euros = useEuros();
  const left = found.Lines.filter(({ Returned }) => !Returned).map(({ Line }) => Line);
  const [chosen, setChosen] = useState(left);
  const [busy, setBusy] = useState(false);
  /** Made once: the same return again is the same receipt. */
  const [number_, setNumber] = useState<string>();
  const preview = chosen.length > 0 ? found.Return : null;
  const all = chosen.length === left.length;

  function toggle(line: string) {
    const next = chosen.includes(line) ? chosen.filter((one) => one !== line) : [...chosen, line];
    setChosen(next);
    setNumber(undefined);
    if (next.length > 0) props.onChoose(next);
  }

  async function run(call: () => Promise<ReturnedSale>, voided: boolean) {
    if (busy) return;
    setBusy(true);
    try {
      props.onReturned(await call(), voided);
    } catch (error) {
      props.onFailed(error);
      setBusy(false);
    }
  }

  const giveBack = () =>
    run(async () => {
      const ReceiptNumber = number_ ?? (await nextReceiptNumber());
      setNumber(ReceiptNumber);
      return browserCall(calls.postReturn, {
        ReceiptNumber,
        OriginalReceiptNumber: found.ReceiptNumber,
        OriginalIdShop: found.IdShop,
        ...props.proof,
        ...(!all && { Lines: JSON.stringify(chosen.map((Line) => ({ Line }))) }),
      } as Input<typeof calls.postReturn>);
    }, false);
  const cancel = () => run(() => browserCall(calls.voidSale, { ReceiptNumber: found.ReceiptNumber }), true);

  return (
    <main className="till-page">
      <h1>{t("till.return.title")}</h1>
      <Facts>
        <Fact name={t("till.receipt")}>{found.ReceiptNumber}</Fact>
        <Fact name={found.ShopName}>{date(found.SoldAt)}</Fact>
        {found.Customer && (
          <Fact name={found.Customer}>
            {t("till.plusPoints", { count: found.Earned, formatted: number(found.Earned) })}
          </Fact>
        )}
      </Facts>
      <fieldset className="till-lines" disabled={busy}>
        <legend>{t("till.return.which")}</legend>
        {found.Lines.map(({ Line, Left, Returned }) => (
          <label key={Line}>
            <input type="checkbox" checked={chosen.includes(Line)} disabled={Returned} onChange={() => toggle(Line)} />
            <span>{t("till.line", { number: Line })}</span>
            <span>{Returned ? t("till.return.already") : euros(Left)}</span>
          </label>
        ))}
      </fieldset>
      {left.length === 0 && <p className="till-lead">{t("till.return.nothing")}</p>}
      <div className="till-giving">
        {preview && (
          <section className="till-preview" aria-live="polite">
            <p>
              <span>{t("till.return.refund")}</span>
              <strong>{euros(eurosOf(sumCents(preview.Refunds.map(({ Amount }) => Amount))))}</strong>
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
              <p className="till-quiet">
                {t("till.return.debt", { count: preview.Points.Debt, formatted: number(preview.Points.Debt) })}
              </p>
            )}
            {preview.ReissuedVouchers.map(({ Value, ExpiresAt }) => (
              <p key={ExpiresAt + Value} className="till-quiet">
                {t("till.return.reissued", { amount: euros(Value), date: date(ExpiresAt) })}
              </p>
            ))}
            {preview.CancelledVouchers.map(({ Value }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and their order stays.
              <p key={place} className="till-quiet">
                {t("till.return.cancelled", { amount: euros(Value) })}
              </p>
            ))}
          </section>
        )}
        <p role="alert" className="till-error">
          {props.error}
        </p>
        <div className="till-foot till-actions">
          {found.Voidable && all && (
            <button type="button" className="button" onClick={cancel}>
              {t("till.return.void")}
            </button>
          )}
          <button type="button" className={`button ${left.length > 0 ? "" : "solid"}`} onClick={props.onBack}>
            {t("till.back")}
          </button>
          {left.length > 0 && (
            <button
              type="button"
              className="button solid"
              disabled={chosen.length === 0}
              aria-disabled={busy || undefined}
              onClick={giveBack}
            >
              {t(busy ? "till.working" : "till.return.submit")}
            </button>
          )}
        </div>
      </div>
    </main>
  );
}
