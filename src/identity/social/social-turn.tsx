import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { providerNames, type SocialProvider } from "#identity/customer/social-providers.ts";
import type { Refused } from "#platform/api/form.ts";
import type { Trouble } from "./provider-script.ts";
import { useSocialSettings } from "./social-context.tsx";
import { askProof, type ProofFields } from "./social-journey.ts";
import type { SocialState } from "./social-press.tsx";

/** One turn at a provider, from the press to the proof; it says what is waited for, or what to do now. */
export function SocialTurn(turn: {
  provider: SocialProvider;
  fresh: boolean;
  refused?: Refused | undefined;
  report: (news: Partial<SocialState>) => void;
  proved: (fields: ProofFields) => void;
}) {
  const { t, locale } = useTexts();
  const settings = useSocialSettings();
  const sending = useNavigation().state !== "idle";
  const [working, setWorking] = useState(true);
  const [opened, setOpened] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const place = useRef<HTMLDivElement>(null);
  const journey = useRef<AbortController>(undefined);
  const provider = providerNames[turn.provider];

  function end() {
    journey.current?.abort();
    setWorking(false);
    turn.report({ working: false });
  }

  const start = useEffectEvent(async (signal: AbortSignal) => {
    turn.report({ working: true });
    const result = await askProof(settings, {
      ...turn,
      locale,
      signal,
      place: () => place.current,
      report: ({ opened: isOpen, ...news }) => {
        if (signal.aborted) return;
        if (isOpen) setOpened(true);
        turn.report(news);
      },
    });
    if (signal.aborted) return;
    end();
    if (typeof result === "string") setTrouble(result);
    else turn.proved(result);
  });

  useEffect(() => {
    const controller = new AbortController();
    journey.current = controller;
    void start(controller.signal);
    return () => controller.abort();
  }, []);

  if (working)
    return (
      <div className="mt-6 flex flex-col items-center gap-3 text-center text-[0.9375rem]">
        <span className="spinner" />
        <p role="status">{t(opened ? "identity.social.waiting" : "identity.social.working", { provider })}</p>
        {turn.provider === "google" && (
          <div className={`w-full max-w-xs ${opened ? "" : "invisible"}`}>
            <p className="mb-2 text-[0.875rem] text-soft">{t("identity.social.instead")}</p>
            <div ref={place} className="flex min-h-11 justify-center" />
          </div>
        )}
        <button type="button" className="min-h-11 px-4" onClick={end}>
          <span className="underlined">{t("identity.social.cancel")}</span>
        </button>
      </div>
    );
  const { refused } = turn;
  const away = refused?.problem?.code === "unavailable" && t("identity.social.away", { provider });
  const text = trouble
    ? t(`identity.social.${trouble}`, { provider })
    : refused && (away || refused.problem?.detail || t("form.unreachable"));
  if (sending || !text) return null;
  return (
    <p role="alert" className="mt-5 text-[0.9375rem] text-bad">
      {text}
    </p>
  );
}
