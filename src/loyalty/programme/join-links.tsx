import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/session.ts";

/** The next step into the club: to the card for a member, through the account for a customer, by registering for a stranger. */
export function WaysIn() {
  const { t } = useTexts();
  const path = useLocalePath();
  const customer = useCustomer();
  const inside = path(pagePaths.memberPage);
  return (
    <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-5">
      <Link className="button button-solid" to={customer ? inside : path(pagePaths.register)}>
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
