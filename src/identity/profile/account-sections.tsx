import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { EmailSection } from "#identity/address/email-section.tsx";
import { ApplicationSection } from "#identity/applications/application-section.tsx";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import { ConfirmPasswordField, NewPasswordField } from "#identity/fields/new-password-fields.tsx";
import { PasskeySection } from "#identity/passkeys/passkey-section.tsx";
import { exportFileName, exportTableFileName, pagePaths, readableExportFileName } from "#identity/paths.ts";
import type { Customer } from "#identity/session/browser/session.ts";
import { DeviceList } from "#identity/session/device/device-list.tsx";
import { SocialLogins } from "#identity/social/screen/social-section.tsx";
import type { Refused } from "#platform/api/client/form.ts";
import { Checkbox, Field, PasswordField } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";
import { Section } from "#ui/section.tsx";
import { DetailsRow } from "./details-row.tsx";

interface Props {
  customer: Customer;
  pending: Parameters<typeof EmailSection>[0]["pending"];
  passkeys: Parameters<typeof PasskeySection>[0]["passkeys"];
  applications: Parameters<typeof ApplicationSection>[0]["applications"];
  sessions: Parameters<typeof DeviceList>[0]["sessions"];
  /** The sign-in is too long ago to add another way in without the password. */
  proofNeeded: boolean;
  refused: Refused | undefined;
  /** What the last action did. */
  done: string | undefined;
}

/** The rows below the profile: sign-in and security, messages, the customer's data. */
export function AccountSections(props: Props) {
  const { customer, pending, passkeys, applications, sessions, proofNeeded, refused, done } = props;
  const { t, locale } = useTexts();
  const path = useLocalePath();
  const row = { refused, done };
  return (
    <>
      <DetailsRow name="security" title={t("informations.security")} value={writtenEmail(customer.Email)} {...row}>
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
        <ApplicationSection applications={applications} refused={refused} done={done === "application-remove"} />
      </DetailsRow>
      <Messages customer={customer} {...row} />
      <DetailsRow name="data" title={t("informations.export")} value={t("informations.dataValue")} {...row}>
        <p className="text-soft">{t("informations.exportText")}</p>
        <div className="grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(12.5rem,1fr))]">
          <a
            className="button px-3"
            href={`/api/customer/export/html?LanguageIsoCode=${locale}`}
            download={readableExportFileName}
          >
            {t("informations.exportRead")}
          </a>
          <a className="button px-3" href="/api/customer/export" download={exportFileName}>
            {t("informations.exportSubmit")}
          </a>
          <a className="button px-3" href="/api/customer/export/csv" download={exportTableFileName}>
            {t("informations.exportTable")}
          </a>
        </div>
        <Link className="inline-flex min-h-11 items-center" to={path(pagePaths.erase)}>
          <span className="underlined text-danger">{t("informations.eraseOpen")}</span>
        </Link>
      </DetailsRow>
    </>
  );
}

/** What the customer wants to hear, apart from the profile. */
function Messages(props: Pick<Props, "customer" | "refused" | "done">) {
  const { customer, refused, done } = props;
  const { t } = useTexts();
  const { NewsletterSubscribe: email, NewsletterSmsSubscribe: sms } = customer;
  const by = email && sms ? "both" : email ? "email" : sms ? "sms" : "none";
  return (
    <DetailsRow
      name="messages"
      title={t("informations.messages")}
      value={t(`informations.messagesBy.${by}`)}
      refused={refused}
      done={done}
    >
      <PageForm intent="messages" refused={refused}>
        <input type="hidden" name="Firstname" value={customer.Firstname} />
        {/* The profile has no edit without a name; a provider may have told none. */}
        {customer.Lastname ? (
          <input type="hidden" name="Lastname" value={customer.Lastname} />
        ) : (
          <Field name="Lastname" label={t("identity.lastname")} autoComplete="family-name" />
        )}
        <div>
          <Checkbox name="NewsletterSubscribe" initial={customer.NewsletterSubscribe}>
            {t("identity.consent.newsletter")}
          </Checkbox>
          <Checkbox name="NewsletterSmsSubscribe" initial={customer.NewsletterSmsSubscribe}>
            {t("identity.consent.sms")}
          </Checkbox>
          <p className="text-sm text-soft">{t("identity.messagesAge")}</p>
        </div>
        <Done text={done === "messages" && "identity.saved"} />
        <Submit className="button solid">{t("informations.messagesSave")}</Submit>
      </PageForm>
    </DetailsRow>
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
