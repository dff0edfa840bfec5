import { useMemo, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall, CallFailed } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { signal } from "#till/screen/browser/signals.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import { Band } from "#till/screen/layout/band.tsx";
import type { Member } from "#till/screen/sale/use-sale.ts";
import { Checkbox, Field } from "#ui/form/field.tsx";
import { bySubmit, Form, type FormFailure, fieldsOf, Submit } from "#ui/form/form.tsx";
import { SvgImage } from "#ui/svg-image.tsx";
import { emailHint } from "./email-hint.ts";

type Joined = ResponseBody<typeof calls.join>;

/** A new member: three fields, and the card is there, with a QR code that brings it to their phone. */
export function JoinView({
  online,
  email,
  onFailure,
  onSell,
  onMember,
  onBack,
}: {
  online: boolean;
  /** An address that has just found no one. */
  email: string | undefined;
  onFailure: (error: unknown) => Failure;
  onSell: (cardNumber: string) => void;
  onMember: (member: Member) => void;
  onBack: () => void;
}) {
  const { t } = useTexts();
  const [joined, setJoined] = useState<Joined>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<FormFailure>();
  /** The address of a person who is known already. */
  const [taken, setTaken] = useState<string>();
  /** What was probably meant, and what a press has made of it. */
  const [meant, setMeant] = useState<string>();
  const [corrected, setCorrected] = useState(email);
  const [phone, setPhone] = useState(false);
  const offline = useMemo(() => ({ detail: t("till.needsNetwork"), fields: {} }), [t]);

  async function join(form: FormData) {
    setBusy(true);
    setFailure(undefined);
    setTaken(undefined);
    if (!form.get("MobilePhone")) form.delete("MobilePhone");
    try {
      setJoined(await browserCall(calls.join, form));
      signal("done");
    } catch (thrown) {
      const failed = onFailure(thrown);
      const fields = fieldsOf(thrown instanceof CallFailed ? thrown.problem : undefined);
      const detail = failed.offline ? offline.detail : failureText(failed, t);
      const known = failed.code === "email_taken";
      if (known) setTaken(String(form.get("Email")));
      setFailure(
        known
          ? { detail: t("till.join.taken"), fields: {} }
          : { fields, ...(Object.keys(fields).length === 0 && { detail }) },
      );
      signal("refused");
    }
    setBusy(false);
  }

  /** The address has an account: its owner joins, joins again, or is a member already. */
  async function enrol(Email: string) {
    setFailure(undefined);
    try {
      const { Customers } = await browserCall(calls.enrol, { Email });
      if (Customers[0]) onMember(Customers[0]);
    } catch (thrown) {
      const failed = onFailure(thrown);
      setFailure({ detail: failed.offline ? offline.detail : failureText(failed, t), fields: {} });
      signal("refused");
    }
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
          <button type="button" className="button" onClick={onBack}>
            {t("till.next")}
          </button>
          <button type="button" className="button solid" onClick={() => onSell(joined.CardNumber)}>
            {t("till.join.sell")}
          </button>
        </div>
      </main>
    );

  return (
    <main className="till-page">
      <h1>{t("till.newMember")}</h1>
      <p className="note">{t("till.join.text")}</p>
      <Form
        className="till-form"
        autoComplete="off"
        failure={online ? failure : offline}
        busy={busy}
        onSubmit={bySubmit(join)}
      >
        <div className="till-names">
          <Field name="Firstname" label={t("till.join.firstname")} maxLength={100} autoFocus />
          <Field name="Lastname" label={t("till.join.lastname")} maxLength={100} />
        </div>
        <Field
          key={corrected}
          name="Email"
          label={t("till.join.email")}
          type="email"
          maxLength={255}
          inputMode="email"
          initial={corrected}
          onChange={() => setTaken(undefined)}
          onBlur={(event) => setMeant(emailHint(event.target.value))}
          hint={
            meant && (
              <>
                {t("till.join.meant")}{" "}
                <button
                  type="button"
                  className="till-link"
                  onClick={() => {
                    setCorrected(meant);
                    setMeant(undefined);
                  }}
                >
                  {meant}
                </button>
              </>
            )
          }
        />
        <Field
          name="MobilePhone"
          label={t("till.join.phone")}
          type="tel"
          maxLength={32}
          inputMode="tel"
          optional
          onChange={(event) => setPhone(event.target.value.trim() !== "")}
        />
        <Checkbox name="NewsletterSubscribe">{t("till.join.newsletter")}</Checkbox>
        {phone && <Checkbox name="NewsletterSmsSubscribe">{t("till.join.sms")}</Checkbox>}
        <div className="till-foot till-actions">
          <button type="button" className="button" onClick={onBack}>
            {t("till.back")}
          </button>
          {taken ? (
            <button type="button" className="button solid" onClick={() => enrol(taken)}>
              {t("till.join.enrol")}
            </button>
          ) : (
            <Submit className="button solid" disabled={!online}>
              {t("till.join.submit")}
            </Submit>
          )}
        </div>
      </Form>
    </main>
  );
}
