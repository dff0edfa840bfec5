import type { ReactNode } from "react";
import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { LogoutButton } from "#identity/sign-out/sign-out.tsx";
import { deleteCachedCards } from "#offline/card-cache.ts";
import { Icon } from "#ui/icon.tsx";
import { useShop } from "#ui/web-shop.ts";
import { MenuLink } from "./menu-link.tsx";

const row = "flex min-h-[3.7rem] w-full items-center justify-between gap-4 py-3";
const inner =
  "flex min-h-11 items-center text-soft hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink data-pending:text-ink";

/** The account's menu as an accordion; beside the page from lg up, in the mobile menu's panel below. One fold of a group is open. */
export function AccountMenu({ group = "menu" }: { group?: string }) {
  const { t } = useTexts();
  const shop = useShop();
  return (
    <ul>
      <Fold group={group} label={t("menu.profile")} open>
        <ul className="pb-2">
          <li>
            <MenuLink className={inner} page={pagePaths.account}>
              {t("menu.account")}
            </MenuLink>
          </li>
          <li>
            <MenuLink className={inner} page={pagePaths.informations}>
              {t("menu.informations")}
            </MenuLink>
          </li>
          <li>
            <LogoutButton className={inner} deleteCards={deleteCachedCards}>
              {t("menu.logout")}
            </LogoutButton>
          </li>
        </ul>
      </Fold>
      <li className="border-line border-b">
        <MenuLink className={`${row} aria-[current=page]:font-medium`} page={pagePaths.memberPage}>
          {t("menu.loyalty")}
          <Icon name="arrow" className="size-4" />
        </MenuLink>
      </li>
      <li className="border-line border-b">
        <a className={row} href={shop("Orders")}>
          <span>
            {t("menu.orders")} <span className="sr-only">({t("shell.newWindow")})</span>
          </span>
          <Icon name="outward" className="size-4" />
        </a>
      </li>
      <ShopFold group={group} entry="return" href={shop("Returns")} />
      <ShopFold group={group} entry="favorite" href={shop("Favourites")} />
      <ShopFold group={group} entry="client" href={shop("Contact")} />
    </ul>
  );
}

function Fold({ group, label, open, children }: { group: string; label: string; open?: boolean; children: ReactNode }) {
  return (
    <li className="border-line border-b">
      <details name={group} open={open} className="group/fold">
        <summary className={`${row} list-none`}>
          {label}
          <Icon name="plus" className="size-4 group-open/fold:hidden" />
          <Icon name="minus" className="hidden size-4 group-open/fold:block" />
        </summary>
        {children}
      </details>
    </li>
  );
}

/** What the web shop offers: one sentence and the link. */
function ShopFold({ group, entry, href }: { group: string; entry: "return" | "favorite" | "client"; href: string }) {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <Fold group={group} label={t(`menu.${entry}`)}>
      <div className="pb-5 text-md text-soft">
        <p>{t(`menu.${entry}Text`)}</p>
        {entry === "client" && (
          <Link className="mt-1 flex min-h-11 items-center text-ink" to={path(pagePaths.help)}>
            <span className="underlined">{t("shell.help")}</span>
          </Link>
        )}
        <a className="mt-1 inline-flex min-h-11 items-center gap-2 text-ink" href={href}>
          <span className="underlined">{t(`menu.${entry}Link`)}</span>
          <Icon name="outward" className="size-4" />
        </a>
      </div>
    </Fold>
  );
}
