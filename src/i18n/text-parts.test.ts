import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { locales } from "./locale.ts";
import { cutTexts, textParts } from "./text-parts.ts";

const idsOf = (locale: string) => Object.keys(JSON.parse(readFileSync(`messages/${locale}.json`, "utf8")));

test.each(locales)(
  "every text of %s is in one part of the catalogue, and every row of the table has texts",
  (locale) => {
    const ids = idsOf(locale);
    expect(cutTexts(ids).size).toBe(ids.length);
  },
);

test("a text that no row fits is an error, and so is a row that no text needs", () => {
  const ids = idsOf("fr");
  expect(() => cutTexts([...ids, "gone.title"])).toThrow("gone.title is in no part of the catalogue");
  const rows = [...textParts, { part: "links", ids: /^gone\./ } as const];
  expect(() => cutTexts(ids, rows)).toThrow("No text is in part links by /^gone\\./");
});

test("that the network is gone can be said on every page, and on the screen of an error", () => {
  const parts = cutTexts(idsOf("fr"));
  expect(["gone", "back", "page"].map((id) => parts.get(`offline.${id}`))).toEqual(["base", "base", "later"]);
});
