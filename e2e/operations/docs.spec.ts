import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, expectAccessible, test } from "../support/browser.ts";

const run = promisify(execFile);

test("the API's own page is readable, and each of its examples works when pasted into a shell", async ({ page }) => {
  // Every writing example is a shell that registers a customer: beside other work on both cores more than the usual two minutes.
  test.slow();
  await page.goto("/api/docs");
  const [opening = "", ...examples] = await page.locator("pre").allTextContents();
  const calls = await page.locator("section:has(> pre) > h2").allTextContents();
  expect(examples.length).toBeGreaterThanOrEqual(38);
  // The sections have one shape. A dozen are judged; all of them take axe five seconds.
  await page.evaluate(() => {
    for (const section of [...document.querySelectorAll("section")].slice(12)) section.remove();
  });
  await expectAccessible(page);
  // The first visit gives the sandbox's people access to the back office, which ends what they were signed in to.
  await page.request.get("/sandbox/office");
  const folder = mkdtempSync(join(tmpdir(), "cercle-examples-"));
  const failed: string[] = [];
  const paste = async (pasted: [place: number, example: string][]) => {
    const [places, words] = [pasted.map(([place]) => place), pasted.map(([, example]) => example)];
    const cwd = join(folder, String(places[0]));
    mkdirSync(cwd);
    // With a new customer; whatever is refused ends the shell with curl's own code.
    const script = `set -e\ncurl() { command curl -sSf "$@"; }\n${opening}\n${words.join("\n")}\n`;
    await run("sh", ["-c", script], { cwd }).catch(({ stderr }) =>
      failed.push(`${places.map((place) => calls[place])}: ${stderr}`),
    );
  };
  // Those that only read share a customer; of the others each has its own.
  const [reading = [], writing = []] = [true, false].map((reads) =>
    [...examples.entries()].filter(([, example]) => reads === !/ -[FXd] |\n/.test(example.trim())),
  );
  expect(reading.length).toBeGreaterThan(10);
  const rest = [reading, ...writing.map((one) => [one])];
  // A few at a time: those that wait for an email hold up no one, and no one waits long for an email.
  const helper = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await paste(next);
  };
  await Promise.all([helper(), helper(), helper(), helper()]);
  rmSync(folder, { recursive: true });
  expect(failed).toEqual([]);
});
