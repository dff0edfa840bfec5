import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useSubmit } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { passkeySignInOptions } from "#identity/calls.ts";
import { browserCall, CallFailed } from "#platform/api/client/client.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { requestPasskey, supportsAutofill, supportsPasskeys } from "./browser-passkey.ts";

/** The form's intent for the browser's response. */
export const passkeyIntent = "passkey";

/**
 * Signs in with a passkey: the browser offers it in the autofill of the address, where it can, or at a press on this button.
 * Both are the same for every visitor.
 */
export function PasskeySignIn({
  refused,
  onAutofill,
}: {
  refused: Refused | undefined;
  /** The browser can offer passkeys in a field that asks for them. */
  onAutofill: () => void;
}) {
  const { t } = useTexts();
  const submit = useSubmit();
  const attempt = useRef<AbortController>(undefined);
  const [problem, setProblem] = useState<string>();
  const [hidden, hide] = useState(false);
  const refusedText = refused?.intent === passkeyIntent && (refused.problem?.detail ?? t("form.unreachable"));

  async function start(mediation: "conditional" | "optional"): Promise<void> {
    // One request at a time: a press takes over from the autofill.
    attempt.current?.abort();
    const controller = new AbortController();
    attempt.current = controller;
    const { signal } = controller;
    try {
      const options = await browserCall(passkeySignInOptions);
      const Response = await requestPasskey(options, { mediation, signal });
      if (!signal.aborted)
        await submit({ intent: passkeyIntent, Response }, { method: "post", preventScrollReset: true });
    } catch (error) {
      // The autofill is an offer: that no one took it is nothing to tell.
      if (signal.aborted || mediation === "conditional") return;
      setProblem(error instanceof CallFailed && error.problem ? error.problem.detail : t("login.passkeyFailed"));
      await offer();
    }
  }
  async function offer(): Promise<void> {
    if (!(await supportsAutofill())) return;
    onAutofill();
    void start("conditional");
  }
  const open = useEffectEvent(() => {
    hide(!supportsPasskeys());
    void offer();
  });
  // Again after a refusal: its challenge is used up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the refusal starts it anew.
  useEffect(() => {
    open();
    return () => attempt.current?.abort();
  }, [refused]);

  if (hidden) return null;
  return (
    <>
      <button
        type="button"
        className="social min-h-11"
        onClick={() => {
          setProblem(undefined);
          void start("optional");
        }}
      >
        <span className="underlined">{t("login.withPasskey")}</span>
      </button>
      {(problem || refusedText) && (
        <p role="alert" className="w-full message">
          {problem || refusedText}
        </p>
      )}
    </>
  );
}
