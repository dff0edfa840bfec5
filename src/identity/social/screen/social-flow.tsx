import { lazy, type ReactNode, Suspense, useState } from "react";
import { loadTexts } from "#i18n/catalogues.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import type { Refused } from "#platform/api/client/form.ts";
import type { AskAgain, ProofFields, SocialState } from "./social-state.ts";

export interface SocialFlow {
  /** The provider whose button was clicked last. */
  provider: SocialProvider | undefined;
  state: SocialState;
  start(provider: SocialProvider): void;
  /** Shown below the buttons: progress, or what went wrong. */
  status(refused: Refused | undefined): ReactNode;
}

/** Most visitors never click: the flow, its texts and the provider's script are loaded by the click. */
const SocialPopup = lazy(() =>
  Promise.all([import("./social-popup.tsx"), loadTexts("later")]).then(
    ([popup]) => ({ default: popup.SocialPopup }),
    () => ({ default: Unreachable }),
  ),
);

/** Our own code did not load: the browser is most likely offline. */
function Unreachable() {
  const { t } = useTexts();
  return (
    <p role="alert" className="mt-5 message">
      {t("form.unreachable")}
    </p>
  );
}

export function useSocialFlow(
  onProof: (provider: SocialProvider, fields: ProofFields) => void,
  { askAgain }: { askAgain?: AskAgain | undefined } = {},
): SocialFlow {
  const [attempt, setAttempt] = useState<{ provider: SocialProvider; count: number; askAgain: AskAgain | undefined }>();
  const [state, setState] = useState<SocialState>({ working: false, connected: false });
  return {
    provider: attempt?.provider,
    state,
    start(provider) {
      if (!state.working) setAttempt({ provider, count: (attempt?.count ?? 0) + 1, askAgain });
    },
    status: (refused) =>
      attempt && (
        <Suspense fallback={<span className="spinner mx-auto mt-6 block" />}>
          <SocialPopup
            key={attempt.count}
            provider={attempt.provider}
            askAgain={attempt.askAgain}
            refused={refused}
            onState={(change) => setState((before) => ({ ...before, ...change }))}
            onProof={(fields) => onProof(attempt.provider, fields)}
          />
        </Suspense>
      ),
  };
}
