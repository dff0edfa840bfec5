import { lazy, type ReactNode, Suspense, useState } from "react";
import { loadTexts } from "#i18n/catalogues.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import type { Refused } from "#platform/api/form.ts";
import type { SdkState } from "./provider-script.ts";
import type { ProofFields } from "./social-journey.ts";

/** What a provider's button shows of the journey it has begun. */
export interface SocialState {
  working: boolean;
  /** The Facebook-type widget's own: its SDK, and whether somebody is connected there. */
  sdk?: SdkState | undefined;
  connected: boolean;
}

export interface SocialPress {
  /** The provider that was pressed last. */
  provider: SocialProvider | undefined;
  state: SocialState;
  press(provider: SocialProvider): void;
  /** Below the buttons: what is being waited for, or what went wrong. */
  status(refused: Refused | undefined): ReactNode;
}

/** Most visitors never press: the journey, its words and the provider's script all come with the press. */
const SocialTurn = lazy(() =>
  Promise.all([import("./social-turn.tsx"), loadTexts("social")]).then(
    ([turn]) => ({ default: turn.SocialTurn }),
    () => ({ default: NothingCame }),
  ),
);

/** Our own part did not load: offline, most likely. */
function NothingCame() {
  const { t } = useTexts();
  return (
    <p role="alert" className="mt-5 text-[0.9375rem] text-bad">
      {t("form.unreachable")}
    </p>
  );
}

export function useSocialPress(
  proved: (provider: SocialProvider, fields: ProofFields) => void,
  { fresh = false } = {},
): SocialPress {
  const [turn, setTurn] = useState<{ provider: SocialProvider; count: number }>();
  const [state, setState] = useState<SocialState>({ working: false, connected: false });
  return {
    provider: turn?.provider,
    state,
    press(provider) {
      if (!state.working) setTurn({ provider, count: (turn?.count ?? 0) + 1 });
    },
    status: (refused) =>
      turn && (
        <Suspense fallback={<span className="spinner mx-auto mt-6 block" />}>
          <SocialTurn
            key={turn.count}
            provider={turn.provider}
            fresh={fresh}
            refused={refused}
            report={(news) => setState((before) => ({ ...before, ...news }))}
            proved={(fields) => proved(turn.provider, fields)}
          />
        </Suspense>
      ),
  };
}
