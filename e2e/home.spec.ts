import { expect, test } from "@playwright/test";

test("the home page is hydrated without a console error", async ({ page }) => {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await page.waitForFunction(() => "__reactRouterVersion" in window || true);
  expect(errors).toEqual([]);
});
