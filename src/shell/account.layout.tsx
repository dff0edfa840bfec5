import { useState } from "react";
import { type LoaderFunctionArgs, Outlet, useSearchParams } from "react-router";
import type { TextPart } from "#i18n/text-parts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { joinedParameter } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import { readLoyalty } from "#loyalty/calls.ts";
import { useOfflineCard } from "#offline/use-offline-card.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { forCustomerField } from "#platform/api/client/client.ts";
import { lostSession, refusalContext } from "#platform/api/client/form.ts";
import { useLoaded } from "#platform/api/client/use-loaded.ts";
import { noteSessionRefusal, useSessionChanges } from "#shell/session/session-changes.ts";
import { sessionStore } from "#shell/session/session-store.ts";
import { useStore } from "#ui/browser/store.ts";
import { FormFrame } from "#ui/form/page-form.tsx";
import { lazyPart, sharedPart } from "#ui/lazy.tsx";

/** The menus work without script, logging out too. */
const texts: TextPart[] = ["later"];
const AccountMenu = sharedPart(async () => (await import("#shell/menu/account-menu.tsx")).AccountMenu, { texts });
const MobileMenu = sharedPart(async () => (await import("#shell/menu/mobile-menu.tsx")).MobileMenu, { texts });
const SessionNotice = lazyPart(async () => (await import("./session/session-notice.tsx")).SessionNotice, { texts });
/** Only who has just registered needs it. */
const JoinedMessage = lazyPart(async () => (await import("./joined-message.tsx")).JoinedMessage, {
  texts: ["member"],
  when: "shown",
});

/** Every account page shows the customer's standing in the club; when that fails, the account works without it. */
export async function loader({ context }: LoaderFunctionArgs) {
  const standing = await context
    .get(callContext)(readLoyalty)
    .catch(() => null);
  const refused = context.get(refusalContext);
  // For pages without script. With script the page is not loaded again, and the session store has the change.
  return { standing, lost: refused && lostSession(refused) ? refused : null };
}

/** Account pages: from lg up the menu takes 3 of 12 columns and the page 9; below, the menu is at the bottom. */
export function Component() {
  const { t } = useTexts();
  const { standing, lost } = useLoaded<typeof loader>();
  const customer = useCustomer();
  const madeFor = customer ? String(customer.IdCustomer) : lost?.values[forCustomerField];
  const changed = useStore(sessionStore, (session) => session !== undefined);
  const [search] = useSearchParams();
  // The message removes the parameter, and stays.
  const [joined] = useState(search.has(joinedParameter));
  useOfflineCard(customer, standing);
  useSessionChanges(madeFor, lost !== null);
  return (
    // A page rendered with its refusal has its notice already.
    <FormFrame
      value={{
        fields: madeFor ? { [forCustomerField]: madeFor } : {},
        onRefused: lost ? undefined : noteSessionRefusal,
      }}
    >
      <div className="wrap grid gap-x-14 pt-8 pb-10 sm:pb-16 lg:grid-cols-12 lg:pt-14 lg:pb-20">
        <nav aria-label={t("menu.label")} className="hidden lg:col-span-3 lg:block">
          <AccountMenu />
        </nav>
        <main id="content" className="account-page min-w-0 lg:col-span-9">
          {(changed || lost) && <SessionNotice madeFor={madeFor} lost={lost} />}
          {joined && standing?.LoyaltyCustomerState && <JoinedMessage standing={standing} />}
          <Outlet context={standing} />
        </main>
      </div>
      <MobileMenu />
    </FormFrame>
  );
}
