import { isVisible } from "#ui/browser/visible.ts";

/**
 * A key that types something while no field has the focus goes into the field of the screen: each of them shows a caret.
 * Returns a function that stops it.
 */
export function typeAnywhere(isActive: () => boolean): () => void {
  const onKeyDown = ({ key, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent) => {
    if (!isActive()) return;
    // A space presses the button that has the focus.
    if (key.length !== 1 || key === " " || ctrlKey || altKey || metaKey || isComposing) return;
    if (document.activeElement?.matches("input:not([type=checkbox])") || document.querySelector("dialog[open]")) return;
    const fields = ["receipt", "ready", ...(/[\d.,]/.test(key) ? ["amount"] : []), "listening"];
    fields
      .map((id) => document.getElementById(id))
      .find((field) => field && isVisible(field))
      ?.focus();
  };
  // On the window and first: the key that is being pressed is typed where the focus is afterwards.
  addEventListener("keydown", onKeyDown, { capture: true });
  return () => removeEventListener("keydown", onKeyDown, { capture: true });
}
