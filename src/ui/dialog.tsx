import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";

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
  useEffect(() => closeByPressOutside(dialog.ref.current), [dialog.ref]);
  return (
    <dialog ref={dialog.ref} className="sheet" aria-labelledby={titleId} onClose={onClose} closedby="any">
      <h2 id={titleId} className="text-5xl">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** For browsers that do not know `closedby`. A press that begins inside, as when text is selected, closes nothing. */
function closeByPressOutside(dialog: HTMLDialogElement | null): (() => void) | undefined {
  if (!dialog || "closedBy" in HTMLDialogElement.prototype) return undefined;
  let begunOutside = false;
  const isOutside = ({ target, clientX, clientY }: MouseEvent) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    // A press on the backdrop is one on the dialog itself.
    return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
  };
  const onPointerDown = (event: PointerEvent) => {
    begunOutside = isOutside(event);
  };
  const onClick = (event: MouseEvent) => {
    if (begunOutside && isOutside(event)) dialog.close();
  };
  dialog.addEventListener("pointerdown", onPointerDown);
  dialog.addEventListener("click", onClick);
  return () => {
    dialog.removeEventListener("pointerdown", onPointerDown);
    dialog.removeEventListener("click", onClick);
  };
}
