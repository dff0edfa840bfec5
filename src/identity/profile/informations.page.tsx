import type { LoaderFunctionArgs } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { ConfirmNotice } from "#identity/address/confirm-notice.tsx";
import {
  changePassword,
  editCustomer,
  endOtherSessions,
  endSession,
  eraseCustomer,
  linkFacebook,
  linkGoogle,
  listSessions,
  readCustomer,
  resendVerification,
  unlinkSocial,
} from "#identity/calls.ts";
import { BirthdayField, isoDay } from "#identity/fields/birthday-field.tsx";
import { PhoneField } from "#identity/fields/contact-fields.tsx";
import { ConfirmPasswordField, NewPasswordField } from "#identity/fields/new-password-fields.tsx";
import { erasedParameter, exportFileName, pagePaths } from "#identity/paths.ts";
import { DeviceList } from "#identity/session/device-list.tsx";
import { type Customer, sessionEnded } from "#identity/session/session.ts";
import { EraseWithSocial, SocialLogins } from "#identity/social/social-section.tsx";
import { callContext } from "#platform/api/client.ts";
import { formAction, isRefused, type Refused } from "#platform/api/form.ts";
import { useActed, useLoaded } from "#platform/api/use-loaded.ts";
import { Checkbox, Choice, Field, PasswordField } from "#ui/field.tsx";
import { Done, Form, Submit } from "#ui/form.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { Section } from "#ui/section.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  if (sessionEnded(context)) return null;
  const call = context.get(callContext);
  const [customer, sessions] = await Promise.all([call(readCustomer), call(listSessions)]);
  return { customer, sessions: sessions.Sessions };
}

export const action = formAction(async ({ form, intent, call, locale, go }) => {
  switch (intent) {
    case "resend":
      await call(resendVerification);
      break;
    case "password":
      await call(changePassword, form);
      break;
    case "device":
      await call(endSession, { id: String(form.get("id") ?? "") });
      break;
    case "other-devices":
      await call(endOtherSessions);
      break;
    case "link-google":
      await call(linkGoogle, form);
      break;
    case "link-facebook":
      await call(linkFacebook, form);
      break;
    case "unlink-google":
    case "unlink-facebook":
      await call(unlinkSocial, { provider: intent.replace("unlink-", "") });
      break;
    case "erase":
      await call(eraseCustomer, form);
      return go(`${pagePaths.home}?${erasedParameter}`);
    default:
      form.set("Birthday", isoDay(String(form.get("Birthday") ?? "")));
      form.set("LanguageIsoCode", locale);
      // An unchecked box sends nothing, which would mean "unchanged".
      for (const box of ["NewsletterSubscribe", "NewsletterSmsSubscribe"])
        form.set(box, String(form.get(box) ?? "false"));
      if (!form.get("MobilePhone")) form.set("MobilePhone", "none");
      await call(editCustomer, form);
  }
  return { ok: true as const, intent };
});

export function Component() {
  const { t } = useTexts();
  const loaded = useLoaded<typeof loader>();
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const done = acted?.ok ? acted.intent : undefined;
  const title = (
    <>
      <PageTitle title={t("informations.title")} />
      <h1 className="text-[clamp(2.25rem,5vw,3.25rem)]">{t("informations.title")}</h1>
    </>
  );
  if (!loaded)
    return (
      <>
        {title}
        {refused?.intent === "profile" && (
          <div className="mt-10 max-w-[44rem]">
            <Profile refused={refused} saved={false} />
          </div>
        )}
      </>
    );
  const { customer, sessions } = loaded;
  return (
    <>
      {title}
      <ConfirmNotice customer={customer} refused={refused} sent={done === "resend"} />
      <div className="mt-10 max-w-[44rem] space-y-14">
        <Profile customer={customer} refused={refused} saved={done === "profile"} />
        <Section
          title={t("informations.passwordTitle")}
          text={t(customer.HasPassword ? "informations.passwordText" : "informations.passwordFirst")}
        >
          <Form key={done === "password" ? "done" : "open"} intent="password" refused={refused}>
            <input type="hidden" name="username" autoComplete="username" value={customer.Email} readOnly />
            {customer.HasPassword && (
              <PasswordField
                name="CurrentPassword"
                label={t("identity.currentPassword")}
                autoComplete="current-password"
              />
            )}
            <NewPasswordField label={t("identity.newPassword")} />
            <ConfirmPasswordField />
            <Done text={done === "password" && "informations.passwordDone"} />
            <Submit className="button button-outline">
              {t(customer.HasPassword ? "informations.passwordSubmit" : "informations.passwordFirstSubmit")}
            </Submit>
          </Form>
        </Section>
        <SocialLogins customer={customer} refused={refused} done={/^(un)?link-/.test(done ?? "")} />
        <Section title={t("informations.devices")}>
          <DeviceList sessions={sessions} refused={refused} done={done === "device" || done === "other-devices"} />
        </Section>
        <Section title={t("informations.export")} text={t("informations.exportText")}>
          <a className="button button-outline" href="/api/customer/export" download={exportFileName}>
            {t("informations.exportSubmit")}
          </a>
        </Section>
        <Erasure customer={customer} refused={refused} />
      </div>
    </>
  );
}

function Profile(props: { customer?: Customer; refused: Refused | undefined; saved: boolean }) {
  const { customer, refused, saved } = props;
  const { t } = useTexts();
  return (
    <Section title={t("informations.profile")}>
      <Form intent="profile" refused={refused} marked>
        <Choice
          name="Civility"
          legend={t("identity.civility")}
          initial={customer?.Civility ?? "none"}
          options={[
            ["Mme", t("identity.civility.Mme")],
            ["M", t("identity.civility.M")],
            ["none", t("identity.civility.none")],
          ]}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            name="Firstname"
            label={t("identity.firstname")}
            autoComplete="given-name"
            initial={customer?.Firstname}
          />
          <Field
            name="Lastname"
            label={t("identity.lastname")}
            autoComplete="family-name"
            initial={customer?.Lastname}
          />
        </div>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          {/* A customer of a provider may have no birthday, and need not enter one to change a name. */}
          <BirthdayField initial={customer?.Birthday} optional={!customer?.Birthday} />
          <PhoneField initial={customer?.MobilePhone} />
        </div>
        <div>
          <Checkbox name="NewsletterSubscribe" initial={customer?.NewsletterSubscribe}>
            {t("identity.consent.newsletter")}
          </Checkbox>
          <Checkbox name="NewsletterSmsSubscribe" initial={customer?.NewsletterSmsSubscribe}>
            {t("identity.consent.sms")}
          </Checkbox>
        </div>
        <Done text={saved && "identity.saved"} />
        <Submit className="button button-solid">{t("informations.save")}</Submit>
      </Form>
    </Section>
  );
}

/** Folded, so that nobody erases an account by accident. */
function Erasure({ customer, refused }: { customer: Customer; refused: Refused | undefined }) {
  const { t } = useTexts();
  return (
    <Section title={t("informations.erase")} text={t("informations.eraseText")}>
      <details open={refused?.intent === "erase" || undefined}>
        <summary className="inline-flex min-h-11 list-none items-center">
          <span className="underlined text-bad">{t("informations.eraseOpen")}</span>
        </summary>
        {customer.HasPassword || customer.Guest ? (
          <Form intent="erase" refused={refused} className="mt-4 space-y-5">
            {customer.HasPassword && (
              <PasswordField name="Password" label={t("informations.erasePassword")} autoComplete="current-password" />
            )}
            <Submit className="button border-bad bg-bad text-paper">{t("informations.eraseSubmit")}</Submit>
          </Form>
        ) : (
          <EraseWithSocial customer={customer} refused={refused} />
        )}
      </details>
    </Section>
  );
}
