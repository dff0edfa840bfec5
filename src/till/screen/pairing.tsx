import { type FormEvent, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client.ts";
import * as calls from "#till/calls.ts";
import { pairingCodeOf } from "#till/paths.ts";
import { failureOf, failureText } from "./failure.ts";
import { LanguageLinks } from "./language-links.tsx";

/** A browser that is no till yet: the code of the back office, or of `npm run till`, makes it one. */
export function Pairing({ onPaired }: { onPaired: () => void }) {
  const { t } = useTexts();
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
      onPaired();
    } catch (thrown) {
      const failure = failureOf(thrown);
      setError(failure.code === "invalid" ? t("till.pair.wrong") : failureText(failure, t));
    }
    setBusy(false);
  }

  return (
    <main className="till-entrance">
      <p className="till-brand">CERCLE</p>
      <h1>
        {t("till.pair.title")} <em>{t("till.pair.title2")}</em>
      </h1>
      <p className="till-lead">{t("till.pair.text")}</p>
      <form onSubmit={pair} className="till-form">
        <label htmlFor="code">{t("till.pair.code")}</label>
        <input
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
          {t("till.pair.submit")}
        </button>
      </form>
      <LanguageLinks />
    </main>
  );
}
