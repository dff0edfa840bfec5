import { lazy, type ReactNode, Suspense } from "react";
import { bringTexts } from "#i18n/catalogues.ts";
import { useCustomer } from "#identity/session.ts";
import { shopDevice } from "#identity/shop-device.ts";
import { useStore } from "#ui/store.ts";
import { orReload } from "./chunk-failure.ts";
import { Footer } from "./footer.tsx";
import { Navbar } from "./navbar.tsx";
import { Notice } from "./notice.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";

/** Only the shop's own device loads it. */
const ShopBar = lazy(async () => {
  const [bar] = await orReload(() => Promise.all([import("./shop-bar.tsx"), bringTexts("public")]));
  return { default: bar.ShopBar };
});

/** What every page has: navbar above, footer below, and what is told over both. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      {useStore(shopDevice, (state) => state) && (
        <Suspense>
          <ShopBar />
        </Suspense>
      )}
      <Navbar firstname={useCustomer()?.Firstname} />
      {children}
      <Footer />
      <Notice />
      <RouteAnnouncer />
    </>
  );
}
