import { useTexts } from "#i18n/use-texts.tsx";
import { EmailSection } from "#identity/address/email-section.tsx";
import { ConfirmPasswordField, NewPasswordField } from "#identity/fields/new-password-fields.tsx";
import { PasskeySection } from "#identity/passkeys/passkey-section.tsx";
import { exportFileName, readableExportFileName } from "#identity/paths.ts";
import type { Customer } from "#identity/session/browser/session.ts";
import { DeviceList } from "#identity/session/device/device-list.tsx";
import { EraseWithSocial, SocialLogins } from "#identity/social/screen/social-section.tsx";
import type { Refused } from "#platform/api/client/form.ts";
import { PasswordField } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";
import { Section } from "#ui/section.tsx";

/** The page below the profile: address, password, providers, devices, export and erasure. */
export function AccountSections(props: {
  customer: Customer;
  pending: Parameters<typeof EmailSection>[0]["pending"];
  passkeys: Parameters<typeof PasskeySection>[0]["passkeys"];
  sessions: Parameters<typeof DeviceList>[0]["sessions"];
  /** The sign-in is too long ago to add another way in without the password. */
  proofNeeded: boolean;
  refused: Refused | undefined;
  /** What the last action did. */
  done: string | undefined;
}) {
  const { customer, pending, passkeys, sessions, proofNeeded, refused, done } = props;
  const { t, locale } = useTexts();
  return (
    <>
      <EmailSection customer={customer} pending={pending} proofNeeded={proofNeeded} refused={refused} done={done} />
      {!customer.Guest && (
        <>
          <PasswordSection customer={customer} refused={refused} done={done} />
          <PasskeySection
            customer={customer}
            passkeys={passkeys}
            proofNeeded={proofNeeded}
            refused={refused}
            done={done}
          />
          <SocialLogins
            customer={customer}
            proofNeeded={proofNeeded}
            refused={refused}
            done={/^(un)?link-/.test(done ?? "")}
          />
        </>
      )}
      <Section title={t("informations.devices")} text={t("informations.devicesText")}>
        <DeviceList sessions={sessions} refused={refused} done={done === "device" || done === "other-devices"} />
      </Section>
      <Section title={t("informations.export")} text={t("informations.exportText")}>
        <div className="flex flex-wrap gap-3">
          <a
            className="button"
            href={`/api/customer/export/html?LanguageIsoCode=${locale}`}
            download={readableExportFileName}
          >
            {t("informations.exportRead")}
          </a>
          <a className="button" href="/api/customer/export" download={exportFileName}>
            {t("informations.exportSubmit")}
          </a>
        </div>
      </Section>
      <Erasure customer={customer} proofNeeded={proofNeeded} refused={refused} />
    </>
  );
}

/** A guest's password is set by a mailed link, which proves the address. */
function PasswordSection(props: { customer: Customer; refused: Refused | undefined; done: string | undefined }) {
  const { customer, refused, done } = props;
  const { t } = useTexts();
  return (
    <Section
      title={t("informations.passwordTitle")}
      text={t(customer.HasPassword ? "informations.passwordText" : "informations.passwordFirst")}
    >
      <PageForm key={done === "password" ? "done" : "open"} intent="password" refused={refused}>
        <input type="hidden" name="username" autoComplete="username" value={customer.Email} readOnly />
        {customer.HasPassword && (
          <PasswordField name="CurrentPassword" label={t("identity.currentPassword")} autoComplete="current-password" />
        )}
        <NewPasswordField label={t("identity.newPassword")} />
        <ConfirmPasswordField />
        <Done text={done === "password" && "informations.passwordDone"} />
        <Submit className="button">
          {t(customer.HasPassword ? "informations.passwordSubmit" : "informations.passwordFirstSubmit")}
        </Submit>
      </PageForm>
    </Section>
  );
}

/** Folded, so that no one erases an account by accident. */
function Erasure(props: { customer: Customer; proofNeeded: boolean; refused: Refused | undefined }) {
  const { customer, proofNeeded, refused } = props;
  const { t } = useTexts();
  return (
    <Section title={t("informations.erase")} text={t("informations.eraseText")}>
      <details open={refused?.intent === "erase" || undefined}>
        <summary className="inline-flex min-h-11 list-none items-center">
          <span className="underlined text-danger">{t("informations.eraseOpen")}</span>
        </summary>
        {customer.HasPassword || customer.SocialLogins.length === 0 ? (
          <PageForm intent="erase" refused={refused} className="mt-4 space-y-5">
            {!customer.HasPassword && !customer.Guest && proofNeeded && <p>{t("informations.eraseRecent")}</p>}
            {customer.HasPassword && (
              <PasswordField name="Password" label={t("informations.erasePassword")} autoComplete="current-password" />
            )}
            <Submit className="button danger">{t("informations.eraseSubmit")}</Submit>
          </PageForm>
        ) : (
          <EraseWithSocial customer={customer} refused={refused} />
        )}
      </details>
    </Section>
  );
}
