import { expect, test } from "vitest";
import { barePath, localeOfCode, localeOfHeader, localeOfPath, localePath, locales, namesLocale } from "./locale.ts";

test.each([
  ["/", "fr"],
  ["/account", "fr"],
  ["/en", "en"],
  ["/de/account", "de"],
  ["/english", "fr"],
  ["", "fr"],
])("the first segment of %s means %s", (path, locale) => {
  expect(localeOfPath(path)).toBe(locale);
});

test.each([
  ["/de/account", true],
  ["/fr?a=1", true],
  ["/account", false],
  ["/english", false],
  ["/", false],
])("whether %s names its language: %s", (path, names) => {
  expect(namesLocale(path)).toBe(names);
});

test("a page has the same path in every language, behind its prefix", () => {
  expect(barePath("/en/account")).toBe("/account");
  expect(barePath("/de")).toBe("/");
  expect(localePath("fr", "/account")).toBe("/account");
  expect(localePath("de", "/")).toBe("/de");
  expect(localePath("en", "/account?a=1")).toBe("/en/account?a=1");
  expect(localePath("en", "/?a=1")).toBe("/en?a=1");
});

test.each([
  "/en//evil.example/x",
  "/fr//evil.example/x",
  "//evil.example/x",
  "///evil.example/x",
  "/de////evil.example",
  "/en//",
  "//",
  "/en//fr//evil.example",
  "/en/%2F/evil.example",
  "/en/%5Cevil.example",
  "/en/\\evil.example",
  "\\\\evil.example",
])("the path %s never becomes another site's address in another language", (path) => {
  for (const locale of locales) {
    const chosen = localePath(locale, `${barePath(path)}?a=1`);
    expect(chosen).toMatch(/^\/(?![/\\])/);
    expect(new URL(chosen, "http://localhost:3000").origin).toBe("http://localhost:3000");
  }
});

test.each([
  ["fr-CH, en;q=0.8", "fr"],
  ["es, de;q=0.5, en;q=0.7", "en"],
  ["de;q=0, en;q=0.1", "en"],
  ["*", undefined],
  [";;;q=,,", undefined],
])("a browser that wants '%s' gets %s", (header, locale) => {
  expect(localeOfHeader(header)).toBe(locale);
});

test("a code is recognised with and without its country, and a hostile one is not", () => {
  expect(localeOfCode("de-DE")).toBe("de");
  expect(localeOfCode("EN")).toBe("en");
  for (const hostile of ["__proto__", "constructor", "fr\r\nSet-Cookie: a", "", undefined])
    expect(localeOfCode(hostile)).toBeUndefined();
});
