import { useNavigation } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Refused } from "#platform/form.ts";
import { providerNames } from "./social-settings.ts";
import type { SocialJourney } from "./use-social-proof.ts";

/** Below the providers' buttons: what is being waited for, or what went wrong and what to do now. */
export function SocialStatus({ journey, refused }: { journey: SocialJourney; refused?: Refused | undefined }) {
  const { t } = useTexts();
  const { state, place, cancel } = journey;
  const sending = useNavigation().state !== "idle";
  const provider = state.provider ? providerNames[state.provider] : "";
  if (state.working)
    return (
      <div className="mt-6 flex flex-col items-center gap-3 text-center text-[0.9375rem]">
        <span className="spinner" />
        <p role="status">{t(state.opened ? "identity.social.waiting" : "identity.social.working", { provider })}</p>
        {state.provider === "google" && (
          <div className={`w-full max-w-xs ${state.opened ? "" : "invisible"}`}>
            <p className="mb-2 text-[0.875rem] text-soft">{t("identity.social.instead")}</p>
            <div ref={place} className="flex min-h-11 justify-center" />
          </div>
        )}
        <button type="button" className="min-h-11 px-4" onClick={cancel}>
          <span className="underlined">{t("identity.social.cancel")}</span>
        </button>
      </div>
    );
  if (sending || !state.provider) return null;
  const away = refused?.problem?.code === "unavailable" && t("identity.social.away", { provider });
  const text = state.trouble
    ? t(`identity.social.${state.trouble}`, { provider })
    : refused && (away || refused.problem?.detail || t("form.unreachable"));
  return text ? (
    <p role="alert" className="mt-5 text-[0.9375rem] text-bad">
      {text}
    </p>
  ) : null;
}
