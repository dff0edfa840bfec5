import { afterEach, expect, test } from "vitest";
import { closeOthersOfGroup } from "./exclusive-details.ts";

afterEach(() => document.body.replaceChildren());

test("of the details of one group one is open, also in a browser that does not know their name", async () => {
  // Another attribute than the name: this browser knows that one by itself.
  const stop = closeOthersOfGroup("data-group");
  document.body.innerHTML = `
    <details data-group="a" open><summary>one</summary></details>
    <details data-group="a"><summary>two</summary></details>
    <details data-group="b" open><summary>other</summary></details>
    <details open><summary>alone</summary></details>`;
  const all = [...document.querySelectorAll("details")];
  // Details that are open from the start say so first.
  await new Promise((resolve) => all[3]?.addEventListener("toggle", resolve));
  all[1]?.querySelector("summary")?.click();
  await expect.poll(() => all.map(({ open }) => open)).toEqual([false, true, true, true]);
  all[0]?.querySelector("summary")?.click();
  await expect.poll(() => all.map(({ open }) => open)).toEqual([true, false, true, true]);
  stop();
});
