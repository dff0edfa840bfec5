import { expect, test } from "vitest";
import { emailHint } from "./email-hint.ts";

test.each([
  ["camille@gmial.com", "camille@gmail.com"],
  ["camille@gmail.co", "camille@gmail.com"],
  ["Camille.L@hotmal.fr", "Camille.L@hotmail.fr"],
  ["camille@laposte.ney", "camille@laposte.net"],
  ["hannah@t-onlien.de", "hannah@t-online.de"],
  ["hannah@gmx.d", "hannah@gmx.de"],
  ["ada@outlok.con", "ada@outlook.com"],
])("%s was probably meant as %s", (typed, meant) => {
  expect(emailHint(typed)).toBe(meant);
});

test.each([
  "camille@gmail.com",
  "camille@GMAIL.com",
  "camille@exemple.fr",
  "a@b.de",
  "camille",
  "camille@",
  "x@gmx.ch",
])("%s is left alone", (typed) => {
  expect(emailHint(typed)).toBeUndefined();
});
