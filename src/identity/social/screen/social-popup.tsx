import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { providerNames, type SocialProvider } from "#identity/customer/social-providers.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { requestProof } from "./request-proof.ts";
import { useSocialSettings } from "./social-context.tsx";
import type { AskAgain, FailureReason, ProofFields, SocialState } from "./social-state.ts";

/** One attempt at a provider's popup, from the click to the proof: shows its progress, or what went wrong. */
export function SocialPopup(props: {
  provider: SocialProvider;
  askAgain: AskAgain | undefined;
  refused?: Refused | undefined;
  onState: (change: Partial<SocialState>) => void;
  onProof: (fields: ProofFields) => void;
}) {
  const { t, locale } = useTexts();
  const settings = useSocialSettings();
  const sending = useNavigation().state !== "idle";
  const [working, setWorking] = useState(true);
  const [opened, setOpened] = useState(false);
  const [open, setOpen] = useState<() => void>();
  const [failure, setFailure] = useState<FailureReason>();
  const container = useRef<HTMLDivElement>(null);
  const flow = useRef<AbortController>(undefined);
  const provider = providerNames[props.provider];

  function end() {
    flow.current?.abort();
    setWorking(false);
    props.onState({ working: false });
  }

  const start = useEffectEvent(async (signal: AbortSignal) => {
    props.onState({ working: true });
    const result = await requestProof(settings, {
      ...props,
      locale,
      signal,
      container: () => container.current,
      onProgress: ({ opened: isOpen, open, ...change }) => {
        if (signal.aborted) return;
        if (isOpen) setOpened(true);
        if (open) setOpen(() => open);
        props.onState(change);
      },
    });
    if (signal.aborted) return;
    end();
    if (typeof result === "string") setFailure(result);
    else props.onProof(result);
  });

  useEffect(() => {
    const controller = new AbortController();
    flow.current = controller;
    void start(controller.signal);
    return () => controller.abort();
  }, []);

  if (working)
    return (
      <div className="mt-6 flex flex-col items-center gap-3 text-center text-md">
        <span className="spinner" />
        <p role="status">{t(opened ? "identity.social.waiting" : "identity.social.working", { provider })}</p>
        <div className={`w-full max-w-xs ${opened ? "" : "invisible"}`}>
          <p className="mb-2 text-sm text-soft">{t("identity.social.instead")}</p>
          {/* Google renders its own button here. */}
          <div ref={container} className="flex min-h-11 justify-center">
            {open && (
              <button type="button" className="button w-full" onClick={open}>
                {t("identity.social.with", { provider })}
              </button>
            )}
          </div>
        </div>
        <button type="button" className="min-h-11 px-4" onClick={end}>
          <span className="underlined">{t("identity.social.cancel")}</span>
        </button>
      </div>
    );
  const { refused } = props;
  const unavailable = refused?.problem?.code === "unavailable" && t("identity.social.away", { provider });
  const text = failure
    ? t(`identity.social.${failure}`, { provider })
    : refused && (unavailable || refused.problem?.detail || t("form.unreachable"));
  if (sending || !text) return null;
  return (
    <p role="alert" className="mt-5 message">
      {text}
    </p>
  );
}
