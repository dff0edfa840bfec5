import { type ReactNode, type RefObject, useId, useRef } from "react";

/** The browser's modal dialog: it traps the focus, closes on Escape and restores the focus. */
export function useDialog(): { ref: RefObject<HTMLDialogElement | null>; close(): void } {
  const ref = useRef<HTMLDialogElement>(null);
  return { ref, close: () => ref.current?.close() };
}

export function Dialog({
  dialog,
  title,
  children,
  onClose,
}: {
  dialog: ReturnType<typeof useDialog>;
  title: string;
  children: ReactNode;
  onClose?: () => void;
}) {
  const titleId = useId();
  return (
    <dialog ref={dialog.ref} className="sheet" aria-labelledby={titleId} onClose={onClose} closedby="any">
      <h2 id={titleId} className="text-[2rem]">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
