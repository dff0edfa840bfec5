import type { MouseEventHandler, ReactNode } from "react";
import { Link, useLocation, useNavigation } from "react-router";
import { barePath } from "#i18n/locale.ts";
import { useLocalePath } from "#i18n/use-texts.tsx";

/** A link of the account's menus, marked on its own page and while that is loaded: `/fr/account` is the same page as `/account`. */
export function MenuLink(props: {
  page: string;
  /** Of something on the page, which is not marked. */
  fragment?: string;
  className: string;
  onClick?: MouseEventHandler;
  children: ReactNode;
}) {
  const { page, fragment } = props;
  const here = barePath(useLocation().pathname).replace(/\/$/, "");
  const next = useNavigation().location;
  const hash = fragment ? `#${fragment}` : "";
  return (
    <Link
      viewTransition
      to={useLocalePath()(page) + hash}
      className={props.className}
      data-pending={(next && barePath(next.pathname) === page && next.hash === hash) || undefined}
      aria-current={here === page && !fragment ? "page" : undefined}
      onClick={props.onClick}
    >
      {props.children}
    </Link>
  );
}
