import { expect, hydrated, test } from "../support/browser.ts";
import { isFault } from "../support/console-faults.ts";

const failed = (reason: string) => `Failed to load resource: ${reason}`;
const status = (code: number) => failed(`the server responded with a status of ${code} (Whatever)`);

test("a test tolerates refusals of the API and a network it turned off, and no other console error", () => {
  const api = "http://localhost:3210/api/customer";
  for (const code of [400, 401, 403, 404, 409, 422, 429]) expect(isFault({ text: status(code), url: api })).toBe(false);
  for (const code of [405, 413, 500, 503]) expect(isFault({ text: status(code), url: api })).toBe(true);
  expect(isFault({ text: failed("net::ERR_INTERNET_DISCONNECTED"), url: api })).toBe(false);
  expect(isFault({ text: "Refused to apply inline style", url: api })).toBe(true);
  expect(isFault({ text: status(503), url: api }, /503/)).toBe(false);
});

test("a missing file of the build fails a test, unless the test names it", () => {
  for (const path of [
    "/assets/inter-latin-abc.woff2",
    "/assets/login.page-abc.js",
    "/assets/base-abc.css",
    "/service-worker.js",
    "/favicon.svg",
    "/apple-touch-icon.png",
    "/de/manifest.webmanifest",
  ]) {
    const line = { text: status(404), url: `http://localhost:3210${path}` };
    expect(isFault(line), path).toBe(true);
    expect(isFault(line, /404.*\/assets\/other-/), path).toBe(true);
    expect(isFault(line, new RegExp(`404.*${path}$`)), path).toBe(false);
    expect(isFault({ ...line, text: failed("net::ERR_FAILED") }), path).toBe(true);
  }
});

test.describe("in a browser", () => {
  test.use({ tolerated: /404.*(\.woff2|register\.page-.*\.js)$|dynamically imported module/ });

  test("Chromium reports a removed font and a removed chunk in a way that fails a test", async ({ page }) => {
    const faults: string[] = [];
    page.on("console", (message) => {
      const { url } = message.location();
      if (message.type() === "error" && isFault({ text: message.text(), url })) faults.push(url);
    });
    await page.route(/\.woff2$|\/register\.page-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
    // The page reloads itself once for a lost chunk, which would interrupt a longer wait.
    await page.goto("/authenticate/register", { waitUntil: "commit" });
    await expect.poll(() => faults.some((url) => url.endsWith(".woff2"))).toBe(true);
    await expect.poll(() => faults.some((url) => url.includes("/register.page-"))).toBe(true);
  });
});

test.describe("an error that no code catches", () => {
  test.use({ tolerated: /lost on purpose/ });

  test("is reported from pages, till and back office, with page and release, and a page that goes on failing reports five", async ({
    page,
  }) => {
    const reports: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/client-error")) reports.push(request.postData() ?? "");
    });
    for (const path of ["/", "/till", "/office"]) {
      await page.goto(`${path}?token=secret`);
      await hydrated(page, path === "/" ? "body" : "button");
      reports.length = 0;
      const answered = page.waitForResponse("**/api/client-error");
      await page.evaluate(() => void Promise.reject(new Error("lost on purpose")));
      expect(await (await answered).json()).toEqual({});
      const fields = Object.fromEntries(new URLSearchParams(reports[0]));
      expect(fields).toMatchObject({
        Message: "Error: lost on purpose",
        Page: path,
        Release: expect.stringContaining("+"),
      });
      expect(reports[0]).not.toContain("secret");
      await page.evaluate(() => {
        for (let time = 0; time < 10; time += 1)
          setTimeout(() => {
            throw new Error("lost on purpose");
          });
      });
      await expect.poll(() => reports.length).toBe(5);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      expect(reports, path).toHaveLength(5);
    }
  });
});
