import { useEffect, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { pairingCodeOf, tillPath } from "#till/paths.ts";
import { useSaleQueue } from "#till/queue/sale-queue.ts";
import { failureOf, failureText } from "#till/screen/failure.ts";
import { storeSale } from "#till/screen/sale/stored-sale.ts";
import { Field } from "#ui/form/field.tsx";
import { bySubmit, Form, type FormFailure, Submit } from "#ui/form/form.tsx";
import { LanguageLinks } from "#ui/language-links.tsx";

const pairingCharacters = 8;

/**
 * A browser that is no till, or no longer one: the code of the back office, or of `npm run till`, makes it one. What waits
 * on it stays, and is sent by the till that it becomes, if that is of the same shop.
 */
export function Pairing({ revoked, onPaired }: { revoked: boolean; onPaired: () => Promise<void> }) {
  const { t } = useTexts();
  const { waiting } = useSaleQueue();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<FormFailure>();
  // From the QR code of the back office. A person still presses the button: no link pairs a browser by itself.
  const [scanned] = useState(() => pairingCodeOf(location.hash));

  // A sale in hand was of the till that this device was before.
  useEffect(() => storeSale(undefined), []);

  async function pair(form: FormData) {
    setBusy(true);
    setFailure(undefined);
    try {
      await browserCall(calls.pair, form);
      await onPaired();
    } catch (thrown) {
      const failed = failureOf(thrown);
      const characters = String(form.get("Code")).replace(/[\s-]/g, "").length;
      const wrong = characters === pairingCharacters ? "till.pair.wrongCharacter" : "till.pair.wrong";
      const detail = failed.code === "invalid" ? t(wrong) : failureText(failed, t);
      // What the server has refused is the code.
      setFailure(failed.code ? { fields: { Code: detail } } : { detail, fields: {} });
    }
    setBusy(false);
  }

  return (
    <main className="till-entrance">
      <p className="till-brand">{t("wordmark")}</p>
      <h1>
        {t(revoked ? "till.pair.revoked" : "till.pair.title")}{" "}
        <em>{t(revoked ? "till.pair.revoked2" : "till.pair.title2")}</em>
      </h1>
      {revoked && (
        <p role="alert" className="banner bad">
          {t("till.pair.revokedText")}
        </p>
      )}
      {waiting.length > 0 && <p className="banner">{t("till.pair.waiting", { count: waiting.length })}</p>}
      <p className="note">{t("till.pair.text")}</p>
      <Form className="till-form" autoComplete="off" failure={failure} busy={busy} onSubmit={bySubmit(pair)}>
        <div className="till-code">
          <Field name="Code" label={t("till.pair.code")} autoCapitalize="characters" initial={scanned} maxLength={16} />
        </div>
        <Field name="TillName" label={t("till.pair.name")} maxLength={40} placeholder={t("till.pair.example")} />
        <Submit className="button solid">{t("till.pair.submit")}</Submit>
      </Form>
      <LanguageLinks label={t("till.language")} path={tillPath} />
    </main>
  );
}
