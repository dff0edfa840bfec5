import { type RefObject, useCallback, useEffect, useEffectEvent, useState } from "react";
import { amountOf, sumCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { undoMs } from "#shop/sales/undo.ts";
import * as calls from "#till/calls.ts";
import { queuedAmount, useSaleQueue } from "#till/queue/sale-queue.ts";
import { clock, countdown, useNow } from "#till/screen/browser/use-now.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import type { ReturnedSale } from "#till/screen/return/returned.tsx";
import type { UndoneReturn } from "#till/screen/return/undone-return.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import type { DayTotals } from "./count-day.tsx";

/** The day, and when it was read. */
export type DayRead = ResponseBody<typeof calls.readDay> & { readAt: number };
/** What was read last; it outlives the view. */
export type LastDay = RefObject<DayRead | undefined>;
type Receipt = DayRead["Receipts"][number];

/** The last sales of this till with what can be done about them, and what the day has brought so far. */
export function Day(props: {
  online: boolean;
  lastDay: LastDay;
  onFailure: (error: unknown) => Failure;
  onNotice: (notice: string) => void;
  onReturn: (receiptNumber: string) => void;
  onCorrect: (receiptNumber: string) => void;
  onUndone: (answer: ReturnedSale | UndoneReturn, member: boolean) => void;
  onCount: (day: DayTotals) => void;
  onQueue: () => void;
  onSendNow: () => void;
}) {
  const { online, lastDay } = props;
  const { t } = useTexts();
  const exactMoney = useExactMoney();
  const [read, setRead] = useState<DayRead>();
  // Online it is read anew: a row that is about to move is not pressed. Offline it is shown as it was.
  const day = read ?? (online ? undefined : lastDay.current);
  const [all, setAll] = useState(false);
  const { waiting } = useSaleQueue();
  const failed = useEffectEvent((error: unknown) => void props.onFailure(error));
  const readDay = useCallback(
    async (whole: boolean) => {
      try {
        const answer = await browserCall(calls.readDay, whole ? { All: true } : {});
        lastDay.current = { ...answer, readAt: Date.now() };
        setRead(lastDay.current);
      } catch (error) {
        failed(error);
      }
    },
    [lastDay],
  );
  const count = waiting.length;
  // Again when a sale that waited has been sent.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of sales that wait is why it is read again.
  useEffect(() => {
    if (online) void readDay(all);
  }, [online, readDay, all, count]);
  const now = useNow(day?.Receipts.some((receipt) => undoUntil(receipt) > Date.now()) ?? false);

  async function undo(receipt: Receipt) {
    try {
      const { ReceiptNumber, Kind } = receipt;
      const answer = await browserCall(Kind === "sale" ? calls.voidSale : calls.undoReturn, { ReceiptNumber });
      props.onUndone(answer, receipt.Customer !== null);
    } catch (error) {
      const failure = props.onFailure(error);
      props.onNotice(failure.offline ? t("till.needsNetwork") : failureText(failure, t));
    }
  }

  if (!day && count === 0) return <div className="till-day" />;
  const counts = (one: { Sales: number; Returns: number }) =>
    [t("till.day.sales", { count: one.Sales }), one.Returns > 0 && t("till.day.returns", { count: one.Returns })]
      .filter(Boolean)
      .join(", ");
  return (
    <div className="till-day">
      <section aria-labelledby="recent">
        <div className="till-day-head">
          <h2 id="recent">{t("till.day.recent")}</h2>
          {online && !all && day && day.Receipts.length >= 5 && (
            <button type="button" className="till-link" onClick={() => setAll(true)}>
              {t("till.day.all")}
            </button>
          )}
        </div>
        {day?.Receipts.length === 0 && count === 0 && <p className="note">{t("till.day.none")}</p>}
        <ul className="till-recent">
          {waiting.toReversed().map((sale) => (
            <li key={sale.ReceiptNumber}>
              <time>{clock(sale.SoldAt)}</time>
              <span>
                {sale.CardNumber ? t("till.cardEnding", { digits: sale.CardNumber.slice(-4) }) : t("till.noCard")}
                <small>
                  {sale.ReceiptNumber} · <mark>{t("till.day.toSend")}</mark>
                </small>
              </span>
              <b>{exactMoney(queuedAmount(sale))}</b>
              <p>
                <button type="button" className="till-link" onClick={props.onQueue}>
                  {t("till.day.see")}
                </button>
              </p>
            </li>
          ))}
          {day?.Receipts.map((receipt) => (
            <Row
              key={`${receipt.Kind}${receipt.ReceiptNumber}`}
              {...{ receipt, now, online }}
              onUndo={undo}
              onReturn={props.onReturn}
              onCorrect={props.onCorrect}
            />
          ))}
        </ul>
      </section>
      <section aria-labelledby="today">
        <div className="till-day-head">
          <h2 id="today">{t("till.day.today")}</h2>
        </div>
        {day && (
          <>
            <p className="till-day-net">{exactMoney(day.Net)}</p>
            <p className="note">
              {counts(day)}
              {day.Voided > 0 && `. ${t("till.day.voided", { count: day.Voided })}`}
            </p>
            {!online && <p className="note">{t("till.day.readAt", { time: clock(day.readAt) })}</p>}
            <ul className="till-sellers">
              {day.Sellers.map((seller) => (
                <li key={seller.IdStaff}>
                  <span>
                    {seller.Name} <small>{counts(seller)}</small>
                  </span>
                  <b>{exactMoney(seller.Net)}</b>
                </li>
              ))}
            </ul>
            {online && count === 0 && (
              <button type="button" className="till-link" onClick={() => props.onCount(day)}>
                {t("till.count.title")}
              </button>
            )}
          </>
        )}
        {count > 0 && (
          <div className="till-unsent">
            <p>
              <strong>
                {t("till.day.unsent", { count, amount: exactMoney(amountOf(sumCents(waiting.map(queuedAmount)))) })}
              </strong>
              {t("till.day.unsentText")}
            </p>
            <p>
              <button type="button" className="till-link" onClick={props.onQueue}>
                {t("till.day.see")}
              </button>
              {online && (
                <button type="button" className="till-link" onClick={props.onSendNow}>
                  {t("till.queue.sendNow")}
                </button>
              )}
            </p>
          </div>
        )}
      </section>
    </div>
  );
}

/** Until when one press takes a sale or a return back; 0 for what cannot be. */
const undoUntil = ({ Kind, At, Voided, Returned, Exchange }: Receipt) =>
  (Kind === "sale" && Exchange) || Voided || Number(Returned) > 0 ? 0 : Date.parse(At) + undoMs;

function Row(props: {
  receipt: Receipt;
  now: number;
  online: boolean;
  onUndo: (receipt: Receipt) => void;
  onReturn: (receiptNumber: string) => void;
  onCorrect: (receiptNumber: string) => void;
}) {
  const { receipt, now, online } = props;
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { ReceiptNumber, Kind, Points, Voided } = receipt;
  const sold = Kind === "sale";
  const points = { count: Points, formatted: number(Points) };
  const left = undoUntil(receipt) - now;
  const facts = [
    ReceiptNumber,
    receipt.Seller,
    Voided
      ? t("till.day.isVoided")
      : receipt.Customer
        ? t(sold ? "till.plusPoints" : "till.minusPoints", points)
        : receipt.HasClaimCode && t("till.day.code"),
  ].filter(Boolean);
  return (
    <li data-voided={Voided || undefined}>
      <time>{clock(receipt.At)}</time>
      <span>
        {sold
          ? [receipt.Customer ?? t("till.noCard"), receipt.Tier].filter(Boolean).join(", ")
          : t(Kind === "exchange" ? "till.day.exchange" : "till.day.return")}
        <small>{facts.join(" · ")}</small>
      </span>
      <b>{exactMoney(sold ? receipt.Amount : `-${receipt.Amount}`)}</b>
      <p>
        {left > 0 ? (
          <button type="button" className="button" disabled={!online} onClick={() => props.onUndo(receipt)}>
            {t("till.undo", { time: countdown(left) })}
          </button>
        ) : (
          sold &&
          !Voided && (
            <button
              type="button"
              className="till-link"
              aria-label={t("till.day.returnOf", { number: ReceiptNumber })}
              onClick={() => props.onReturn(ReceiptNumber)}
            >
              {t("till.day.return")}
            </button>
          )
        )}
        {receipt.Correctable && (
          <button
            type="button"
            className="till-link"
            aria-label={t("till.day.correctOf", { number: ReceiptNumber })}
            disabled={!online}
            onClick={() => props.onCorrect(ReceiptNumber)}
          >
            {t("till.day.correct")}
          </button>
        )}
      </p>
    </li>
  );
}
