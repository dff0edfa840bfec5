import { useCallback, useEffect, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Input } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { codeKind } from "#till/scan/code-kind.ts";
import { signal } from "#till/screen/browser/signals.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { CodeField } from "#till/screen/layout/bar.tsx";
import type { Exchange, Member } from "#till/screen/sale/use-sale.ts";
import { CustomerReceipts } from "./customer-receipts.tsx";
import { type CardTaker, OtherShopForm, type OtherShopReceipt } from "./other-shop.tsx";
import { type FoundReceipt, ReturnForm } from "./return-form.tsx";
import { Returned, type ReturnedSale } from "./returned.tsx";

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
  /** Of the customer of the sale in hand, if it was scanned. */
  card: string | undefined;
  /** Absent while another sale is in hand. */
  onExchange: ((exchange: Exchange, member: Member | null) => void) | undefined;
  onSell: ((receiptNumber: string) => void) | undefined;
  onNext: () => void;
}) {
  const { t } = useTexts();
  const { onFailure, onSell } = props;
  const [named, setNamed] = useState(props.receipt);
  const [found, setFound] = useState<FoundReceipt>();
  const [card, setCard] = useState(props.card);
  const latest = useRef("");
  const [error, setError] = useState<string>();
  const [unknown, setUnknown] = useState<string>();
  /** The receipt is looked for in another shop. */
  const [elsewhere, setElsewhere] = useState(false);
  const [returned, setReturned] = useState<{ answer: ReturnedSale; voided: boolean; receiptNumber?: string }>();

  const read = useCallback(
    async (Lines = "") => {
      if (!named) return;
      latest.current = Lines;
      try {
        const fields = { ...named, ...(Lines && { Lines }) } as Input<typeof calls.readReceipt>;
        const receipt = await browserCall(calls.readReceipt, fields);
        // Other amounts were typed meanwhile.
        if (latest.current !== Lines) return;
        setFound({ ...receipt, asked: Lines });
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
  const { takeCard } = props;
  const choosing = !found && !elsewhere;
  useEffect(() => {
    if (!choosing) return;
    takeCard.current = (scanned) => {
      setUnknown(undefined);
      setError(undefined);
      setNamed(undefined);
      setCard(scanned);
    };
    return () => {
      takeCard.current = undefined;
    };
  }, [choosing, takeCard]);

  if (returned)
    return <Returned {...returned} {...{ onFailure }} member={found?.Customer != null} onNext={props.onNext} />;
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
        {!unknown && (
          <p className="note">
            {t("till.return.scan")} {!card && t("till.return.noReceipt")}
          </p>
        )}
        <p role="alert" className="message till-unknown">
          {unknown && t("till.return.unknown", { number: unknown })}
        </p>
        <div className="till-ready-field">
          <CodeField
            id="receipt"
            label={t("till.receipt")}
            onEnter={(text) => {
              const { kind, value } = codeKind(text);
              setUnknown(undefined);
              setError(kind === "card" ? t("till.return.scanCard") : undefined);
              if (kind === "card") return;
              setNamed(kind === "claim" ? { ClaimCode: value } : { ReceiptNumber: value });
            }}
          />
        </div>
        <p role="alert" className="message">
          {error}
        </p>
        {card && !named && (
          <CustomerReceipts
            card={card}
            onFailure={onFailure}
            onChoose={({ ReceiptNumber, IdShop }) =>
              setNamed(
                IdShop === props.idShop
                  ? { ReceiptNumber }
                  : { ReceiptNumber, IdShop, CardNumber: card, EntryMode: "scanned" },
              )
            }
          />
        )}
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
      onExchange={props.onExchange && ((exchange) => props.onExchange?.(exchange, found.Member))}
      onReturned={(answer, receiptNumber) => {
        signal("done");
        setReturned({ answer, voided: !receiptNumber, ...(receiptNumber && { receiptNumber }) });
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
