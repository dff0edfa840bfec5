import { type LoaderFunctionArgs, Outlet } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { useCustomer } from "#identity/session/session.ts";
import { readLoyalty } from "#loyalty/calls.ts";
import { useOfflineCard } from "#offline/use-offline-card.ts";
import { callContext, forCustomerField } from "#platform/api/client.ts";
import { lostSession, refusalContext } from "#platform/api/form.ts";
import { useLoaded } from "#platform/api/use-loaded.ts";
import { learnFrom, useOtherTabs } from "#shell/session/other-tabs.ts";
import { SessionNotice } from "#shell/session/session-notice.tsx";
import { FormFrame } from "#ui/form.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { MobileMenu } from "./mobile-menu.tsx";

/** The account opens with a look at the club; should that fail, the account is still an account. */
export async function loader({ context }: LoaderFunctionArgs) {
  const standing = await context
    .get(callContext)(readLoyalty)
    .catch(() => null);
  const refused = context.get(refusalContext);
  // Without script this alone says so; with it the page is not loaded again, and the tab's own news do.
  return { standing, lost: refused && lostSession(refused) ? refused : null };
}

/** Account pages: from lg up the menu takes 3 of 12 columns and the page 9; below, the menu is at the bottom. */
export function Component() {
  const { t } = useTexts();
  const { standing, lost } = useLoaded<typeof loader>();
  const customer = useCustomer();
  const madeFor = customer ? String(customer.IdCustomer) : lost?.values[forCustomerField];
  useOfflineCard(customer, standing);
  useOtherTabs(madeFor, lost !== null);
  return (
    // A page that came with its refusal came with its notice too.
    <FormFrame
      value={{ fields: madeFor ? { [forCustomerField]: madeFor } : {}, onRefused: lost ? undefined : learnFrom }}
    >
      <div className="wrap grid gap-x-14 pt-8 pb-16 lg:grid-cols-12 lg:pt-14 lg:pb-20">
        <nav aria-label={t("menu.label")} className="hidden lg:col-span-3 lg:block">
          <AccountMenu />
        </nav>
        <main id="content" className="account-page min-w-0 lg:col-span-9">
          <SessionNotice madeFor={madeFor} lost={lost} />
          <Outlet context={standing} />
        </main>
      </div>
      <MobileMenu />
    </FormFrame>
  );
}
