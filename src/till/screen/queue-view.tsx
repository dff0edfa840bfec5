import { useTexts } from "#i18n/use-texts.tsx";
import { dismissRefused, type QueuedSale, useSaleQueue } from "#till/queue/sale-queue.ts";
import { Band } from "./band.tsx";
import { TillIcon } from "./till-icon.tsx";
import { useEuros } from "./use-euros.ts";
import { clock } from "./use-now.ts";

/** The sales that wait on this device for the network, and those that the server refused afterwards. */
export function QueueView({
  online,
  justKept,
  saleInHand,
  onNext,
}: {
  online: boolean;
  justKept: boolean;
  saleInHand: boolean;
  onNext: () => void;
}) {
  const { t } = useTexts();
  const euros = useEuros();
  const { waiting, refused } = useSaleQueue();
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
            : t(online ? "till.queue.sending" : "till.queue.later", { count: waiting.length })}
        </Band>
      ) : refused.length > 0 ? (
        <Band
          key="refused"
          tone="refused"
          title={t("till.queue.count", { count: refused.length })}
          title2={t("till.queue.refused", { count: refused.length })}
        >
          {t("till.queue.refusedText")}
        </Band>
      ) : (
        <Band key="sent" tone="done" title={t("till.queue.sent")} title2={t("till.queue.sent2")} />
      )}
      <ul className="till-queue">
        {waiting.map((sale) => (
          <li key={sale.ReceiptNumber}>
            <span>
              {card(sale)}
              <small>{clock(sale.SoldAt)}</small>
            </span>
            <span>{euros(amountOf(sale))}</span>
          </li>
        ))}
        {refused.map((sale) => (
          <li key={sale.ReceiptNumber} className="till-queue-refused">
            <span>
              {card(sale)}
              <small>{sale.detail}</small>
              <small>
                {sale.ReceiptNumber}, {clock(sale.SoldAt)}
              </small>
            </span>
            <span>{euros(amountOf(sale))}</span>
            <button type="button" className="till-link" onClick={() => dismissRefused(sale.ReceiptNumber)}>
              {t("till.queue.dismiss")}
            </button>
          </li>
        ))}
      </ul>
      {!online && <p className="till-lead">{t("till.queue.network")}</p>}
      <button type="button" className="till-button till-solid till-foot" onClick={onNext}>
        {saleInHand ? (
          t("till.backToSale")
        ) : (
          <>
            <TillIcon name="scan" /> {t("till.queue.next")}
          </>
        )}
      </button>
    </main>
  );
}

function amountOf({ Amount, Lines }: QueuedSale): string {
  if (Amount !== undefined) return Amount;
  return (Lines ?? []).reduce((sum, line) => sum + Number(line.Amount), 0).toFixed(2);
}
