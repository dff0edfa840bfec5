import type { MouseEvent, ReactNode } from "react";
import { lazyPart } from "#ui/lazy.tsx";

/** The dialog is closed at first; the server has rendered it, so it opens and closes before its code is there. */
export const FullScreenCode = lazyPart(async () => (await import("./full-screen-code.tsx")).FullScreenCode);

/** A link that opens a code in full screen. Without script the fragment and the style sheet's `:target` open it. */
export function CodeLink({ id, className, children }: { id: string; className: string; children: ReactNode }) {
  function open(event: MouseEvent) {
    const dialog = document.getElementById(id);
    // A page that the router opened has the dialog with its code: until then the link sets the fragment, which opens it.
    if (!(dialog instanceof HTMLDialogElement)) return;
    event.preventDefault();
    if (!dialog.open) dialog.showModal();
  }
  return (
    <a href={`#${id}`} onClick={open} className={className}>
      {children}
    </a>
  );
}
