import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import { ProofDialog } from "#office/sign-in/screen/proof-dialog.tsx";
import type { EndpointName, Input, ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";

/** What a person is asked for before a call is made again: a fresh proof, or, after the session has ended, a new sign-in. */
type Asked = "proof" | "sign-in";

const AskContext = createContext<(what: Asked) => Promise<boolean>>(async () => false);

/** Above every page: asks for a proof when a call needs one, and leaves what was typed where it is. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ what: Asked; answer: (given: boolean) => void }>();
  const ask = useCallback((what: Asked) => new Promise<boolean>((resolve) => setAsked({ what, answer: resolve })), []);
  const close = (given: boolean) => {
    asked?.answer(given);
    setAsked(undefined);
  };
  return (
    <AskContext value={ask}>
      {children}
      {asked && <ProofDialog what={asked.what} onClose={close} />}
    </AskContext>
  );
}

/** Runs a call; asks for a proof where the server wants one, and then runs it again. */
export function useWithProof() {
  const ask = useContext(AskContext);
  return useCallback(
    async <T,>(run: () => Promise<T>): Promise<T> => {
      try {
        return await run();
      } catch (error) {
        const { code } = failureOf(error);
        const what = code === "proof_needed" ? "proof" : code === "not_signed_in" ? "sign-in" : undefined;
        if (!what || !(await ask(what))) throw error;
        return run();
      }
    },
    [ask],
  );
}

/**
 * A call that changes something, for a form or a button. One at a time; the same key until it succeeds, so that a repeated
 * call has one effect. Returns undefined when it failed; `failure` then says why.
 */
export function useAct<W extends EndpointName>(line: W) {
  const { t } = useTexts();
  const withProof = useWithProof();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const running = useRef(false);
  const key = useRef<string>(undefined);

  const act = async (input: Input<W> | FormData): Promise<ResponseBody<W> | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setFailure(undefined);
    key.current ??= crypto.randomUUID();
    const idempotencyKey = key.current;
    try {
      // TypeScript cannot follow the line's type into the call's optional input.
      const call = browserCall as (line: W, input: unknown, options: object) => Promise<ResponseBody<W>>;
      const answer = await withProof(() => call(line, input, { idempotencyKey }));
      key.current = undefined;
      return answer;
    } catch (error) {
      const failed = failureOf(error);
      // The server has said no: what is sent next is another call.
      if (failed.code) key.current = undefined;
      setFailure({ ...failed, detail: failed.detail ?? t("office.network") });
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { act, busy, failure };
}
