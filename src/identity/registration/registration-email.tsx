import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { askEmailAvailable } from "#identity/calls.ts";
import { useSharedEmail } from "#identity/fields/email-store.ts";
import { browserCall, CallFailed } from "#platform/api/client/client.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Field, useFieldError, useTyped } from "#ui/form/field.tsx";

/** The timeout of the first step's check; after it the second step opens, and registering decides. */
const checkTimeoutMs = 1_500;

type EmailCheck = ReturnType<typeof useEmailCheck>;

/** Whether the address in the field is taken, or wrong, as the server has said, on a check or in a refusal. */
export function useEmailCheck(refused: Refused | undefined) {
  const [email, setEmail] = useState<string | undefined>();
  const [takenEmails, setTakenEmails] = useState<readonly string[]>([]);
  const [wrongEmails, setWrongEmails] = useState<Readonly<Record<string, string>>>({});
  const checks = useRef(new Map<string, Promise<boolean>>());
  const refusedEmail = refused?.problem?.code === "email_taken" ? refused.values["Email"] : undefined;
  // Without script the field's content is not known; it is the refused address.
  const current = email ?? refusedEmail;
  const refusedNow = current !== undefined && current === refusedEmail;
  // Going back a step is a navigation, after which the router no longer has the refusal.
  useEffect(() => {
    if (refusedEmail !== undefined) setTakenEmails((addresses) => [...addresses, refusedEmail]);
  }, [refusedEmail]);

  /** One call for each address: whether it is refused. The result is cached unless the call fails. */
  function ask(address: string): Promise<boolean> {
    const known = checks.current.get(address);
    if (known) return known;
    const check = browserCall(askEmailAvailable, { Email: address }).then(
      ({ Available }) => {
        if (!Available) setTakenEmails((addresses) => [...addresses, address]);
        return !Available;
      },
      (error: unknown) => {
        const problem = error instanceof CallFailed ? error.problem : undefined;
        const wrong = problem?.errors?.find(({ field }) => field === "Email");
        if (wrong) setWrongEmails((addresses) => ({ ...addresses, [address]: wrong.message }));
        else checks.current.delete(address);
        return wrong !== undefined;
      },
    );
    checks.current.set(address, check);
    return check;
  }

  return {
    taken: refusedNow || (current !== undefined && takenEmails.includes(current)),
    wrong: current && wrongEmails[current],
    /** By a refusal, not by a check beforehand. */
    refusedNow,
    setEmail,
    ask,
    askWithTimeout: (address: string): boolean | Promise<boolean> =>
      takenEmails.includes(address) ||
      Promise.race([
        ask(address),
        new Promise<false>((resolve) => {
          setTimeout(() => resolve(false), checkTimeoutMs);
        }),
      ]),
  };
}

/** The email field. The address is checked when the field loses focus, and at once if it was prefilled. */
export function RegistrationEmail({ check, signInPath }: { check: EmailCheck; signInPath: string }) {
  const { t } = useTexts();
  const carried = useSharedEmail();
  const start = useTyped("Email", carried.initial);
  const { setEmail, ask, taken, wrong } = check;
  const open = useEffectEvent(() => {
    setEmail(start || undefined);
    if (/.@./.test(start)) void ask(start);
  });
  // Once, as the field mounts; later its own events say what is in it.
  useEffect(() => open(), []);
  return (
    <Field
      name="Email"
      type="email"
      label={t("identity.email")}
      autoComplete="email"
      inputMode="email"
      enterKeyHint="next"
      code="email"
      onBlur={({ currentTarget: { value, validity } }) => {
        if (value !== "" && validity.valid) void ask(value);
      }}
      initial={carried.initial}
      onInput={(event) => {
        carried.onInput(event);
        setEmail(event.currentTarget.value);
      }}
      error={taken ? <TakenText signInPath={signInPath} /> : wrong}
    />
  );
}

function TakenText({ signInPath }: { signInPath: string }) {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <>
      {t("identity.emailTaken")}{" "}
      <Link className="underlined" to={path(signInPath)}>
        {t("register.signIn")}
      </Link>
    </>
  );
}

/** Errors of the first step, shown on the second, where the form was submitted; they get the focus. */
export function AccessErrors({
  check,
  signInPath,
  refused,
}: {
  check: EmailCheck;
  signInPath: string;
  refused: Refused | undefined;
}) {
  const { t } = useTexts();
  const ref = useRef<HTMLDivElement>(null);
  const wrong = [useFieldError("Email"), useFieldError("Password")].filter(Boolean);
  const shown = check.refusedNow || wrong.length > 0;
  useEffect(() => {
    // While the first step is shown this element is hidden and cannot be focused.
    if (refused && shown) ref.current?.focus();
  }, [refused, shown]);
  if (!shown) return null;
  return (
    <div ref={ref} role="alert" tabIndex={-1} className="message banner bad scroll-mt-6">
      <p>{check.refusedNow ? <TakenText signInPath={signInPath} /> : wrong.join(". ")}</p>
      <a className="inline-flex min-h-11 items-center" href="#access">
        <span className="underlined">{t("register.fixAccess")}</span>
      </a>
    </div>
  );
}
