import { type FormEvent, useEffect, useRef, useState } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/shops/calls.ts";
import { Entrance } from "#office/sign-in/screen/entrance.tsx";
import { browserCall } from "#platform/api/client.ts";
import { Field, FormError } from "./controls.tsx";
import { useAct } from "./use-act.tsx";

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
  const choose = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    form.set("Token", Token);
    if (await act(form)) setDone(true);
  };
  if (done) return <Done />;
  const pin = { type: "password", inputMode: "numeric", maxLength: 6, autoComplete: "new-password" } as const;
  return (
    <Entrance title={t("office.pin.title", { firstname: Firstname })}>
      <p className="note">{Email}</p>
      <form className="office-form" onSubmit={choose} noValidate>
        <FormError failure={failure} />
        <input type="hidden" name="username" autoComplete="username" value={Email} readOnly />
        <Field
          {...pin}
          name="Pin"
          label={t("office.people.pin")}
          hint={t("office.pin.hint")}
          error={failure?.fields["Pin"]}
        />
        <Field {...pin} name="ConfirmPin" label={t("office.pin.again")} error={failure?.fields["ConfirmPin"]} />
        <button type="submit" className="office-button solid" disabled={busy}>
          {t("office.pin.action")}
        </button>
      </form>
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
