import { useNavigation, useSubmit } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { providerNames, socialProviders } from "#identity/customer/social-providers.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { useSocialSettings } from "./social-context.tsx";
import { useSocialFlow } from "./social-flow.tsx";

/** Below the sign-in and registration forms: sign in with a provider instead. Nothing of a provider loads before a click. */
export function SocialButtons({ refused }: { refused: Refused | undefined }) {
  const { t } = useTexts();
  const settings = useSocialSettings();
  const submit = useSubmit();
  const busy = useNavigation().state !== "idle";
  const social = useSocialFlow(
    (provider, fields) => submit({ ...fields, intent: provider }, { method: "post", preventScrollReset: true }),
    // A connected customer would get no window, and could never share the address that was withheld.
    { askAgain: refused?.problem?.code === "email_not_shared" ? "rerequest" : undefined },
  );
  const { state } = social;
  const offered = socialProviders.filter((provider) => settings[provider]);
  if (offered.length === 0) return null;
  const working = state.working || (busy && social.provider !== undefined);
  const names = offered.map((provider) => providerNames[provider]).join(` ${t("identity.social.or")} `);
  return (
    <div className="social mt-9">
      <p className="flex items-center gap-4 text-md text-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        {t("identity.social.or")}
      </p>
      {/* One below the other where the emails are large. */}
      <div className="mt-7 grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-3">
        {offered.map((provider) => (
          <button
            key={provider}
            type="button"
            className="button px-4"
            data-provider={provider}
            aria-label={t("identity.social.with", { provider: providerNames[provider] })}
            aria-disabled={working || undefined}
            onClick={() => !working && social.start(provider)}
            data-working={(working && social.provider === provider) || undefined}
            {...(provider === "facebook" && { "data-sdk": state.sdk, "data-connected": state.connected })}
          >
            {providerNames[provider]}
          </button>
        ))}
      </div>
      <p className="mt-3 text-balance text-center text-xs text-soft">
        {t("identity.social.note", { providers: names })}
      </p>
      {social.status(refused?.intent === social.provider ? refused : undefined)}
    </div>
  );
}
