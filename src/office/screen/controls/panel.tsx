import { type InputEvent, type ReactNode, useEffect, useRef, useState } from "react";
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
 * Nor does Escape drop what was typed: it says that Cancel does.
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
  const typed = useRef(false);
  const [kept, setKept] = useState(false);
  const noteTyped = ({ target }: InputEvent<HTMLDialogElement>) => {
    const isText =
      target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "search");
    if (isText) typed.current = target.value.trim() !== "";
  };
  const leave = () => {
    if (typed.current) setKept(true);
    else onClose?.();
  };
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
      // Escape by the key below: a second one would close a modal dialog whatever is done about the first.
      closedby="none"
      onInput={noteTyped}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onKeyDown={(event) => event.key === "Escape" && leave()}
    >
      <header>
        <h2 id="panel-title">{title}</h2>
        {onClose && (
          <button type="button" className="close" aria-label={t("office.close")} onClick={onClose}>
            <Icon name="close" className="size-5" />
          </button>
        )}
        {note && <p className="note">{note}</p>}
        {kept && (
          <p role="alert" className="note">
            {t("office.typedStays")}
          </p>
        )}
      </header>
      {children}
    </dialog>
  );
}
