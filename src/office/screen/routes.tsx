import { createBrowserRouter, redirect } from "react-router";
import { RouterProvider } from "react-router/dom";
import { type Locale, localePath } from "#i18n/locale.ts";
import { CampaignResult, loadCampaignResult } from "#office/campaigns/screen/campaign-result.tsx";
import { Campaigns, loadCampaigns } from "#office/campaigns/screen/campaigns.tsx";
import { HoldOut, loadHoldOut } from "#office/campaigns/screen/hold-out.tsx";
import { Clients, loadClients } from "#office/clients/screen/clients.tsx";
import { Approvals, loadApprovals } from "#office/customers/screen/approvals/approvals.tsx";
import { loadCustomer } from "#office/customers/screen/customer.data.ts";
import { CustomerPage } from "#office/customers/screen/customer.tsx";
import { Customers, loadCustomers } from "#office/customers/screen/customers.tsx";
import { Inbox, loadInbox } from "#office/inbox/screen/inbox.tsx";
import { loadMetrics, Metrics } from "#office/metrics/screen/metrics.tsx";
import { loadMonthEnd, MonthEnd } from "#office/month-end/screen/month-end.tsx";
import { loadMoveCases, MoveCases } from "#office/move/screen/cases.tsx";
import { loadMoves, Moves } from "#office/move/screen/move.tsx";
import { officePath } from "#office/paths.ts";
import { loadProgramme, Programme } from "#office/programme/screen/programme.tsx";
import { loadReceipt, ReceiptPage } from "#office/receipts/screen/receipt.tsx";
import { loadSegments, Segments } from "#office/segments/screen/segments.tsx";
import { loadShop, Shop } from "#office/shops/screen/shop.tsx";
import { loadShops, Shops } from "#office/shops/screen/shops.tsx";
import { readSession } from "#office/sign-in/calls.ts";
import { Invitation, loadInvitation } from "#office/sign-in/screen/invitation.tsx";
import { AuditLog, loadAudit } from "#office/team/screen/audit-log.tsx";
import { LookUps, loadLookUps } from "#office/team/screen/look-ups.tsx";
import { loadMyAccess, MyAccess } from "#office/team/screen/my-access.tsx";
import { loadTeam } from "#office/team/screen/team.data.ts";
import { Team } from "#office/team/screen/team.tsx";
import { loadWebhooks } from "#office/webhooks/screen/webhooks.data.ts";
import { Webhooks } from "#office/webhooks/screen/webhooks.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import { ChoosePin, loadPinLink } from "./choose-pin.tsx";
import { Failed, FailedEntrance } from "./failed.tsx";
import { failureOf } from "./failure.ts";
import { inboxPath, sectionsOf } from "./menu.ts";
import { NotFound } from "./not-found.tsx";
import type { Session } from "./session.tsx";
import { Office, Opening } from "./shell.tsx";

/** Every page of the back office. A page's loader reads what it shows; anyone who is not signed in sees the sign-in in its place. */
export function officePages(locale: Locale) {
  const router = createBrowserRouter(
    [
      {
        path: "/invitation",
        Component: Invitation,
        loader: loadInvitation,
        HydrateFallback: Opening,
        ErrorBoundary: FailedEntrance,
      },
      {
        path: "/pin",
        Component: ChoosePin,
        loader: loadPinLink,
        HydrateFallback: Opening,
        ErrorBoundary: FailedEntrance,
      },
      {
        id: "office",
        path: "/",
        Component: Office,
        loader: sessionLoader(),
        // Read with every page: the menu says what waits.
        shouldRevalidate: () => true,
        HydrateFallback: Opening,
        ErrorBoundary: FailedEntrance,
        children: [
          {
            // A page that fails leaves the menu in its place.
            ErrorBoundary: Failed,
            children: [
              { index: true, loader: openFirstModule },
              { path: "inbox", Component: Inbox, loader: loadInbox },
              { path: "customers", Component: Customers, loader: loadCustomers },
              { path: "customer", Component: CustomerPage, loader: loadCustomer },
              { path: "approvals", Component: Approvals, loader: loadApprovals },
              { path: "move", Component: Moves, loader: loadMoves },
              { path: "cases", Component: MoveCases, loader: loadMoveCases },
              { path: "receipt", Component: ReceiptPage, loader: loadReceipt },
              { path: "shops", Component: Shops, loader: loadShops },
              { path: "shop", Component: Shop, loader: loadShop },
              { path: "campaigns", Component: Campaigns, loader: loadCampaigns },
              { path: "campaign", Component: CampaignResult, loader: loadCampaignResult },
              { path: "hold-out", Component: HoldOut, loader: loadHoldOut },
              { path: "segments", Component: Segments, loader: loadSegments },
              { path: "figures", Component: Metrics, loader: loadMetrics },
              { path: "month-end", Component: MonthEnd, loader: loadMonthEnd },
              { path: "programme", Component: Programme, loader: loadProgramme },
              { path: "clients", Component: Clients, loader: loadClients },
              { path: "webhooks", Component: Webhooks, loader: loadWebhooks },
              { path: "team", Component: Team, loader: loadTeam },
              { path: "audit", Component: AuditLog, loader: loadAudit },
              { path: "look-ups", Component: LookUps, loader: loadLookUps },
              { path: "me", Component: MyAccess, loader: loadMyAccess },
              { path: "*", Component: NotFound },
            ],
          },
        ],
      },
    ],
    { basename: localePath(locale, officePath) },
  );
  return <RouterProvider router={router} />;
}

/** Who is signed in. Where only this cannot be read, or nothing can, the menu stays as it was, around what the page says. */
function sessionLoader() {
  let known: Session | undefined;
  return async () => {
    try {
      known = await browserCall(readSession);
    } catch (error) {
      if (!known || failureOf(error).code === "not_signed_in") {
        known = undefined;
        throw error;
      }
    }
    return known;
  };
}

/** Each role begins with the first module of its menu that is its own. */
async function openFirstModule() {
  const { Role } = await browserCall(readSession);
  const first = sectionsOf(Role).find(({ path }) => path !== inboxPath);
  return redirect(first?.path ?? "/me");
}
