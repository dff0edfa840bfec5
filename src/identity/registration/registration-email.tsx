import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { askEmailAvailable } from "#identity/calls.ts";
import { useCarriedEmail } from "#identity/fields/email-store.ts";
import { pagePaths } from "#identity/paths.ts";
import { browserCall } from "#platform/api/client.ts";
import type { Refused } from "#platform/api/form.ts";
import { Field, useFieldError, useTyped } from "#ui/field.tsx";

/** How long the first step waits for an answer; without one the address goes through, and registering will tell. */
const patienceMs = 1_500;

type TakenEmail = ReturnType<typeof useTakenEmail>;

/** Whether the address in the field is taken, as far as the server has said so: when asked, or when it refused it. */
export function useTakenEmail(refused: Refused | undefined) {
  const [email, setEmail] = useState<string | undefined>();
  const [known, setKnown] = useState<readonly string[]>([]);
  const answers = useRef(new Map<string, Promise<boolean>>());
  const refusedEmail = refused?.problem?.code === "email_taken" ? refused.values["Email"] : undefined;
  // Without script nothing says what is in the field; it is what was refused.
  const current = email ?? refusedEmail;
  const refusedNow = current !== undefined && current === refusedEmail;
  // Going back a step is a navigation, after which the router has forgotten the refusal.
  useEffect(() => {
    if (refusedEmail !== undefined) setKnown((addresses) => [...addresses, refusedEmail]);
  }, [refusedEmail]);

  /** Asks once for each address. A failed call says nothing. */
  function ask(address: string): Promise<boolean> {
    const asked = answers.current.get(address);
    if (asked) return asked;
    const answer = browserCall(askEmailAvailable, { Email: address }).then(
      ({ Available }) => {
        if (!Available) setKnown((addresses) => [...addresses, address]);
        return !Available;
      },
      () => {
        answers.current.delete(address);
        return false;
      },
    );
    answers.current.set(address, answer);
    return answer;
  }

  return {
    taken: refusedNow || (current !== undefined && known.includes(current)),
    /** Told by a refusal, not by a question asked beforehand. */
    refusedNow,
    setEmail,
    ask,
    askBriefly: (address: string): boolean | Promise<boolean> =>
      known.includes(address) ||
      Promise.race([
        ask(address),
        new Promise<false>((resolve) => {
          setTimeout(() => resolve(false), patienceMs);
        }),
      ]),
  };
}

/** The address: asked about as one leaves the field, and at once if it was there from the start. */
export function RegistrationEmail({ check, query }: { check: TakenEmail; query: string }) {
  const { t } = useTexts();
  const carried = useCarriedEmail();
  const start = useTyped("Email", carried.initial);
  const { setEmail, ask, taken } = check;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the field appears; later its own events tell what is in it.
  useEffect(() => {
    setEmail(start || undefined);
    if (/.@./.test(start)) void ask(start);
  }, []);
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
      error={taken && <TakenText query={query} />}
    />
  );
}

function TakenText({ query }: { query: string }) {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <>
      {t("identity.emailTaken")}{" "}
      <Link className="underlined" to={path(`${pagePaths.login}${query}`)}>
        {t("register.signIn")}
      </Link>
    </>
  );
}

/** A refusal of the first step is told on the second, where the button was pressed; focus and view go to it. */
export function AccessErrors({
  check,
  query,
  refused,
}: {
  check: TakenEmail;
  query: string;
  refused: Refused | undefined;
}) {
  const { t } = useTexts();
  const ref = useRef<HTMLDivElement>(null);
  const wrong = [useFieldError("Email"), useFieldError("Password")].filter(Boolean);
  const shown = check.refusedNow || wrong.length > 0;
  useEffect(() => {
    // On the first step this one is hidden, and cannot take the focus.
    if (refused && shown) ref.current?.focus();
  }, [refused, shown]);
  if (!shown) return null;
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="scroll-mt-6 border-bad border-l-2 pl-4 text-[0.9375rem] text-bad"
    >
      <p>{check.refusedNow ? <TakenText query={query} /> : wrong.join(". ")}</p>
      <a className="inline-flex min-h-11 items-center" href="#access">
        <span className="underlined">{t("register.fixAccess")}</span>
      </a>
    </div>
  );
}
