import { useTexts } from "#i18n/use-texts.tsx";
import { CompanySignIn, companyAccount } from "./company-link.tsx";
import { Credentials } from "./credentials.tsx";
import { Entrance } from "./entrance.tsx";

/** Stands in the place of any page until a person has signed in; then the page itself is read again. */
export function SignIn({ onDone }: { onDone: () => void }) {
  const { t } = useTexts();
  return (
    <Entrance title={t("office.signIn.title")}>
      <CompanySignIn />
      <Credentials proof={false} onDone={onDone} />
      <p className="note">
        {t(companyAccount() === "required" ? "office.company.passwordsOff" : "office.signIn.help")}
      </p>
    </Entrance>
  );
}
