import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("fallback-fonts.css", import.meta.url), "utf8");
const faces = [...css.matchAll(/@font-face \{(.*?)\}/gs)].map(([, rules = ""]) => rules);
const rulesNamed = (face: string, name: string) =>
  [...face.matchAll(new RegExp(`^\\s*${name}:\\s*(.+?);`, "gms"))].map(([, value]) => value);

test("a fallback font has one size over all its characters, so that no word mixes letters of different sizes", () => {
  const fonts = faces.map((face) => [...rulesNamed(face, "font-family"), ...rulesNamed(face, "font-style")].join(" "));
  expect(fonts).toEqual([...new Set(fonts)]);
  expect(fonts).toEqual(expect.arrayContaining(['"Jost Fallback"', '"Bodoni Moda Fallback"']));
  for (const face of faces) {
    expect(rulesNamed(face, "size-adjust"), face).toHaveLength(1);
    expect(rulesNamed(face, "unicode-range"), face).toEqual([]);
  }
});
