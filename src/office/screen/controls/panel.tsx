import { type ReactNode, useEffect, useRef } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Icon } from "#ui/icon.tsx";

/** To what opened the panel; in a menu that has closed since, to the menu; if it is gone, to the page. */
function giveFocusBack(opener: Element | null) {
  const menu = opener?.closest("details:not([open])")?.querySelector("summary");
  const target = menu ?? (opener?.isConnected && opener !== document.body ? opener : document.getElementById("page"));
  if (target instanceof HTMLElement) target.focus();
}

/**
 * A form beside the page: on wide screens it covers nothing and one reads while writing, on others it is a sheet over it.
 * Without `onClose` only what stands in it closes it: it lies over the page on every screen, and Escape does nothing.
 */
export function Panel({
  title,
  note,
  children,
  onClose,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
  onClose?: () => void;
}) {
  const { t } = useTexts();
  const ref = useRef<HTMLDialogElement>(null);
  const stays = onClose === undefined;
  useEffect(() => {
    const opener = document.activeElement;
    return () => giveFocusBack(opener);
  }, []);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const wide = matchMedia("(width >= 75rem)");
    const open = () => {
      dialog.close();
      if (wide.matches && !stays) dialog.show();
      else dialog.showModal();
    };
    open();
    wide.addEventListener("change", open);
    return () => wide.removeEventListener("change", open);
  }, [stays]);
  return (
    <dialog
      ref={ref}
      className="office-panel"
      aria-labelledby="panel-title"
      // A second Escape would close a modal dialog whatever is done about the first.
      closedby={stays ? "none" : undefined}
      // Escape: the browser closes a modal dialog by itself; this one may stand beside the page.
      onCancel={onClose ?? ((event) => event.preventDefault())}
      onKeyDown={(event) => event.key === "Escape" && onClose?.()}
    >
      <header>
        <h2 id="panel-title">{title}</h2>
        {onClose && (
          <button type="button" className="close" aria-label={t("office.close")} onClick={onClose}>
            <Icon name="close" className="size-5" />
          </button>
        )}
        {note && <p className="note">{note}</p>}
      </header>
      {children}
    </dialog>
  );
}
