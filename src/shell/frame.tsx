import type { ReactNode } from "react";
import { useCustomer } from "#identity/session.ts";
import { Footer } from "./footer.tsx";
import { Navbar } from "./navbar.tsx";

/** What every page has: navbar above, footer below. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <Navbar firstname={useCustomer()?.Firstname} />
      {children}
      <Footer />
    </>
  );
}
