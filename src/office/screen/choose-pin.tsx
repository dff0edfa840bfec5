import { useEffect, useRef, useState } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import * as calls from "#office/shops/calls.ts";
import { Entrance } from "#office/sign-in/screen/entrance.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";
import { bySubmit, Form, Submit } from "#ui/form/form.tsx";

export async function loadPinLink({ request }: LoaderFunctionArgs) {
  const Token = new URL(request.url).searchParams.get("token") ?? "";
  return { Token, ...(await browserCall(calls.validatePinLink, { Token })) };
}

/** Where the mailed link leads: its owner chooses the PIN for the tills. */
export function ChoosePin() {
  const { t } = useTexts();
  const { Token, Firstname, Email } = useLoaderData<typeof loadPinLink>();
  const { act, busy, failure } = useAct(calls.choosePin);
  const [done, setDone] = useState(false);
  const choose = async (form: FormData) => {
    form.set("Token", Token);
    if (await act(form)) setDone(true);
  };
  if (done) return <Done />;
  const pin = { type: "password", inputMode: "numeric", maxLength: 6, autoComplete: "new-password" } as const;
  return (
    <Entrance title={t("office.pin.title", { firstname: Firstname })}>
      <p className="note">{Email}</p>
      <Form className="office-form" failure={failure} busy={busy} onSubmit={bySubmit(choose)}>
        <input type="hidden" name="username" autoComplete="username" value={Email} readOnly />
        <Field {...pin} name="Pin" label={t("office.people.pin")} hint={t("office.pin.hint")} />
        <Field {...pin} name="ConfirmPin" label={t("office.pin.again")} />
        <Submit className="button solid">{t("office.pin.action")}</Submit>
      </Form>
    </Entrance>
  );
}

function Done() {
  const { t } = useTexts();
  const ref = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone.
  useEffect(() => ref.current?.focus(), []);
  return (
    <Entrance title={t("office.pin.done")}>
      <p ref={ref} role="status" tabIndex={-1}>
        {t("office.pin.doneText")}
      </p>
    </Entrance>
  );
}
