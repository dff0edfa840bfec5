import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/session.ts";

/** Links to the card for a member, to joining for a customer, to registration and sign-in for a visitor. */
export function JoinLinks() {
  const { t } = useTexts();
  const path = useLocalePath();
  const customer = useCustomer();
  return (
    <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-5">
      <Link className="button button-solid" to={path(customer ? pagePaths.memberPage : pagePaths.register)}>
        {t(customer?.LoyaltySubscribe ? "loyalty.toCard" : "loyalty.join")}
      </Link>
      {!customer && (
        <Link className="underlined py-1" to={path(pagePaths.login)}>
          {t("home.haveAccount")}
        </Link>
      )}
    </div>
  );
}
