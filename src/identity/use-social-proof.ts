import { type RefObject, useEffect, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { useSocialSettings } from "./social-context.tsx";
import type { ProofFields } from "./social-journey.ts";
import type { SdkState, Trouble } from "./social-script.ts";
import type { SocialProvider } from "./social-settings.ts";

/** How far a journey to a provider has come. */
export interface SocialState {
  /** The provider that was pressed last. */
  provider?: SocialProvider | undefined;
  working: boolean;
  /** The provider's own window, or its prompt, has its turn. */
  opened: boolean;
  trouble?: Trouble | undefined;
  /** The Facebook-type widget's own: its SDK, and whether somebody is connected there. */
  sdk?: SdkState | undefined;
  connected: boolean;
}

export interface SocialJourney {
  state: SocialState;
  start(provider: SocialProvider): void;
  cancel(): void;
  /** Where the provider may put a button of its own. */
  place: RefObject<HTMLDivElement | null>;
}

/** A press on a provider's button, up to its proof. */
export function useSocialProof(
  proved: (provider: SocialProvider, fields: ProofFields) => void,
  { fresh = false } = {},
): SocialJourney {
  const settings = useSocialSettings();
  const { locale } = useTexts();
  const [state, setState] = useState<SocialState>({ working: false, opened: false, connected: false });
  const place = useRef<HTMLDivElement>(null);
  const journey = useRef<AbortController>(undefined);

  useEffect(() => () => journey.current?.abort(), []);

  async function start(provider: SocialProvider) {
    if (state.working) return;
    const controller = new AbortController();
    journey.current = controller;
    const change = (news: Partial<SocialState>) =>
      journey.current === controller && setState((before) => ({ ...before, ...news }));
    setState((before) => ({ ...before, provider, working: true, opened: false, trouble: undefined }));
    const result = await import("./social-journey.ts")
      .then(({ askProof }) =>
        askProof(settings, {
          provider,
          locale,
          place: () => place.current,
          report: change,
          fresh,
          signal: controller.signal,
        }),
      )
      // Our own part of the journey did not load: offline, most likely.
      .catch(() => "failed" as const);
    const trouble = typeof result === "string" ? result : undefined;
    change({ working: false, trouble: controller.signal.aborted ? undefined : trouble });
    if (typeof result !== "string" && !controller.signal.aborted) proved(provider, result);
  }

  return {
    state,
    place,
    start: (provider) => void start(provider),
    cancel() {
      journey.current?.abort();
      setState((before) => ({ ...before, working: false, trouble: undefined }));
    },
  };
}
