import { useSubmit } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Refused } from "#platform/form.ts";
import { Done, Form, Submit, useFormFrame } from "#ui/form.tsx";
import { Section } from "#ui/section.tsx";
import type { Customer } from "./session.ts";
import { useSocialSettings } from "./social-context.tsx";
import { useSocialPress } from "./social-press.tsx";
import { providerNames, type SocialProvider, socialProviders } from "./social-settings.ts";

/** The providers' accounts that open this one: link another, or let one go. */
export function SocialLogins({
  customer,
  refused,
  done,
}: {
  customer: Customer;
  refused: Refused | undefined;
  done: boolean;
}) {
  const { t } = useTexts();
  const settings = useSocialSettings();
  const submit = useSubmit();
  const hidden = useFormFrame(refused);
  const social = useSocialPress((provider, fields) =>
    submit({ ...fields, ...hidden, intent: `link-${provider}` }, { method: "post", preventScrollReset: true }),
  );
  const linked = (provider: SocialProvider) => customer.SocialLogins.includes(provider);
  // One that is linked is shown even where its provider is no longer configured: it may still be let go.
  const shown = socialProviders.filter((provider) => settings[provider] || linked(provider));
  if (shown.length === 0) return null;
  return (
    <Section title={t("informations.social")} text={t("informations.socialText")}>
      <ul className="border-line border-t">
        {shown.map((provider) => (
          <li
            key={provider}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-4"
          >
            <div>
              <p>{providerNames[provider]}</p>
              <p className={`text-[0.875rem] ${linked(provider) ? "text-good" : "text-soft"}`}>
                {t(linked(provider) ? "informations.socialLinked" : "informations.socialNotLinked")}
              </p>
            </div>
            {linked(provider) ? (
              <Form intent={`unlink-${provider}`} refused={refused} className="max-w-[20rem] space-y-2">
                <Submit className="button button-outline button-small">
                  {t("informations.socialUnlink")} <span className="sr-only">{providerNames[provider]}</span>
                </Submit>
              </Form>
            ) : (
              <button
                type="button"
                className="social button button-outline button-small"
                aria-disabled={social.state.working || undefined}
                onClick={() => social.press(provider)}
              >
                {t("informations.socialLink")} <span className="sr-only">{providerNames[provider]}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {social.status(refused?.intent === `link-${social.provider}` ? refused : undefined)}
      <div className="mt-4">
        <Done text={done && "informations.socialDone"} />
      </div>
    </Section>
  );
}

/** Whoever has no password shows once more at the provider who they are. */
export function EraseWithSocial({ customer, refused }: { customer: Customer; refused: Refused | undefined }) {
  const { t } = useTexts();
  const settings = useSocialSettings();
  const submit = useSubmit();
  const hidden = useFormFrame(refused);
  const social = useSocialPress(
    (_provider, fields) => submit({ ...fields, ...hidden, intent: "erase" }, { method: "post" }),
    {
      fresh: true,
    },
  );
  const offered = socialProviders.filter((provider) => settings[provider] && customer.SocialLogins.includes(provider));
  return (
    <div className="social mt-4 space-y-5">
      <p>{t("informations.eraseSocial")}</p>
      <div className="flex flex-wrap gap-3">
        {offered.map((provider) => (
          <button
            key={provider}
            type="button"
            className="button border-bad bg-bad text-paper"
            aria-disabled={social.state.working || undefined}
            onClick={() => social.press(provider)}
          >
            {t("informations.eraseWith", { provider: providerNames[provider] })}
          </button>
        ))}
      </div>
      {social.status(refused?.intent === "erase" ? refused : undefined)}
    </div>
  );
}
