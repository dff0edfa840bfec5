import { Link, type LoaderFunctionArgs } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths, registerToJoinPath } from "#identity/paths.ts";
import { loginToAccountPath } from "#identity/session/browser/redirect-after-sign-in.ts";
import { maybeSignedIn, useCustomer } from "#identity/session/browser/session.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { readLoyalty } from "#loyalty/calls.ts";
import { callContext } from "#platform/api/client/call-context.ts";

/** For pages that everybody may see: null for a visitor, and when it fails, since the page is there without it too. */
export async function maybeStanding({ request, context }: LoaderFunctionArgs): Promise<LoyaltyCustomer | null> {
  if (!maybeSignedIn(request)) return null;
  return context
    .get(callContext)(readLoyalty)
    .catch(() => null);
}

/** Said in place of the welcome gift to a customer who has had it and is no longer a member. */
export function useReturnText(standing: LoyaltyCustomer | null): string | undefined {
  const { t, number } = useTexts();
  const customer = useCustomer();
  if (!customer || !standing || standing.LoyaltyCustomerState || standing.WelcomePoints > 0) return undefined;
  const count = standing.Points.Available;
  return t("loyalty.leadAgain", { count, formatted: number(count) });
}

/** Links to the card for a member, to joining for a customer, to registration and sign-in for a visitor. */
export function JoinLinks({ returning }: { returning: boolean }) {
  const { t } = useTexts();
  const path = useLocalePath();
  const customer = useCustomer();
  return (
    <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-5">
      <Link className="button solid" to={path(customer ? pagePaths.memberPage : registerToJoinPath)}>
        {t(customer?.LoyaltySubscribe ? "loyalty.toCard" : returning ? "loyalty.return" : "loyalty.join")}
      </Link>
      {!customer && (
        <Link className="inline-flex min-h-11 items-center" to={path(loginToAccountPath)}>
          <span className="underlined">{t("home.haveAccount")}</span>
        </Link>
      )}
    </div>
  );
}
