import { expect, test } from "vitest";
import { detailsOf } from "./details.ts";

const shown = (before: unknown, after: unknown) =>
  detailsOf(before, after).map(({ name, was, is }) => [name, ...(was === undefined ? [] : [was]), is]);

test("a value is struck out by its own new value alone", () => {
  const asked = shown({ balance: 500 }, { points: -120, request: 3 });
  expect(asked).toEqual([
    ["request", 3],
    ["points", -120],
    ["balance", 500],
  ]);
  expect(shown({ balance: 500 }, { points: -120, balance: 380 })).toEqual([
    ["points", -120],
    ["balance", 500, 380],
  ]);
  expect(shown({ role: "shop", shopId: 2 }, { staffId: 7, role: "service", shopId: null })).toEqual([
    ["staffId", 7],
    ["role", "shop", "service"],
    ["shopId", 2, null],
  ]);
});

test("the first day stands before the last, in whatever order the database keeps them", () => {
  expect(shown(null, { to: "2026-12-24", from: "2026-12-01" })).toEqual([
    ["from", "2026-12-01"],
    ["to", "2026-12-24"],
  ]);
});

test("of a draft each rule that changed is named; where none did, nothing is said of them", () => {
  expect(shown({ revision: 1, changed: {} }, { revision: 2, changed: {} })).toEqual([["revision", 1, 2]]);
  const tiers = [{ id: 2, pointsRequired: 900 }];
  const changed = shown({ changed: { welcomePoints: 250, tiers: [] } }, { changed: { welcomePoints: 300, tiers } });
  expect(changed).toEqual([
    ["welcomePoints", 250, 300],
    ["tiers", [], tiers],
  ]);
  expect(shown(null, { version: 3, changed: 2 })).toEqual([
    ["version", 3],
    ["changed", 2],
  ]);
});
