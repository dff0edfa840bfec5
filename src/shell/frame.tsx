import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { useCustomer } from "#identity/session.ts";
import { Footer } from "./footer.tsx";
import { Navbar } from "./navbar.tsx";
import { useOnline } from "./offline.ts";

/** What every page has: navbar above, footer below. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <Navbar firstname={useCustomer()?.Firstname} />
      <OfflineNotice />
      {children}
      <Footer />
    </>
  );
}

/** The page on the screen is the last one that came; this says why the next one may not. */
function OfflineNotice() {
  const { t } = useTexts();
  const online = useOnline();
  return (
    <div role="status" className={online ? "sr-only" : "bg-ink px-5 py-2 text-center text-[0.875rem] text-paper"}>
      {!online && t("offline.notice")}
    </div>
  );
}
