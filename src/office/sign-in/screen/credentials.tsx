import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { requestPasskey, supportsPasskeys } from "#identity/passkeys/browser-passkey.ts";
import { FormError } from "#office/screen/controls/controls.tsx";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import * as calls from "#office/sign-in/calls.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";
import { bySubmit, Form, Submit } from "#ui/form/form.tsx";

/** Two ways to say who one is: a passkey, or password and code. For signing in and for a fresh proof. */
export function Credentials({ proof, onDone }: { proof: boolean; onDone: () => void }) {
  const { t } = useTexts();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  const attempt = async (run: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await run();
      onDone();
    } catch (error) {
      const failed = failureOf(error);
      // Anyone who closes the browser's own dialog needs no explanation.
      const cancelled = error instanceof DOMException;
      setFailure({
        ...failed,
        detail: cancelled ? t("office.passkey.cancelled") : (failed.detail ?? t("office.network")),
      });
    } finally {
      setBusy(false);
    }
  };
  const byPasskey = () =>
    attempt(async () => {
      const options = await browserCall(calls.passkeyOptions);
      const signal = new AbortController().signal;
      const Response = await requestPasskey(options, { mediation: "optional", signal });
      await browserCall(proof ? calls.prove : calls.signInWithPasskey, { Response });
    });
  const byPassword = (form: FormData) => attempt(() => browserCall(proof ? calls.prove : calls.signIn, form));

  return (
    <div className="credentials">
      <FormError failure={failure} />
      {supportsPasskeys() && (
        <>
          <button type="button" className="button solid" disabled={busy} onClick={byPasskey}>
            {t("office.passkey.use")}
          </button>
          <p className="or">{t("office.or")}</p>
        </>
      )}
      <Form message="none" failure={failure} busy={busy} onSubmit={bySubmit(byPassword)}>
        {!proof && <Field name="Email" label={t("office.email")} type="email" autoComplete="username" />}
        <Field name="Password" label={t("office.password")} type="password" autoComplete="current-password" />
        <Field
          name="Code"
          label={t("office.code")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          hint={t("office.codeHint")}
        />
        <Submit className={`button ${supportsPasskeys() ? "" : "solid"}`}>
          {t(proof ? "office.proof.submit" : "office.signIn.submit")}
        </Submit>
      </Form>
    </div>
  );
}
