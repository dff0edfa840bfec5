import { useEffect } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openPage } from "#testing/browser/open-page.tsx";
import { Dialog, useDialog } from "./dialog.tsx";

const onClose = vi.fn();
const closedBy = Object.getOwnPropertyDescriptor(HTMLDialogElement.prototype, "closedBy");

afterEach(() => {
  onClose.mockClear();
  if (closedBy) Object.defineProperty(HTMLDialogElement.prototype, "closedBy", closedBy);
});

function Opened() {
  const dialog = useDialog();
  useEffect(() => {
    if (!dialog.ref.current?.open) dialog.ref.current?.showModal();
  }, [dialog.ref]);
  return (
    <Dialog dialog={dialog} title="Langue" onClose={onClose}>
      <p>Choisissez</p>
    </Dialog>
  );
}

/** As in a browser without light dismissal by `closedby`. */
async function openWithoutClosedBy(): Promise<HTMLDialogElement> {
  Reflect.deleteProperty(HTMLDialogElement.prototype, "closedBy");
  await openPage({ Component: Opened });
  const dialog = page.getByRole("dialog");
  await expect.element(dialog).toBeVisible();
  const element = dialog.element() as HTMLDialogElement;
  element.removeAttribute("closedby");
  return element;
}

test("a press outside closes the dialog, also in a browser that does not know closedby", async () => {
  const dialog = await openWithoutClosedBy();
  await userEvent.click(page.getByText("Choisissez"));
  expect(dialog.open).toBe(true);
  await userEvent.click(document.documentElement, { position: { x: 4, y: 4 } });
  await expect.poll(() => dialog.open).toBe(false);
  expect(onClose).toHaveBeenCalledOnce();
});

test("there a press that begins inside, as when text is selected, does not close it", async () => {
  const dialog = await openWithoutClosedBy();
  const press = (type: string, target: Element, at: number) =>
    target.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: at, clientY: at }));
  const { left, top } = dialog.getBoundingClientRect();
  press("pointerdown", page.getByText("Choisissez").element(), Math.max(left, top) + 30);
  press("click", dialog, 4);
  expect(dialog.open).toBe(true);
});
