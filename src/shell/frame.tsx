import type { ReactNode } from "react";
import { useCustomer } from "#identity/session/session.ts";
import { RouteAnnouncer } from "#shell/navigation/route-announcer.tsx";
import { createStore, useStore } from "#ui/store.ts";
import { Footer } from "./footer.tsx";
import { Navbar } from "./navbar.tsx";
import { Notice } from "./notice.tsx";

/** What stands above every page on the shop's own device; no other loads it. */
export const barStore = createStore<ReactNode>(undefined);

/** What every page has: navbar above, footer below, and what is told over both. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      {useStore(barStore, (bar) => bar)}
      <Navbar firstname={useCustomer()?.Firstname} />
      {children}
      <Footer />
      <Notice />
      <RouteAnnouncer />
    </>
  );
}
