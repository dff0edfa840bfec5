import { expect, test } from "vitest";
// The units of the default brand.
import "#brand/texts.server.ts";
import { formatsOf } from "./use-formats.ts";

test("the first of a month is written as people write it, in Paris time", () => {
  const first = "2026-11-30T23:00:00Z";
  const end = "2026-12-24T23:00:00Z";
  expect(formatsOf("fr").moment(first)).toBe("1er déc. 2026, 00:00");
  expect(formatsOf("fr").days(first, end)).toMatch(/^1er.24 déc\. 2026$/);
  expect(formatsOf("fr").dayOfYear("2026-12-11T12:00:00Z")).toBe("11 déc. 2026");
  expect(formatsOf("en").dayOfYear(first)).toBe("1 Dec 2026");
  expect(formatsOf("de").day(first)).toBe("1. Dez.");
});
