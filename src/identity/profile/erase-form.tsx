import { useTexts } from "#i18n/use-texts.tsx";
import type { Customer } from "#identity/session/browser/session.ts";
import { EraseWithSocial } from "#identity/social/screen/social-section.tsx";
import type { Refused } from "#platform/api/client/form.ts";
import { PasswordField } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";

/** Erases the account: by the password, a recent sign-in or the provider. */
export function EraseForm(props: { customer: Customer; proofNeeded: boolean; refused: Refused | undefined }) {
  const { customer, proofNeeded, refused } = props;
  const { t } = useTexts();
  if (!customer.HasPassword && customer.SocialLogins.length > 0)
    return <EraseWithSocial customer={customer} refused={refused} />;
  return (
    <PageForm intent="erase" refused={refused}>
      {!customer.HasPassword && !customer.Guest && proofNeeded && <p>{t("informations.eraseRecent")}</p>}
      {customer.HasPassword && (
        <PasswordField name="Password" label={t("informations.erasePassword")} autoComplete="current-password" />
      )}
      <Submit className="button danger">{t("informations.eraseSubmit")}</Submit>
    </PageForm>
  );
}
