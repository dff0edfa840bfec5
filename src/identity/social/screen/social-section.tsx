import { useRef } from "react";
import { useSubmit } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { providerNames, type SocialProvider, socialProviders } from "#identity/customer/social-providers.ts";
import type { Customer } from "#identity/session/browser/session.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { PasswordField } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm, useFormFrame } from "#ui/form/page-form.tsx";
import { Section } from "#ui/section.tsx";
import { useSocialSettings } from "./social-context.tsx";
import { useSocialFlow } from "./social-flow.tsx";

/** The providers' accounts that sign in to this one: link another, or unlink one. */
export function SocialLogins({
  customer,
  proofNeeded,
  refused,
  done,
}: {
  customer: Customer;
  proofNeeded: boolean;
  refused: Refused | undefined;
  done: boolean;
}) {
  const { t } = useTexts();
  const settings = useSocialSettings();
  const submit = useSubmit();
  const password = useRef<HTMLFormElement>(null);
  const hidden = useFormFrame(refused);
  const social = useSocialFlow((provider, fields) =>
    submit(
      { ...fields, ...hidden, ...typedPassword(password.current), intent: `link-${provider}` },
      { method: "post", preventScrollReset: true },
    ),
  );
  const linked = (provider: SocialProvider) => customer.SocialLogins.includes(provider);
  // A linked one is shown even if its provider is no longer configured: it may still be unlinked.
  const shown = socialProviders.filter((provider) => settings[provider] || linked(provider));
  if (shown.length === 0) return null;
  const linking = refused?.intent === `link-${social.provider}` ? refused : undefined;
  const wrongPassword = linking?.problem?.errors?.find(({ field }) => field === "Password");
  return (
    <Section title={t("informations.social")} text={t("informations.socialText")}>
      {customer.HasPassword && (proofNeeded || wrongPassword) && !shown.every(linked) && (
        // Its value is sent along with the provider's proof.
        <form ref={password} className="social mb-6" onSubmit={(event) => event.preventDefault()}>
          <input type="hidden" name="username" autoComplete="username" value={customer.Email} readOnly />
          <PasswordField
            name="Password"
            label={t("informations.socialPassword")}
            autoComplete="current-password"
            hint={t("informations.socialPasswordHint")}
            error={wrongPassword?.message}
            optional
          />
        </form>
      )}
      <ul className="border-line border-t">
        {shown.map((provider) => (
          <li
            key={provider}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-4"
          >
            <div>
              <p className="flex items-center gap-2.5" data-provider={provider}>
                {providerNames[provider]}
              </p>
              <p className={`text-sm ${linked(provider) ? "text-success" : "text-soft"}`}>
                {t(linked(provider) ? "informations.socialLinked" : "informations.socialNotLinked")}
              </p>
            </div>
            {linked(provider) ? (
              <PageForm intent={`unlink-${provider}`} refused={refused} className="max-w-[20rem] space-y-2">
                <Submit className="button small">
                  {t("informations.socialUnlink")} <span className="sr-only">{providerNames[provider]}</span>
                </Submit>
              </PageForm>
            ) : (
              <button
                type="button"
                className="social button small"
                aria-disabled={social.state.working || undefined}
                onClick={() => social.start(provider)}
              >
                {t("informations.socialLink")} <span className="sr-only">{providerNames[provider]}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {social.status(linking)}
      <div className="mt-4">
        <Done text={done && "informations.socialDone"} />
      </div>
    </Section>
  );
}

function typedPassword(form: HTMLFormElement | null): { Password?: string } {
  const typed = form ? String(new FormData(form).get("Password") ?? "") : "";
  return typed === "" ? {} : { Password: typed };
}

/** A customer without a password reauthenticates at the provider. */
export function EraseWithSocial({ customer, refused }: { customer: Customer; refused: Refused | undefined }) {
  const { t } = useTexts();
  const settings = useSocialSettings();
  const submit = useSubmit();
  const hidden = useFormFrame(refused);
  const social = useSocialFlow(
    (_provider, fields) => submit({ ...fields, ...hidden, intent: "erase" }, { method: "post" }),
    { askAgain: "reauthenticate" },
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
            className="button danger"
            aria-disabled={social.state.working || undefined}
            onClick={() => social.start(provider)}
          >
            {t("informations.eraseWith", { provider: providerNames[provider] })}
          </button>
        ))}
      </div>
      {social.status(refused?.intent === "erase" ? refused : undefined)}
    </div>
  );
}
