import { useTexts } from "#i18n/use-texts.tsx";
import type { readPendingEmail } from "#identity/calls.ts";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import type { Customer } from "#identity/session/browser/session.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Field, PasswordField } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";
import { Section } from "#ui/section.tsx";

/** The address, and how it is changed: it stays the same until the new one is confirmed. */
export function EmailSection(props: {
  customer: Customer;
  pending: ResponseBody<typeof readPendingEmail>["Pending"];
  proofNeeded: boolean;
  refused: Refused | undefined;
  done: string | undefined;
}) {
  const { customer, pending, proofNeeded, refused, done } = props;
  const asked = refused?.problem?.errors?.some(({ field }) => field === "Password");
  const { t, date } = useTexts();
  return (
    <Section title={t("informations.email")}>
      <p className="break-words">{writtenEmail(customer.Email)}</p>
      <p className={`text-sm ${customer.EmailVerified ? "text-success" : "text-soft"}`}>
        {t(customer.EmailVerified ? "informations.emailConfirmed" : "informations.emailUnconfirmed")}
      </p>
      {pending && (
        <div className="mt-5 border-line border-y py-4">
          <p className="break-words">{t("informations.emailPending", { email: writtenEmail(pending.Email) })}</p>
          <p className="mt-1 text-md text-soft">
            {t("informations.emailPendingText", { date: date(pending.ExpiresAt) })}
          </p>
          <PageForm intent="email-cancel" refused={refused} className="mt-3">
            <Submit className="button small">{t("informations.emailCancel")}</Submit>
          </PageForm>
        </div>
      )}
      <div className="mt-4">
        <Done
          text={done === "email" ? "informations.emailSent" : done === "email-cancel" && "informations.emailCancelled"}
        />
      </div>
      {!customer.Guest && (
        <details key={done} className="mt-2" open={refused?.intent === "email" || undefined}>
          <summary className="inline-flex min-h-11 list-none items-center">
            <span className="underlined">{t("informations.emailOpen")}</span>
          </summary>
          <p className="mt-2 text-md text-soft">{t("informations.emailText")}</p>
          <PageForm intent="email" refused={refused} className="mt-4 space-y-5">
            <Field
              name="Email"
              type="email"
              label={t("informations.emailNew")}
              autoComplete="email"
              inputMode="email"
              code="email"
            />
            {customer.HasPassword && (proofNeeded || asked) && (
              <PasswordField
                name="Password"
                label={t("identity.currentPassword")}
                autoComplete="current-password"
                hint={t("informations.emailPasswordHint")}
                sometimes
              />
            )}
            <Submit className="button">{t("informations.emailSubmit")}</Submit>
          </PageForm>
        </details>
      )}
    </Section>
  );
}
