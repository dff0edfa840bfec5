import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { withoutCheckVisibility } from "#testing/browser/without-check-visibility.ts";
import { typeAnywhere } from "./type-anywhere.ts";

test("a key pressed without focus goes into the visible field, also in a browser without checkVisibility", async () => {
  document.body.innerHTML = `<input id="receipt" hidden><input id="ready" aria-label="Ready">`;
  const stop = typeAnywhere(() => true);
  const ready = page.getByLabelText("Ready");
  await userEvent.keyboard("4");
  await expect.element(ready).toHaveValue("4");
  (document.activeElement as HTMLElement).blur();
  await withoutCheckVisibility(async () => {
    await userEvent.keyboard("2");
    await expect.element(ready).toHaveValue("42");
  });
  stop();
  document.body.innerHTML = "";
});
