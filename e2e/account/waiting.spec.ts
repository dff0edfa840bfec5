import type { Locator } from "@playwright/test";
import { expect, hydrated, test, text } from "../support/browser.ts";

const t = (id: string) => text("fr", id);

/** How long the button goes on saying that it works. Millisecond by millisecond: the page may not have heard of the answer yet. */
async function msUntilDone(submit: Locator): Promise<number> {
  let ms = 0;
  await expect(async () => {
    await submit.page().clock.runFor(1);
    ms += 1;
    await expect(submit).toHaveText(t("login.submit"), { timeout: 100 });
  }).toPass();
  return ms;
}

test("what shows that it is working does so for 200 ms at least, however quick the answer", async ({ page }) => {
  await page.clock.install();
  await page.goto("/authenticate/login");
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill("personne@exemple.fr");
  await page.locator("[name=Password]").fill("mauvais");
  // From here on time passes only as the test lets it.
  await page.clock.pauseAt(Date.now() + 60_000);
  const submit = page.locator("main .button.solid[type=submit]");
  await submit.click();
  await expect(page.getByText(t("refusal.wrong_login"))).toBeVisible();
  await expect(submit).toHaveText(t("form.working"));
  await page.clock.runFor(199);
  await expect(submit).toHaveText(t("form.working"));
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  expect(await msUntilDone(submit)).toBeLessThan(50);
  await expect(submit).not.toHaveAttribute("aria-disabled");
});

test("a slow answer is waited for as long as it takes, and not 200 ms more", async ({ page }) => {
  await page.clock.install();
  await page.goto("/authenticate/login");
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill("personne@exemple.fr");
  await page.locator("[name=Password]").fill("mauvais");
  let answer = () => {};
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/authentification/email", async (route) => {
    await slow;
    await route.continue();
  });
  await page.clock.pauseAt(Date.now() + 60_000);
  const submit = page.locator("main .button.solid[type=submit]");
  await submit.click();
  await page.clock.runFor(5_000);
  await expect(submit).toHaveText(t("form.working"));
  answer();
  await expect(page.getByText(t("refusal.wrong_login"))).toBeVisible();
  expect(await msUntilDone(submit)).toBeLessThan(50);
});
