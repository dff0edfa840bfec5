import { type LoaderFunctionArgs, Outlet } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { useCustomer } from "#identity/session.ts";
import { readLoyalty } from "#loyalty/calls.ts";
import type { Standing } from "#loyalty/standing.ts";
import { callContext } from "#platform/client.ts";
import { useLoaded } from "#platform/use-loaded.ts";
import { AccountMenu } from "./account-menu.tsx";
import { MobileMenu } from "./mobile-menu.tsx";
import { useOfflineCard } from "./offline-card.ts";

/** The account opens with a look at the club; should that fail, the account is still an account. */
export async function loader({ context }: LoaderFunctionArgs): Promise<{ standing: Standing | null }> {
  const standing = await context
    .get(callContext)(readLoyalty)
    .catch(() => null);
  return { standing };
}

/** Account pages: from lg up the menu takes 3 of 12 columns and the page 9; below, the menu is at the bottom. */
export function Component() {
  const { t } = useTexts();
  const { standing } = useLoaded<typeof loader>();
  useOfflineCard(useCustomer(), standing);
  return (
    <>
      <div className="wrap grid gap-x-14 pt-8 pb-16 lg:grid-cols-12 lg:pt-14 lg:pb-20">
        <nav aria-label={t("menu.label")} className="hidden lg:col-span-3 lg:block">
          <AccountMenu />
        </nav>
        <main id="content" className="account-page min-w-0 lg:col-span-9">
          <Outlet context={standing} />
        </main>
      </div>
      <MobileMenu />
    </>
  );
}
