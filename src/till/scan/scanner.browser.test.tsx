import { useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { listenForScans } from "./scanner.ts";

const card = "2912345678906";
let scans: string[] = [];
let pressed: string[] = [];
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
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  root.render(<Screen />);
  await expect.element(page.getByLabelText("controlled")).toBeVisible();
  stop = listenForScans((code) => scans.push(code));
});
afterEach(() => {
  stop();
  root.unmount();
  document.body.replaceChildren();
});

/** As a scanner does: keys without a pause. */
const scan = (text: string) => userEvent.keyboard(`${text}{Enter}`);

test("in a field that React controls the value is as before, in the state too, with the cursor where it was", async () => {
  const field = page.getByLabelText("controlled");
  await field.fill("12.50");
  await userEvent.keyboard("{ArrowLeft}");
  await new Promise((resolve) => setTimeout(resolve, 200));
  await scan(card);
  expect(scans).toEqual([card]);
  await expect.element(field).toHaveValue("12.50");
  await expect.element(page.getByRole("status")).toHaveTextContent("12.50");
  expect((field.element() as HTMLInputElement).selectionStart).toBe(4);
  // The field goes on as it was.
  await userEvent.keyboard("7");
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
  await userEvent.keyboard("{Enter}");
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
  for (const key of card) {
    await userEvent.keyboard(key);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await userEvent.keyboard("{Enter}");
  expect(pressed).toEqual(["sent"]);
  await expect.element(field).toHaveValue(card);

  await userEvent.keyboard("{Control>}a{/Control}{Control>}x{/Control}{Control>}v{/Control}{Enter}");
  expect(pressed).toEqual(["sent", "sent"]);
  expect(scans).toEqual([]);
});

test("a key held down is no scan", async () => {
  await userEvent.click(page.getByLabelText("controlled"));
  await userEvent.keyboard("{1>9/}{Enter}");
  expect(scans).toEqual([]);
  expect(pressed).toEqual(["sent"]);
});

test("once it is stopped, a scan is ordinary typing", async () => {
  stop();
  await userEvent.click(page.getByLabelText("controlled"));
  await scan(card);
  expect(scans).toEqual([]);
  expect(pressed).toEqual(["sent"]);
});
