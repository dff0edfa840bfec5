import fc from "fast-check";
import { expect, test } from "vitest";
import { createBurstDetector, type KeyPress } from "./burst.ts";

interface Key {
  key: string;
  code: string;
  shift?: boolean;
}

const usual = (text: string): Key[] =>
  [...text].map((key) => ({
    key,
    code: /\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`,
    shift: /[A-Z]/.test(key),
  }));

/** Presses the keys with these gaps, then Enter after the last gap. */
function press(keys: Key[], gapMs: (index: number) => number): string | undefined {
  const burst = createBurstDetector();
  let at = 1_000;
  keys.forEach((key, index) => {
    at += gapMs(index);
    burst.add({ shift: false, ...key, at } satisfies KeyPress);
  });
  return burst.end(at + gapMs(keys.length));
}

const card = "2912345678937";

test.each([0, 1, 5, 10, 20, 30])("a scanner at %i ms a key is read", (gap) => {
  expect(press(usual(card), () => gap)).toBe(card);
  expect(press(usual("QK4TB7XW2HPD"), () => gap)).toBe("QK4TB7XW2HPD");
});

test("digits that come at a scanner's speed and stop are a fragment of a scan; a person's amount is not", () => {
  const isFragment = (text: string, gap: number) => {
    const burst = createBurstDetector();
    for (const [index, key] of usual(text).entries()) burst.add({ shift: false, ...key, at: index * gap });
    return burst.isFragment();
  };
  expect(isFragment("29995", 10)).toBe(true);
  expect(isFragment("29995", 80)).toBe(false);
  expect(isFragment("2999", 10)).toBe(false);
  expect(isFragment("laurent", 10)).toBe(false);
});

test("a scanner is read on a busy device, where single keys are late by up to 150 ms", () => {
  expect(press(usual(card), (index) => (index === 4 || index === 9 ? 149 : 15))).toBe(card);
});

test("no person who types at 60 to 100 ms a key is taken for a scanner, and no scanner at 0 to 30 ms for a person", () => {
  const gaps = (min: number, max: number) => fc.array(fc.integer({ min, max }), { minLength: 41, maxLength: 41 });
  const text = fc.string({ minLength: 6, maxLength: 40, unit: fc.constantFrom(..."0123456789BCDFGHJK") });
  fc.assert(
    fc.property(text, gaps(60, 100), (typed, ms) => press(usual(typed), (index) => ms[index] ?? 60) === undefined),
  );
  fc.assert(fc.property(text, gaps(0, 30), (typed, ms) => press(usual(typed), (index) => ms[index] ?? 0) === typed));
});

test("five characters are too few, and a burst that Enter follows late is none", () => {
  expect(press(usual("29123"), () => 5)).toBeUndefined();
  expect(press(usual(card), (index) => (index === card.length ? 151 : 5))).toBeUndefined();
});

test("what was typed before a pause is no part of the burst", () => {
  const typed = usual(`12${card}`);
  expect(press(typed, (index) => (index < 2 ? 90 : index === 2 ? 151 : 10))).toBe(card);
});

test("after a reset, as by a key held down or a shortcut, the burst starts again", () => {
  const burst = createBurstDetector();
  for (let index = 0; index < 8; index += 1) burst.add({ key: "1", code: "Digit1", shift: false, at: index });
  burst.reset();
  expect(burst.end(9)).toBeUndefined();
  expect(burst.end(10)).toBeUndefined();
});

test("each Enter ends a burst: two scans in a row are two codes", () => {
  const burst = createBurstDetector();
  let at = 0;
  for (const text of [card, "QK4TB7XW2HPD"]) {
    for (const key of usual(text)) {
      at += 10;
      burst.add({ shift: false, ...key, at });
    }
    at += 10;
    expect(burst.end(at)).toBe(text);
  }
});

const azerty = ["à", "&", "é", '"', "'", "(", "-", "è", "_", "ç"];
const azertyLetters: Record<string, string> = { Q: "A", A: "Q", W: "Z", Z: "W", M: "?" };

test("a scanner with an American layout on a French keyboard: digits and emails by the places of their keys", () => {
  const pressed = (text: string): Key[] =>
    [...text].map((sign) =>
      /\d/.test(sign)
        ? { key: azerty[Number(sign)] ?? "", code: `Digit${sign}` }
        : { key: azertyLetters[sign] ?? sign, code: `Key${sign}`, shift: true },
    );
  expect(press(pressed(card), () => 10)).toBe(card);
  expect(press(pressed("QK4TB7XW2HPM"), () => 10)).toBe("QK4TB7XW2HPM");
});

test("a scanner set to the French layout presses Shift for digits, and its emails stay as they are", () => {
  const keys = [...usual("QK"), { key: "4", code: "Digit4", shift: true }, ...usual("TBX")].map((key) =>
    key.key === "Q" ? { ...key, code: "KeyA" } : key,
  );
  expect(press(keys, () => 10)).toBe("QK4TBX");
});

test("digits of the number pad are read too", () => {
  const keys = [...card].map((key) => ({ key, code: `Numpad${key}` }));
  expect(press(keys, () => 10)).toBe(card);
});
