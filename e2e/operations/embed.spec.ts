import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { joinAs } from "../support/member.ts";

// The last part cuts the elements off.
test.use({ tolerated: /\/api\/embed/ });

test("a page of another site shows the elements under a strict policy, with one call and without moving", async ({
  page,
  baseURL,
}) => {
  const { number } = await joinAs(page, { firstname: "Ada" });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/embed")) asked.push(`${request.method()} ${new URL(request.url()).origin}`);
  });
  await page.addInitScript(() => {
    const moved: number[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/sandbox/embed");
  expect(new URL(page.url()).origin).not.toBe(baseURL);
  await expect(page.getByText("Gagnez 89 points")).toBeVisible();
  await expect(page.getByText("Gagnez 320 points")).toBeVisible();
  await expect(page.getByRole("link", { name: text("fr", "embed.join") })).toHaveAttribute(
    "href",
    /inscription|register/,
  );
  await expectAccessible(page, "elements on another site");
  expect(asked).toEqual([`GET ${baseURL}`]);

  // As a partner's shop signs its customers in: she is signed in with us already.
  await page.getByRole("link", { name: text("fr", "sandbox.embed.signIn") }).click();
  await expect(page.getByRole("group", { name: text("fr", "embed.card") })).toContainText(number);
  await expect(page.getByText("250 points", { exact: true })).toBeVisible();
  await expectAccessible(page, "elements of a customer on another site");
  expect(await page.evaluate(() => (window as unknown as { moved: number[] }).moved)).toEqual([]);

  const sizes = () =>
    page.locator("cercle-earn, cercle-points, cercle-join, cercle-card").evaluateAll((all) =>
      all.map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return [width, height];
      }),
    );
  const before = await sizes();
  await page.route("**/api/embed*", (route) => route.abort());
  await page.reload();
  await expect(page.getByRole("link", { name: text("fr", "sandbox.embed.signOut") })).toBeVisible();
  await expect(page.getByText("250 points", { exact: true })).toHaveCount(0);
  expect(await sizes()).toEqual(before);

  await page.unroute("**/api/embed*");
  await page.getByRole("link", { name: text("fr", "sandbox.embed.signOut") }).click();
  await expect(page).toHaveURL(/\/oidc\/logout|\/sandbox\/embed\/fr$/);
});
