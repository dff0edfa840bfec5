import { type RefObject, useEffect, useMemo, useState } from "react";
import { amountOf, typedCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { Field } from "#ui/form/field.tsx";
import { bySubmit, Form, type FormFailure, Submit } from "#ui/form/form.tsx";
import { Select } from "#ui/form/select.tsx";

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
  const [wrong, setWrong] = useState<FormFailure>();
  const refused = useMemo(() => props.error && { detail: props.error, fields: {} }, [props.error]);

  useEffect(() => {
    browserCall(calls.listOtherShops).then(
      ({ Shops }) => setShops(Shops),
      (thrown) => setWrong({ detail: failureText(onFailure(thrown), t), fields: {} }),
    );
  }, [onFailure, t]);
  useEffect(() => {
    takeCard.current = (CardNumber) => {
      if (!shop) return setWrong({ detail: t("till.return.chooseShop"), fields: {} });
      setWrong(undefined);
      onFind({ ReceiptNumber, IdShop: Number(shop), CardNumber, EntryMode: "scanned" });
    };
    return () => {
      takeCard.current = undefined;
    };
  }, [takeCard, shop, ReceiptNumber, onFind, t]);

  function find(form: FormData) {
    const cents = typedCents(String(form.get("OriginalAmount")));
    const OriginalDay = String(form.get("OriginalDay"));
    if (!shop || cents === undefined || !OriginalDay)
      return setWrong({
        fields: {
          ...(!shop && { IdShop: t("till.return.chooseShop") }),
          ...(cents === undefined && { OriginalAmount: t("till.amountWrong") }),
          ...(!OriginalDay && { OriginalDay: t("field.required") }),
        },
      });
    setWrong(undefined);
    onFind({ ReceiptNumber, IdShop: Number(shop), OriginalAmount: amountOf(cents), OriginalDay });
  }

  return (
    <main className="till-page">
      <h1>{t("till.return.title")}</h1>
      <p className="note">{t("till.return.otherShopText")}</p>
      <Form
        className="till-form"
        autoComplete="off"
        failure={wrong ?? (refused || undefined)}
        busy={false}
        onSubmit={bySubmit(find)}
      >
        <Select
          name="IdShop"
          label={t("till.return.shop")}
          value={shop}
          onChange={(event) => setShop(event.target.value)}
          options={[
            ["", t("till.return.chooseShop")],
            ...shops.map(({ IdShop, Name, City }) => [String(IdShop), `${Name}, ${City}`] as const),
          ]}
        />
        <Field name="OriginalAmount" label={t("till.return.paid")} inputMode="decimal" />
        <Field name="OriginalDay" label={t("till.return.day")} type="date" />
        <div className="till-foot till-actions">
          <button type="button" className="button" onClick={props.onBack}>
            {t("till.back")}
          </button>
          <Submit className="button solid">{t("till.return.find")}</Submit>
        </div>
      </Form>
    </main>
  );
}
