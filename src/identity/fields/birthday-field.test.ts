import { expect, test } from "vitest";
import { locales } from "#i18n/locale.ts";
import { isoDay, typedDay } from "./iso-day.ts";

test.each([
  ["03/04/1990", "1990-04-03"],
  ["3.4.1990", "1990-04-03"],
  ["03 04 1990", "1990-04-03"],
  ["03041990", "1990-04-03"],
  // No month has the number 13: only one order makes a date.
  ["13/04/1990", "1990-04-13"],
  ["04/13/1990", "1990-04-13"],
  ["04131990", "1990-04-13"],
  ["1990-04-03", "1990-04-03"],
])("a birthday typed as %s is %s: day first, unless only the other order makes a date", (typed, day) => {
  expect(isoDay(typed)).toBe(day);
});

test.each(["", "03/04", "03/04/90", "hier", "1990/04/03"])(
  "what is not a complete date stays as typed: '%s'",
  (typed) => {
    expect(isoDay(typed)).toBe(typed);
  },
);

test("a field starts with the day as its language writes it, day first in all three", () => {
  expect(locales.map((locale) => typedDay("1990-04-03", locale))).toEqual(["03/04/1990", "03/04/1990", "03.04.1990"]);
});
