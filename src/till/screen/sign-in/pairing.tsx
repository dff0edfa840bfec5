import { type FormEvent, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client.ts";
import * as calls from "#till/calls.ts";
import { pairingCodeOf } from "#till/paths.ts";
import { useSaleQueue } from "#till/queue/sale-queue.ts";
import { failureOf, failureText } from "#till/screen/failure.ts";
import { LanguageLinks } from "#till/screen/layout/language-links.tsx";

/**
 * A browser that is no till, or no longer one: the code of the back office, or of `npm run till`, makes it one. What waits
 * on it stays, and is sent by the till that it becomes, if that is of the same shop.
 */
export function Pairing({ revoked, onPaired }: { revoked: boolean; onPaired: () => Promise<void> }) {
  const { t } = useTexts();
  const { waiting } = useSaleQueue();
  const code = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  // From the QR code of the back office. Somebody still presses the button: no link pairs a browser by itself.
  const [scanned] = useState(() => pairingCodeOf(location.hash));

  async function pair(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    try {
      await browserCall(calls.pair, form);
      await onPaired();
    } catch (thrown) {
      const failure = failureOf(thrown);
      setError(failure.code === "invalid" ? t("till.pair.wrong") : failureText(failure, t));
      if (failure.code) code.current?.focus();
    }
    setBusy(false);
  }

  return (
    <main className="till-entrance">
      <p className="till-brand">CERCLE</p>
      <h1>
        {t(revoked ? "till.pair.revoked" : "till.pair.title")}{" "}
        <em>{t(revoked ? "till.pair.revoked2" : "till.pair.title2")}</em>
      </h1>
      {revoked && (
        <p role="alert" className="till-why">
          {t("till.pair.revokedText")}
        </p>
      )}
      {waiting.length > 0 && <p className="till-why till-safe">{t("till.pair.waiting", { count: waiting.length })}</p>}
      <p className="till-lead">{t("till.pair.text")}</p>
      {/* An empty code is refused in the language of the screen, as a short one is. */}
      <form onSubmit={pair} className="till-form" noValidate>
        <label htmlFor="code">{t("till.pair.code")}</label>
        <input
          ref={code}
          id="code"
          name="Code"
          className="till-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          defaultValue={scanned}
          maxLength={16}
          required
          aria-invalid={error !== undefined || undefined}
          aria-describedby="pair-error"
        />
        <p id="pair-error" role="alert" className="till-error">
          {error}
        </p>
        <label htmlFor="name">{t("till.pair.name")}</label>
        <input id="name" name="TillName" autoComplete="off" maxLength={40} placeholder={t("till.pair.example")} />
        <button type="submit" className="till-button till-solid" aria-disabled={busy || undefined}>
          {t(busy ? "till.working" : "till.pair.submit")}
        </button>
      </form>
      <LanguageLinks />
    </main>
  );
}
