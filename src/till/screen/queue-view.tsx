import { useTexts } from "#i18n/use-texts.tsx";
import { dismissRefused, type QueuedSale, useSaleQueue } from "#till/queue/sale-queue.ts";
import { Band } from "./band.tsx";
import { TillIcon } from "./till-icon.tsx";
import { useEuros } from "./use-euros.ts";
import { clock } from "./use-now.ts";

/** The sales that wait on this device for the network, and those that the server refused afterwards. */
export function QueueView({ online, justKept, onNext }: { online: boolean; justKept: boolean; onNext: () => void }) {
  const { t } = useTexts();
  const euros = useEuros();
  const { waiting, refused } = useSaleQueue();
  const card = ({ CardNumber }: QueuedSale) =>
    CardNumber ? t("till.cardEnding", { digits: CardNumber.slice(-4) }) : t("till.noCard");
  return (
    <main className="till-page">
      <Band
        tone={waiting.length > 0 ? "offline" : "done"}
        title={waiting.length > 0 ? t("till.queue.count", { count: waiting.length }) : t("till.queue.sent")}
        title2={waiting.length > 0 ? t("till.queue.waiting", { count: waiting.length }) : t("till.queue.sent2")}
      >
        {waiting.length === 0
          ? ""
          : t(online ? "till.queue.sending" : justKept ? "till.queue.kept" : "till.queue.later")}
      </Band>
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
              {card(sale)}, {sale.ReceiptNumber}
              <small>{sale.detail}</small>
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
        <TillIcon name="scan" /> {t("till.queue.next")}
      </button>
    </main>
  );
}

function amountOf({ Amount, Lines }: QueuedSale): string {
  if (Amount !== undefined) return Amount;
  return (Lines ?? []).reduce((sum, line) => sum + Number(line.Amount), 0).toFixed(2);
}
