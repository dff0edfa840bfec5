import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { uiStore } from "#identity/session/browser/ui-store.ts";
import { cardDialog } from "#loyalty/paths.ts";
import { useStore } from "#ui/browser/store.ts";
import { Icon } from "#ui/icon.tsx";
import { useShop } from "#ui/web-shop.ts";
import { AccountMenu } from "./account-menu.tsx";
import { MenuLink } from "./menu-link.tsx";

/** Aligned to the top and of a fixed height, here and below: the bar must not shift while its parts load (CLS). */
const entry =
  "flex min-h-14 w-full flex-col items-center gap-1 hyphens-auto pt-[0.3125rem] text-center [overflow-wrap:anywhere] text-2xs text-soft border-t-2 border-transparent aria-[current=page]:border-ink aria-[current=page]:text-ink data-pending:border-ink data-pending:text-ink";

/** Below lg: four entries fixed at the bottom, and a panel with the whole menu that slides up from them. */
export function MobileMenu() {
  const { t } = useTexts();
  const shop = useShop();
  const { pathname } = useLocation();
  const [openMenu, setOpenMenu] = useState(false);
  const opener = useRef<HTMLElement>(null);

  const isTablette = useStore(uiStore, (ui) => ui.isTablette);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the panel, and so does a wider window.
  useEffect(() => setOpenMenu(false), [pathname, isTablette]);
  useEffect(() => {
    if (!openMenu) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpenMenu(false);
      // The focused element is about to be hidden; the handle that opened the panel stays.
      opener.current?.focus();
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [openMenu]);

  return (
    <nav
      aria-label={t("menu.label")}
      className="bottom-bar fixed inset-x-0 bottom-0 z-10 min-h-[calc(3.5625rem+env(safe-area-inset-bottom))] border-line border-t bg-paper pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {/* <details> opens the panel without script. */}
      <details className="group/menu" open={openMenu} onToggle={(event) => setOpenMenu(event.currentTarget.open)}>
        <summary
          ref={opener}
          className="-top-6 -translate-x-1/2 absolute left-1/2 flex h-12 w-16 list-none items-center justify-center"
        >
          <span className="flex h-6 w-12 items-center justify-center rounded-t-full border border-line border-b-0 bg-paper">
            <Icon name="up" className="size-4 group-open/menu:rotate-180 motion-safe:transition-transform" />
          </span>
          <span className="sr-only">{t("menu.open")}</span>
        </summary>
        <div className="wrap max-h-[calc(100dvh-11rem)] overflow-y-auto border-line border-b pt-6 pb-4">
          <AccountMenu group="mobile-menu" />
        </div>
      </details>
      <ul className="grid grid-cols-4">
        <li>
          <MenuLink className={entry} page={pagePaths.account}>
            <Icon name="account" />
            {t("menu.shortAccount")}
          </MenuLink>
        </li>
        <li>
          <MenuLink className={entry} page={pagePaths.memberPage}>
            <Icon name="card" />
            {t("menu.shortLoyalty")}
          </MenuLink>
        </li>
        <li>
          <a className={entry} href={shop("Orders")}>
            <Icon name="orders" />
            {t("menu.shortOrders")}
          </a>
        </li>
        <li>
          <MenuLink className={entry} page={pagePaths.memberPage} fragment={cardDialog} onClick={showCode}>
            <Icon name="code" />
            {t("menu.shortCode")}
          </MenuLink>
        </li>
      </ul>
    </nav>
  );
}

/** Opens the code where the page has it; elsewhere the link leads to the page that opens it. */
function showCode(event: MouseEvent) {
  const dialog = document.getElementById(cardDialog);
  if (!(dialog instanceof HTMLDialogElement)) return;
  event.preventDefault();
  if (!dialog.open) dialog.showModal();
}
