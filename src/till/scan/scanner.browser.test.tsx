import { useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { afterScan, listenForScans } from "./scanner.ts";

const card = "2912345678937";
let scans: string[] = [];
let pressed: string[] = [];
let brokeOff = false;
let stop = () => {};
let root: Root;

function Screen() {
  const [amount, setAmount] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        pressed.push("sent");
      }}
    >
      <input aria-label="controlled" value={amount} onChange={(event) => setAmount(event.target.value)} />
      <output>{amount}</output>
      <input aria-label="plain" defaultValue="noted" onKeyDown={({ key }) => key === "Enter" && pressed.push("key")} />
      <input aria-label="number" type="number" />
      <select aria-label="chosen" defaultValue="b">
        <option value="a">one</option>
        <option value="b">two</option>
        <option value="c">2912</option>
      </select>
      <button type="button" onClick={() => pressed.push("button")}>
        press
      </button>
      <button type="submit">send</button>
      <dialog>
        <button type="button" onClick={() => pressed.push("in dialog")}>
          inside
        </button>
      </dialog>
    </form>
  );
}

beforeEach(async () => {
  scans = [];
  pressed = [];
  brokeOff = false;
  vi.spyOn(Event.prototype, "timeStamp", "get").mockImplementation(function (this: Event) {
    return this instanceof KeyboardEvent ? timeOf(this) : 0;
  });
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  root.render(<Screen />);
  await expect.element(page.getByLabelText("controlled")).toBeVisible();
  stop = listenForScans(
    (code) => scans.push(code),
    () => {
      brokeOff = true;
    },
  );
});
afterEach(() => {
  stop();
  root.unmount();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** Milliseconds between two events. A busy machine is slower than a scanner, so the clock of events is ours. */
let gapMs = 0;
let clockMs = 0;
const times = new WeakMap<Event, number>();

function timeOf(event: Event): number {
  const known = times.get(event);
  if (known !== undefined) return known;
  clockMs += gapMs;
  times.set(event, clockMs);
  return clockMs;
}

function press(keys: string, ms: number): Promise<void> {
  // A pause before: what came earlier is no part of it.
  clockMs += 1_000;
  gapMs = ms;
  return userEvent.keyboard(keys);
}
const scan = (text: string) => press(`${text}{Enter}`, 10);
const type = (keys: string) => press(keys, 60);

test("in a field that React controls the value is as before, in the state too, with the cursor where it was", async () => {
  const field = page.getByLabelText("controlled");
  await field.fill("12.50");
  await type("{ArrowLeft}");
  await scan(card);
  expect(scans).toEqual([card]);
  await expect.element(field).toHaveValue("12.50");
  await expect.element(page.getByRole("status")).toHaveTextContent("12.50");
  expect((field.element() as HTMLInputElement).selectionStart).toBe(4);
  // The field goes on as it was.
  await type("7");
  await expect.element(page.getByRole("status")).toHaveTextContent("12.570");
  expect(pressed).toEqual([]);
});

test.each(["plain", "number", "chosen"])(
  "in the field “%s” nothing stays, and no handler sees the Enter",
  async (name) => {
    const field = page.getByLabelText(name).element() as HTMLInputElement;
    const before = field.value;
    field.focus();
    await scan(card);
    expect(scans).toEqual([card]);
    expect(field.value).toBe(before);
    expect(pressed).toEqual([]);
  },
);

test("with the focus on a button, the Enter does not press it; also inside a dialog; a person's Enter does", async () => {
  (page.getByText("press").element() as HTMLElement).focus();
  await scan(card);
  document.querySelector("dialog")?.showModal();
  await expect.element(page.getByText("inside")).toHaveFocus();
  await scan("QK4TB7XW2HPD");
  expect(scans).toEqual([card, "QK4TB7XW2HPD"]);
  expect(pressed).toEqual([]);
  await type("{Enter}");
  expect(pressed).toEqual(["in dialog"]);
});

test("with the focus nowhere it is read as well", async () => {
  (document.activeElement as HTMLElement | null)?.blur();
  await scan(card);
  expect(scans).toEqual([card]);
});

test("what a person types or pastes is theirs: it stays, and Enter sends the form", async () => {
  const field = page.getByLabelText("controlled");
  await userEvent.click(field);
  await type(`${card}{Enter}`);
  expect(pressed).toEqual(["sent"]);
  await expect.element(field).toHaveValue(card);

  await scan("{Control>}a{/Control}{Control>}x{/Control}{Control>}v{/Control}");
  expect(pressed).toEqual(["sent", "sent"]);
  expect(scans).toEqual([]);
});

test("a key held down is no scan", async () => {
  await userEvent.click(page.getByLabelText("controlled"));
  await scan("{1>9/}");
  expect(scans).toEqual([]);
  expect(pressed).toEqual(["sent"]);
});

test("what must not happen in the middle of a scan happens after it, with the former value in its field", async () => {
  const field = page.getByLabelText("controlled");
  await field.fill("60");
  const values: string[] = [];
  const note = () => values.push((field.element() as HTMLInputElement).value);
  addEventListener("keydown", () => void afterScan().then(note), { once: true });
  // The end of a scan is found by a real timer, which a busy machine must not reach between two keys.
  const { setTimeout: start } = window;
  vi.spyOn(window, "setTimeout").mockImplementation(((run: () => void, ms = 0) => start(run, ms * 20)) as typeof start);
  await scan(card);
  await expect.poll(() => values).toEqual(["60"]);
  await afterScan().then(note);
  expect(values).toEqual(["60", "60"]);
});

test("a scan that breaks off leaves nothing in its field, and is told; what a person types stays", async () => {
  const field = page.getByLabelText("controlled");
  await field.fill("60");
  await press("29995", 10);
  await expect.poll(() => brokeOff).toBe(true);
  await expect.element(field).toHaveValue("60");
  await expect.element(page.getByRole("status")).toHaveTextContent("60");
  expect(scans).toEqual([]);
  await type("12345");
  await afterScan();
  await expect.element(field).toHaveValue("6012345");
});

test("once it is stopped, a scan is ordinary typing", async () => {
  stop();
  await userEvent.click(page.getByLabelText("controlled"));
  await scan(card);
  expect(scans).toEqual([]);
  expect(pressed).toEqual(["sent"]);
});
