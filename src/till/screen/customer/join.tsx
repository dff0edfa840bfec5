import { type FormEvent, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall, CallFailed } from "#platform/api/client.ts";
import * as calls from "#till/calls.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { Band } from "#till/screen/layout/band.tsx";
import { signal } from "#till/screen/signals.ts";
import { SvgImage } from "#ui/svg-image.tsx";

type Joined = ResponseBody<typeof calls.join>;

/** A new member: three fields, and the card is there, with a QR code that brings it to their phone. */
export function JoinView({
  online,
  onFailure,
  onSell,
  onFind,
  onBack,
}: {
  online: boolean;
  onFailure: (error: unknown) => Failure;
  onSell: (cardNumber: string) => void;
  onFind: (email: string) => void;
  onBack: () => void;
}) {
  const { t } = useTexts();
  const [joined, setJoined] = useState<Joined>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  /** The address of somebody who is known already. */
  const [taken, setTaken] = useState<string>();
  const [wrong, setWrong] = useState<Record<string, string>>({});

  async function join(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    setWrong({});
    setTaken(undefined);
    try {
      setJoined(await browserCall(calls.join, form));
      signal("done");
    } catch (thrown) {
      const failure = onFailure(thrown);
      const errors = (thrown instanceof CallFailed && thrown.problem?.errors) || [];
      setWrong(Object.fromEntries(errors.map(({ field, message }) => [field, message])));
      if (errors.length === 0) setError(failure.offline ? t("till.needsNetwork") : failureText(failure, t));
      if (failure.code === "email_taken") setTaken(String(form.get("Email")));
      signal("refused");
    }
    setBusy(false);
  }

  if (joined)
    return (
      <main className="till-page">
        <Band tone="done" title={t("till.join.done")} title2={joined.Name}>
          {t("till.join.doneText")}
        </Band>
        <div className="till-claim">
          <SvgImage svg={joined.PassQrSvg} alt={t("till.join.qr")} className="till-qr" />
          <p>
            {t("till.join.scan")}
            <strong>{joined.CardNumber}</strong>
          </p>
        </div>
        <div className="till-foot till-actions">
          <button type="button" className="till-button" onClick={onBack}>
            {t("till.next")}
          </button>
          <button type="button" className="till-button till-solid" onClick={() => onSell(joined.CardNumber)}>
            {t("till.join.sell")}
          </button>
        </div>
      </main>
    );

  const field = (name: string, label: string, more: object) => (
    <div>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        required
        aria-invalid={name in wrong || undefined}
        aria-describedby={name in wrong ? `${name}-error` : undefined}
        {...more}
      />
      {name in wrong && (
        <p id={`${name}-error`} role="alert" className="till-error">
          {wrong[name]}
        </p>
      )}
    </div>
  );
  return (
    <main className="till-page">
      <h1>{t("till.newMember")}</h1>
      <p className="till-lead">{t("till.join.text")}</p>
      <form onSubmit={join} className="till-form" autoComplete="off">
        {field("Firstname", t("till.join.firstname"), { maxLength: 100, autoFocus: true })}
        {field("Lastname", t("till.join.lastname"), { maxLength: 100 })}
        {field("Email", t("till.join.email"), { type: "email", maxLength: 255, inputMode: "email" })}
        <p role="alert" className="till-error">
          {online ? error : t("till.needsNetwork")}
        </p>
        <div className="till-foot till-actions">
          {taken && (
            <button type="button" className="till-button" onClick={() => onFind(taken)}>
              {t("till.join.find")}
            </button>
          )}
          <button type="button" className="till-button" onClick={onBack}>
            {t("till.back")}
          </button>
          <button type="submit" className="till-button till-solid" disabled={!online} aria-disabled={busy || undefined}>
            {t(busy ? "till.working" : "till.join.submit")}
          </button>
        </div>
      </form>
    </main>
  );
}
