import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { tillPages } from "./shell.server.tsx";

test("the document says that it opens before its script has run, and names the texts of its language", async () => {
  const pages = tillPages((preload) => ({ script: "/till.js", styles: [], preload, fonts: [] }), undefined);
  const text = await (await pages.request("/de/till")).text();
  expect(text).toContain(`<p class="till-loading">${textsOf.de.t("till.loading")}</p>`);
  for (const part of ["base", "account", "till"]) expect(text).toContain(`href="messages/de.json?${part}"`);
});
