import { useState } from "react";
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import * as calls from "#office/sign-in/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";
import { bySubmit, Form, Submit } from "#ui/form/form.tsx";
import { SvgImage } from "#ui/svg-image.tsx";
import { Entrance } from "./entrance.tsx";

export async function loadInvitation({ request }: LoaderFunctionArgs) {
  const Token = new URL(request.url).searchParams.get("token") ?? "";
  return { Token, ...(await browserCall(calls.validateInvitation, { Token })) };
}

/** Two steps: a password, then the secret for an authenticator app with a first code. */
export function Invitation() {
  const { t } = useTexts();
  const invitation = useLoaderData<typeof loadInvitation>();
  const [secret, setSecret] = useState<ResponseBody<typeof calls.acceptInvitation>>();
  return (
    <Entrance title={t("office.invitation.title", { firstname: invitation.Firstname })}>
      <p className="note">{`${invitation.Email} · ${t(`office.role.${invitation.Role}`)}`}</p>
      {secret ? (
        <ConfirmSecret token={invitation.Token} secret={secret} />
      ) : (
        <ChoosePassword invitation={invitation} onChosen={setSecret} />
      )}
    </Entrance>
  );
}

function ChoosePassword({
  invitation,
  onChosen,
}: {
  invitation: Awaited<ReturnType<typeof loadInvitation>>;
  onChosen: (secret: ResponseBody<typeof calls.acceptInvitation>) => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.acceptInvitation);
  const choose = async (form: FormData) => {
    form.set("Token", invitation.Token);
    const secret = await act(form);
    if (secret) onChosen(secret);
  };
  return (
    <Form className="office-form" failure={failure} busy={busy} onSubmit={bySubmit(choose)}>
      <input type="hidden" name="username" autoComplete="username" value={invitation.Email} readOnly />
      <Field name="Firstname" label={t("office.firstname")} initial={invitation.Firstname} autoComplete="given-name" />
      <Field name="Lastname" label={t("office.lastname")} initial={invitation.Lastname} autoComplete="family-name" />
      <Field
        name="Password"
        type="password"
        label={t("office.password")}
        autoComplete="new-password"
        hint={t("office.invitation.passwordHint")}
      />
      <Submit className="button solid">{t("office.invitation.next")}</Submit>
    </Form>
  );
}

function ConfirmSecret({ token, secret }: { token: string; secret: ResponseBody<typeof calls.acceptInvitation> }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { act, busy, failure } = useAct(calls.confirmInvitation);
  const confirm = async (form: FormData) => {
    form.set("Token", token);
    if (await act(form)) await navigate("/me", { replace: true });
  };
  return (
    <Form className="office-form" failure={failure} busy={busy} onSubmit={bySubmit(confirm)}>
      <p>{t("office.invitation.scan")}</p>
      <SvgImage svg={secret.QrSvg} alt={t("office.invitation.qr")} className="office-qr" />
      <details>
        <summary className="office-link">{t("office.invitation.byHand")}</summary>
        <p className="office-secret">{new URL(secret.OtpauthUri).searchParams.get("secret")}</p>
      </details>
      <Field name="Code" label={t("office.code")} inputMode="numeric" autoComplete="one-time-code" maxLength={7} />
      <Submit className="button solid">{t("office.invitation.open")}</Submit>
    </Form>
  );
}
