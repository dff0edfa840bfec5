import type { ReactNode } from "react";
import { useCustomer } from "#identity/session/browser/session.ts";
import { Navbar } from "#shell/menu/navbar.tsx";
import { createStore, useStore } from "#ui/browser/store.ts";
import { lazyPart, sharedPart } from "#ui/lazy.tsx";
import { Notice } from "./notice.tsx";

/** The bar above every page on the shop's own device; no other device loads it. */
export const shopBarStore = createStore<ReactNode>(undefined);

/** Links, and what a navigation says: neither is needed before the first press. */
const Footer = sharedPart(async () => (await import("#shell/menu/footer.tsx")).Footer);
const RouteAnnouncer = lazyPart(async () => (await import("#shell/navigation/route-announcer.tsx")).RouteAnnouncer);

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
