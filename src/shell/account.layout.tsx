import { Outlet } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { MobileMenu } from "./mobile-menu.tsx";

/** Account pages: from lg up the menu takes 3 of 12 columns and the page 9; below, the menu is at the bottom. */
export function Component() {
  const { t } = useTexts();
  return (
    <>
      <div className="wrap grid gap-x-14 pt-8 pb-16 lg:grid-cols-12 lg:pt-14 lg:pb-20">
        <nav aria-label={t("menu.label")} className="hidden lg:col-span-3 lg:block">
          <AccountMenu />
        </nav>
        <main id="content" className="min-w-0 lg:col-span-9">
          <Outlet />
        </main>
      </div>
      <MobileMenu />
    </>
  );
}
