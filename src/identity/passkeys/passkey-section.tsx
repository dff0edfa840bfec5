import { useEffect, useRef, useState } from "react";
import { useSubmit } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { type listPasskeys, passkeyOptions } from "#identity/calls.ts";
import type { Customer } from "#identity/session/browser/session.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall, CallFailed, forCustomerField } from "#platform/api/client/client.ts";
import type { Refused } from "#platform/api/client/form.ts";
import type { Problem } from "#platform/refusal.ts";
import { Field, PasswordField } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm, useFormFrame } from "#ui/form/page-form.tsx";
import { Section } from "#ui/section.tsx";
import { makePasskey, supportsPasskeys } from "./browser-passkey.ts";

type Passkey = ResponseBody<typeof listPasskeys>["Passkeys"][number];

/** The customer's passkeys: add one, name it, remove it. */
export function PasskeySection(props: {
  customer: Customer;
  passkeys: Passkey[];
  proofNeeded: boolean;
  refused: Refused | undefined;
  done: string | undefined;
}) {
  const { customer, passkeys, proofNeeded, refused, done } = props;
  const { t } = useTexts();
  return (
    <Section title={t("informations.passkeys")} text={t("informations.passkeysText")}>
      {passkeys.length > 0 && (
        <ul className="mb-6 border-line border-t">
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.IdPasskey} passkey={passkey} refused={refused} done={done} />
          ))}
        </ul>
      )}
      <Done text={done?.startsWith("passkey-") ? "informations.passkeysDone" : undefined} />
      <NewPasskey
        key={done === "passkey-add" ? passkeys.length : "open"}
        customer={customer}
        proofNeeded={proofNeeded}
        refused={refused}
      />
    </Section>
  );
}

function PasskeyLine(props: { passkey: Passkey; refused: Refused | undefined; done: string | undefined }) {
  const { passkey, done } = props;
  const { t, date } = useTexts();
  const id = String(passkey.IdPasskey);
  const refused = props.refused?.values["id"] === id ? props.refused : undefined;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-line border-b py-4">
      <div className="min-w-0">
        <p className="break-words">{passkey.Name}</p>
        <p className="text-sm text-soft">
          {t("informations.passkeyMade", { date: date(passkey.CreatedAt) })}
          {" · "}
          {passkey.LastUsedAt
            ? t("informations.passkeyUsed", { date: date(passkey.LastUsedAt) })
            : t("informations.passkeyUnused")}
        </p>
        <details key={done} open={refused?.intent === "passkey-rename" || undefined}>
          <summary className="inline-flex min-h-11 list-none items-center text-md">
            <span className="underlined">
              {t("informations.passkeyRename")} <span className="sr-only">{passkey.Name}</span>
            </span>
          </summary>
          <PageForm intent="passkey-rename" refused={refused} className="space-y-3">
            <input type="hidden" name="id" value={id} />
            <Field name="Name" label={t("informations.passkeyName")} initial={passkey.Name} maxLength={60} />
            <Submit className="button small">{t("informations.save")}</Submit>
          </PageForm>
        </details>
      </div>
      <PageForm intent="passkey-remove" refused={refused} className="max-w-[20rem] space-y-2">
        <input type="hidden" name="id" value={id} />
        <Submit className="button small">
          {t("informations.passkeyRemove")} <span className="sr-only">{passkey.Name}</span>
        </Submit>
      </PageForm>
    </li>
  );
}

/** The browser makes the passkey, so this needs script, and a browser that can. */
function NewPasskey(props: { customer: Customer; proofNeeded: boolean; refused: Refused | undefined }) {
  const { customer, proofNeeded, refused } = props;
  const { t } = useTexts();
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const adding = refused?.intent === "passkey-add" ? refused : undefined;
  const frame = useFormFrame(adding);
  const [supported, setSupported] = useState(true);
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<Problem | "cancelled" | "unreachable">();
  useEffect(() => setSupported(supportsPasskeys()), []);

  async function add(): Promise<void> {
    if (working) return;
    const typed = new FormData(form.current ?? undefined);
    const Password = String(typed.get("Password") ?? "") || undefined;
    setWorking(true);
    setFailure(undefined);
    try {
      const input = Password ? { Password } : {};
      const options = await browserCall(passkeyOptions, input, { forCustomer: frame[forCustomerField] });
      const Response = await makePasskey(options);
      const Name = String(typed.get("Name") ?? "");
      await submit({ ...frame, intent: "passkey-add", Response, Name }, { method: "post", preventScrollReset: true });
    } catch (error) {
      if (error instanceof CallFailed) setFailure(error.problem ?? "unreachable");
      // A fetch without a response throws a TypeError; whatever the authenticator throws, no passkey was made.
      else setFailure(error instanceof TypeError ? "unreachable" : "cancelled");
    }
    setWorking(false);
  }

  if (!supported) return <p className="text-soft">{t("informations.passkeyUnsupported")}</p>;
  const problem = typeof failure === "object" ? failure : adding?.problem;
  const wrongPassword = problem?.errors?.find(({ field }) => field === "Password")?.message;
  const text =
    failure === "cancelled"
      ? t("informations.passkeyCancelled")
      : failure === "unreachable"
        ? t("form.unreachable")
        : !wrongPassword && problem?.detail;
  return (
    <details className="social" open={Boolean(text || wrongPassword) || undefined}>
      <summary className="inline-flex min-h-11 list-none items-center">
        <span className="underlined">{t("informations.passkeyAdd")}</span>
      </summary>
      <form
        ref={form}
        className="mt-4 space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <input type="hidden" name="username" autoComplete="username" value={customer.Email} readOnly />
        <Field
          name="Name"
          label={t("informations.passkeyName")}
          hint={t("informations.passkeyNameHint")}
          autoComplete="off"
          maxLength={60}
          optional
        />
        {customer.HasPassword && (proofNeeded || wrongPassword) && (
          <PasswordField
            name="Password"
            label={t("informations.socialPassword")}
            autoComplete="current-password"
            hint={t("informations.passkeyPasswordHint")}
            error={wrongPassword}
            optional
          />
        )}
        {text && (
          <p role="alert" className="message">
            {text}
          </p>
        )}
        <button type="submit" className="button" aria-disabled={working || undefined}>
          {t(working ? "form.working" : "informations.passkeyMake")}
        </button>
      </form>
    </details>
  );
}
