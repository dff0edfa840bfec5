import { type FormEvent, type RefObject, useEffect, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client.ts";
import * as calls from "#till/calls.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { centsOf, eurosOf } from "#till/screen/sale/goods.ts";
import { typedDay } from "#ui/typed-day.ts";

/** What takes a scanned card instead of the sale, while a proof is asked for. */
export type CardTaker = RefObject<((cardNumber: string) => void) | undefined>;

/** A receipt of another shop, with the proof that it is at hand. */
export interface OtherShopReceipt {
  ReceiptNumber: string;
  IdShop: number;
  OriginalAmount?: string;
  OriginalDay?: string;
  CardNumber?: string;
  EntryMode?: "scanned";
}

/**
 * Finds a receipt that another shop has sold: its customer's card is scanned, or what was paid and the day are given. The
 * code on a receipt that names no customer needs no form: it is scanned as anywhere.
 */
export function OtherShopForm(props: {
  receiptNumber: string;
  takeCard: CardTaker;
  error: string | undefined;
  onFailure: (error: unknown) => Failure;
  onFind: (receipt: OtherShopReceipt) => void;
  onBack: () => void;
}) {
  const { receiptNumber: ReceiptNumber, takeCard, onFailure, onFind } = props;
  const { t } = useTexts();
  const [shops, setShops] = useState<ResponseBody<typeof calls.listOtherShops>["Shops"]>([]);
  const [shop, setShop] = useState("");
  const [wrong, setWrong] = useState<string>();

  useEffect(() => {
    browserCall(calls.listOtherShops).then(
      ({ Shops }) => setShops(Shops),
      (thrown) => setWrong(failureText(onFailure(thrown), t)),
    );
  }, [onFailure, t]);
  useEffect(() => {
    takeCard.current = (CardNumber) => {
      if (!shop) return setWrong(t("till.return.chooseShop"));
      setWrong(undefined);
      onFind({ ReceiptNumber, IdShop: Number(shop), CardNumber, EntryMode: "scanned" });
    };
    return () => {
      takeCard.current = undefined;
    };
  }, [takeCard, shop, ReceiptNumber, onFind, t]);

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const cents = centsOf(String(form.get("OriginalAmount")));
    if (cents === undefined) return setWrong(t("till.amountWrong"));
    setWrong(undefined);
    const OriginalDay = String(form.get("OriginalDay"));
    onFind({ ReceiptNumber, IdShop: Number(shop), OriginalAmount: eurosOf(cents), OriginalDay });
  }

  return (
    <main className="till-page">
      <h1>{t("till.return.title")}</h1>
      <p className="till-lead">{t("till.return.otherShopText")}</p>
      <form onSubmit={find} className="till-form" autoComplete="off">
        <div>
          <label htmlFor="IdShop">{t("till.return.shop")}</label>
          <select id="IdShop" required value={shop} onChange={(event) => setShop(event.target.value)}>
            <option value="">{t("till.return.chooseShop")}</option>
            {shops.map(({ IdShop, Name, City }) => (
              <option key={IdShop} value={IdShop}>
                {Name}, {City}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="OriginalAmount">{t("till.return.paid")}</label>
          <input id="OriginalAmount" name="OriginalAmount" inputMode="decimal" required />
        </div>
        <div>
          <label htmlFor="OriginalDay">{t("till.return.day")}</label>
          <input id="OriginalDay" name="OriginalDay" type="date" required {...typedDay} />
        </div>
        <p role="alert" className="till-error">
          {wrong ?? props.error}
        </p>
        <div className="till-foot till-actions">
          <button type="button" className="till-button" onClick={props.onBack}>
            {t("till.back")}
          </button>
          <button type="submit" className="till-button till-solid">
            {t("till.return.find")}
          </button>
        </div>
      </form>
    </main>
  );
}
