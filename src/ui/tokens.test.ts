import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Where sizes and colours of their own are written, and why. */
const exceptions: Record<string, string> = {
  "src/ui/tokens.css": "the tokens",
  "src/ui/fabric/fabric.css": "the sheen of silk, drawn in its own colours",
  "src/ui/flag.tsx": "the colours of flags",
  "src/platform/mail/": "email programs know no custom properties",
  "src/identity/privacy/readable-export.server.tsx": "a file that is opened alone",
  "src/app/api-docs/api-docs.server.tsx": "a document without the product's style sheet",
  "src/sandbox/": "stands in for sites of other companies",
};

/** The card's words are sized by the card itself (`cqw`): they are part of its drawing. */
const literals = [
  /font-size:\s*[^;v]*\d(px|rem|em)/,
  /font:\s*[\d.]+(px|rem|em)/,
  /\btext-\[[^\]]*\d(px|rem|em)(?![^\]]*cqw)/,
  /#[\da-f]{3,8}\b/i,
  /\b(rgba?|hsla?|oklch|oklab)\(/,
];
/** The browser's own frame is told its colour in the document; a custom property means nothing to it. */
const isExempt = (line: string) => line.includes('name="theme-color"');

const findings = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src/**.css", "src/**.tsx"])
  .toString()
  .split("\n")
  .filter((file) => file && !file.includes(".test."))
  .flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => !isExempt(line) && literals.some((literal) => literal.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  );

test("sizes of type and colours are written in tokens.css alone", () => {
  const excepted = Object.keys(exceptions);
  expect(findings.filter((found) => !excepted.some((path) => found.startsWith(path)))).toEqual([]);
  for (const path of excepted)
    expect(
      findings.filter((found) => found.startsWith(path)),
      path,
    ).not.toEqual([]);
});

test("words of the back office have colours that change on a dark screen", () => {
  const sheets = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src/office/**.css"]).toString();
  for (const file of sheets.split("\n").filter(Boolean))
    expect(readFileSync(file, "utf8"), file).not.toMatch(/--color-gold-(dark|light)\b/);
});

test("the arrow of a select has a colour for a dark screen", () => {
  const [light, dark] = readFileSync("src/ui/form/select.css", "utf8").split(
    "@media screen and (prefers-color-scheme: dark)",
  );
  const arrow = (text = "") => /stroke='%23(\w+)'/.exec(text)?.[1];
  expect([arrow(light), arrow(dark)]).toEqual(["0b0a0c", "f7f5f1"]);
});
