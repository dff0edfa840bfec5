import type { ReactNode } from "react";
import { useCustomer } from "#identity/session.ts";
import { Footer } from "./footer.tsx";
import { Navbar } from "./navbar.tsx";
import { Notice } from "./notice.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";

/** What every page has: navbar above, footer below, and what is told over both. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <Navbar firstname={useCustomer()?.Firstname} />
      {children}
      <Footer />
      <Notice />
      <RouteAnnouncer />
    </>
  );
}
