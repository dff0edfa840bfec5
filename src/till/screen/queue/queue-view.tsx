import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { QueuedSale } from "#till/queue/database.ts";
import {
  dismissRefused,
  holdBack,
  queuedAmount,
  type RefusedSale,
  removeWaiting,
  sendAsItWas,
  useSaleQueue,
} from "#till/queue/sale-queue.ts";
import { retrySeconds, sendState } from "#till/queue/send-queue.ts";
import { clock } from "#till/screen/browser/use-now.ts";
import { Band } from "#till/screen/layout/band.tsx";
import { TillIcon } from "#till/screen/layout/till-icon.tsx";
import type { Sale } from "#till/screen/sale/use-sale.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { useStore } from "#ui/browser/store.ts";

/** The sales that wait on this device for the network, and those that the server refused afterwards. */
export function QueueView({
  online,
  justKept,
  saleInHand,
  onSendNow,
  onAgain,
  onNext,
}: {
  online: boolean;
  justKept: boolean;
  saleInHand: Sale | undefined;
  onSendNow: () => void;
  /** The refused sale is to be in hand again. */
  onAgain: (sale: RefusedSale) => void;
  onNext: () => void;
}) {
  const { t } = useTexts();
  const exactMoney = useExactMoney();
  const { waiting, refused } = useSaleQueue();
  const { sending, failed } = useStore(sendState, (state) => state);
  const inHand = saleInHand?.again?.receiptNumber;
  const of = (code: string) => refused.filter((sale) => sale.code === code);
  const elsewhere = of("another_shop");
  const unknown = of("unknown_card");
  const correcting = of("correcting");
  /** Not those of another shop, which may have been recorded there, nor those that were recorded. */
  const canAgain = (sale: RefusedSale) =>
    sale.ReceiptNumber !== inHand && !elsewhere.includes(sale) && !unknown.includes(sale);
  const wrong = refused.length - elsewhere.length - unknown.length - correcting.length;
  /** The sale that is to be removed with the next press. */
  const [removing, setRemoving] = useState<string>();
  async function correct(sale: QueuedSale) {
    if (await holdBack(sale.ReceiptNumber)) onAgain({ ...sale, code: "correcting", detail: "" });
  }
  const whyOf = (sale: RefusedSale) => {
    if (elsewhere.includes(sale)) return t("till.queue.anotherShop");
    if (unknown.includes(sale)) return t("till.queue.unknownCard", { code: sale.detail });
    return correcting.includes(sale) ? t("till.queue.correcting") : sale.detail;
  };
  const card = ({ CardNumber }: QueuedSale) =>
    CardNumber ? t("till.cardEnding", { digits: CardNumber.slice(-4) }) : t("till.noCard");
  return (
    <main className="till-page">
      {waiting.length > 0 ? (
        <Band
          key="waiting"
          tone="offline"
          title={t("till.queue.count", { count: waiting.length })}
          title2={t("till.queue.waiting", { count: waiting.length })}
        >
          {justKept && !online
            ? t("till.queue.kept")
            : online && failed
              ? t("till.queue.fault", { seconds: retrySeconds })
              : t(online ? "till.queue.sending" : "till.queue.later", { count: waiting.length })}
        </Band>
      ) : wrong > 0 ? (
        <Band
          key="refused"
          tone="refused"
          title={t("till.queue.count", { count: wrong })}
          title2={t("till.queue.refused", { count: wrong })}
        >
          {t("till.queue.refusedText")}
        </Band>
      ) : unknown.length > 0 ? (
        <Band
          key="unknown"
          tone="refused"
          title={t("till.queue.count", { count: unknown.length })}
          title2={t("till.queue.withoutPoints")}
        >
          {t("till.queue.unknownText")}
        </Band>
      ) : correcting.length > 0 ? (
        <Band
          key="correcting"
          tone="offline"
          title={t("till.queue.count", { count: correcting.length })}
          title2={t("till.queue.heldBack")}
        />
      ) : elsewhere.length > 0 ? (
        <Band
          key="elsewhere"
          tone="offline"
          title={t("till.queue.count", { count: elsewhere.length })}
          title2={t("till.queue.notSent", { count: elsewhere.length })}
        >
          {t("till.queue.notSentText")}
        </Band>
      ) : (
        <Band key="sent" tone="done" title={t("till.queue.sent")} title2={t("till.queue.sent2")} />
      )}
      <ul className="till-queue">
        {waiting.map((sale) => (
          <li key={sale.ReceiptNumber}>
            <span>
              {card(sale)}
              <small>
                {sale.ReceiptNumber}, {clock(sale.SoldAt)}
              </small>
            </span>
            <span>{exactMoney(queuedAmount(sale))}</span>
            {sale.tried ? (
              <p>{t("till.queue.tried")}</p>
            ) : (
              <p>
                <button
                  type="button"
                  className="till-link"
                  onClick={() =>
                    removing === sale.ReceiptNumber
                      ? removeWaiting(sale.ReceiptNumber)
                      : setRemoving(sale.ReceiptNumber)
                  }
                >
                  {t(removing === sale.ReceiptNumber ? "till.queue.removeSure" : "till.queue.remove")}
                </button>
                {!saleInHand && (
                  <button type="button" className="till-link" onClick={() => correct(sale)}>
                    {t("till.queue.correct")}
                  </button>
                )}
              </p>
            )}
          </li>
        ))}
        {refused.map((sale) => (
          <li key={sale.ReceiptNumber} className="till-queue-refused">
            <span>
              {card(sale)}
              <small>{whyOf(sale)}</small>
              <small>
                {sale.ReceiptNumber}, {clock(sale.SoldAt)}
              </small>
            </span>
            <span>{exactMoney(queuedAmount(sale))}</span>
            {sale.ReceiptNumber === inHand ? (
              <p>{t("till.queue.inHand")}</p>
            ) : (
              <p>
                {/* The sale in hand is not overwritten. */}
                {!saleInHand && canAgain(sale) && (
                  <button type="button" className="till-link" onClick={() => onAgain(sale)}>
                    {t("till.queue.again")}
                  </button>
                )}
                {correcting.includes(sale) && (
                  <button type="button" className="till-link" onClick={() => sendAsItWas(sale.ReceiptNumber)}>
                    {t("till.queue.sendAsItWas")}
                  </button>
                )}
                <button type="button" className="till-link" onClick={() => dismissRefused(sale.ReceiptNumber)}>
                  {t(correcting.includes(sale) ? "till.queue.remove" : "till.queue.dismiss")}
                </button>
              </p>
            )}
          </li>
        ))}
      </ul>
      {saleInHand && refused.some(canAgain) && <p className="note">{t("till.queue.finishFirst")}</p>}
      {!online && <p className="note">{t("till.queue.network")}</p>}
      <div className="till-foot till-actions">
        {online && failed && waiting.length > 0 && (
          <button type="button" className="button" aria-disabled={sending || undefined} onClick={onSendNow}>
            {t(sending ? "till.working" : "till.queue.sendNow")}
          </button>
        )}
        <button type="button" className="button solid" onClick={onNext}>
          {saleInHand ? (
            t("till.backToSale")
          ) : (
            <>
              <TillIcon name="scan" /> {t("till.queue.next")}
            </>
          )}
        </button>
      </div>
    </main>
  );
}
