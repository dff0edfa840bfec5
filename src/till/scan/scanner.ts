import { createBurstDetector, longestGapMs } from "./burst.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Snapshot {
  field: Field;
  value: string;
  selection: [start: number, end: number] | undefined;
}

/** Called when the keys that came in quick succession have ended. */
const ended: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function endBurst(): void {
  clearTimeout(timer);
  timer = undefined;
  for (const call of ended.splice(0)) call();
}

/**
 * Resolves at once, or, while keys come as quickly as a scanner's, when they have ended: what stands in a field until then
 * may be the text of a scan.
 */
export const afterScan = (): Promise<void> =>
  timer === undefined ? Promise.resolve() : new Promise((resolve) => ended.push(resolve));

/**
 * Calls back with each code that a keyboard-wedge scanner types, wherever the focus is. A field that received the text gets
 * its former value back, and the Enter at the end presses no button and sends no form. So does a field that received a scan
 * which broke off: its digits are neither an amount nor a number. Returns a function that stops it.
 */
export function listenForScans(onScan: (code: string) => void, onFragment = () => {}): () => void {
  const burst = createBurstDetector();
  /** The fields as they were before the burst: while it lasts, the focus may move. */
  let before: Snapshot[] = [];

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, code, timeStamp: at } = event;
    if (isModifier(key)) return;
    if (key === "Enter") {
      const scanned = event.repeat ? undefined : burst.end(at);
      queueMicrotask(endBurst);
      if (scanned === undefined) return burst.reset();
      event.preventDefault();
      event.stopImmediatePropagation();
      before.forEach(restore);
      before = [];
      return onScan(scanned);
    }
    if (key.length !== 1 || event.repeat || event.isComposing || isShortcut(event)) return burst.reset();
    if (burst.add({ key, code, shift: event.shiftKey, at }) === 1) before = [];
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (burst.isFragment()) {
        before.forEach(restore);
        onFragment();
      }
      endBurst();
    }, longestGapMs);
    const field = focusedField();
    if (field && !before.some((one) => one.field === field)) before.push(snapshotOf(field));
  };
  // On the window and first: no handler of the page may stop it, nor see the Enter.
  addEventListener("keydown", onKeyDown, { capture: true });
  return () => removeEventListener("keydown", onKeyDown, { capture: true });
}

const isModifier = (key: string) => /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|NumLock)$/.test(key);

/** AltGr types characters; Windows reports it as Control and Alt. */
const isShortcut = (event: KeyboardEvent) =>
  (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState("AltGraph");

function focusedField(): Field | undefined {
  const focused = document.activeElement;
  const isField =
    focused instanceof HTMLInputElement ||
    focused instanceof HTMLTextAreaElement ||
    focused instanceof HTMLSelectElement;
  return isField ? focused : undefined;
}

function snapshotOf(field: Field): Snapshot {
  const { value } = field;
  if (field instanceof HTMLSelectElement) return { field, value, selection: undefined };
  const { selectionStart, selectionEnd } = field;
  // Some types, as number and email, tell no selection.
  const selection: Snapshot["selection"] =
    selectionStart === null || selectionEnd === null ? undefined : [selectionStart, selectionEnd];
  return { field, value, selection };
}

function restore({ field, value, selection }: Snapshot): void {
  if (!field.isConnected || field.value === value) return;
  // React replaces the property on the element itself to notice changes; the prototype's setter goes past it, so that the
  // event below is a change to React too.
  const prototype = Object.getPrototypeOf(field) as Field;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  if (selection && !(field instanceof HTMLSelectElement)) field.setSelectionRange(...selection);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event("change", { bubbles: true }));
}
