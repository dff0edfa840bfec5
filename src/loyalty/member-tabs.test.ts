import { expect, test } from "vitest";
import { tabOf } from "./member-tabs.ts";

test.each([
  ["", "card"],
  ["tab=benefits", "benefits"],
  ["tab=none", "card"],
  ["wallet=google", "card"],
  ["state=available", "vouchers"],
  ["obtained=12", "vouchers"],
  ["receipt=ABC", "history"],
  ["cursor=12&tab=history", "history"],
  ["tab=history&state=used", "history"],
])("an address with the query %j opens the tab %s", (query, tab) => {
  expect(tabOf(new URLSearchParams(query))).toBe(tab);
});

test("a form that was sent without a tab in the address is answered on its own", () => {
  expect(tabOf(new URLSearchParams(), "reward")).toBe("vouchers");
  expect(tabOf(new URLSearchParams("tab=history"), "reward")).toBe("history");
  expect(tabOf(new URLSearchParams(), "join")).toBe("card");
});
