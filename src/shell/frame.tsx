import type { ReactNode } from "react";
import { useCustomer } from "#identity/session/session.ts";
import { RouteAnnouncer } from "#shell/navigation/route-announcer.tsx";
import { createStore, useStore } from "#ui/store.ts";
import { Footer } from "./footer.tsx";
import { Navbar } from "./navbar.tsx";
import { Notice } from "./notice.tsx";

/** The bar above every page on the shop's own device; no other device loads it. */
export const shopBarStore = createStore<ReactNode>(undefined);

/** What every page has: navbar, footer, the notice and the route announcer. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      {useStore(shopBarStore, (bar) => bar)}
      <Navbar firstname={useCustomer()?.Firstname} />
      {children}
      <Footer />
      <Notice />
      <RouteAnnouncer />
    </>
  );
}
