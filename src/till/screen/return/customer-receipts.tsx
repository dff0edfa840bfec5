import { useEffect, useEffectEvent, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";

type Found = ResponseBody<typeof calls.listReceipts>;

/** The last receipts of the customer whose card was scanned, to choose the one that was lost. */
export function CustomerReceipts(props: {
  card: string;
  onFailure: (error: unknown) => Failure;
  onChoose: (receipt: Found["Receipts"][number]) => void;
}) {
  const { card } = props;
  const { t, date } = useTexts();
  const exactMoney = useExactMoney();
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<string>();
  const read = useEffectEvent(async (CardNumber: string) => {
    setFound(undefined);
    setError(undefined);
    try {
      setFound(await browserCall(calls.listReceipts, { CardNumber }));
    } catch (thrown) {
      const failure = props.onFailure(thrown);
      setError(
        failure.code === "not_found"
          ? t("till.unknownCard")
          : failure.offline
            ? t("till.needsNetwork")
            : failureText(failure, t),
      );
    }
  });
  useEffect(() => void read(card), [card]);
  return (
    <section className="till-receipts" aria-live="polite">
      {found && <h2>{t("till.return.receiptsOf", { name: found.Name })}</h2>}
      {found?.Receipts.length === 0 && <p className="note">{t("till.return.noReceipts")}</p>}
      <ul>
        {found?.Receipts.map((receipt) => (
          <li key={`${receipt.IdShop} ${receipt.ReceiptNumber}`}>
            <button type="button" disabled={Number(receipt.Left) === 0} onClick={() => props.onChoose(receipt)}>
              <span>
                {receipt.ReceiptNumber}
                <small>
                  {date(receipt.SoldAt)}, {receipt.ShopName}
                </small>
              </span>
              <span>
                {exactMoney(receipt.Paid)}
                <small>
                  {receipt.Left === receipt.Paid
                    ? ""
                    : Number(receipt.Left) === 0
                      ? t("till.return.already")
                      : t("till.return.leftToday", { left: exactMoney(receipt.Left) })}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="alert" className="message">
        {error}
      </p>
    </section>
  );
}
