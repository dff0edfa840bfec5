import { mkdirSync, readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";

const cercle = process.env["CERCLE_URL"];
const pictures = process.env["PICTURES"];

/** What Cercle says of the customer, in the browser that is signed in there. */
async function club(page: Page) {
  const read = async (path: string) => (await page.request.get(`${cercle}/api/loyalty/${path}`)).json();
  const { Points } = await read("customer");
  const { CustomerRewards } = await read("reward/1/customerReward");
  const vouchers: { Code: string; Value: { Amount: string }; LoyaltyRewardState: string; HeldUntil: string | null }[] =
    CustomerRewards;
  return { pending: Points.Pending as number, available: Points.Available as number, vouchers };
}

/** With PICTURES=folder: the page on a phone and on a desk. */
async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true });
  }
}

/** Cercle does not respond while something is done, neither to the shop nor to the browser. */
async function withoutCercle(page: Page, work: () => Promise<void>): Promise<void> {
  const pid = Number(readFileSync(`${process.env["SHOP_DATA_DIR"]}/cercle.pid`, "utf8"));
  await page.route(`${cercle}/**`, (route) => route.abort());
  process.kill(pid, "SIGSTOP");
  try {
    await work();
  } finally {
    process.kill(pid, "SIGCONT");
    await page.unroute(`${cercle}/**`);
  }
}

const points = (page: Page) => page.locator(".club strong");
const number = (words: string | null) => Number(words?.replace(/\D/g, ""));

test("an order from sign-in to refund: points, voucher and refund arrive at Cercle", async ({ page }) => {
  page.on("pageerror", (error) => expect(error).toBeUndefined());
  await page.goto("/");
  await picture(page, "shop");

  // A visitor sees what everybody earns; a member of a higher status earns more.
  await page.getByRole("link", { name: "Silk scarf" }).click();
  await expect(page.locator("cercle-earn")).toContainText("89 points");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.locator("[name=Email]").fill("camille@exemple.fr");
  await page.locator("[name=Password]").fill("cercle2026");
  await page.locator("[name=Password]").press("Enter");
  await expect(page.getByRole("heading", { name: "Your basket" })).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("Camille");
  const before = await club(page);
  await expect(page.locator("cercle-points")).toContainText(`${before.available} points`);

  await page.goto("/products/silk-scarf");
  await expect(page.locator("cercle-earn")).toContainText("112 points");
  await picture(page, "article");
  await page.getByRole("button", { name: "Add to basket" }).click();
  await page.goto("/products/leather-belt");
  await page.getByRole("button", { name: "Add to basket" }).click();

  // The basket: what it earns, and a voucher that lowers both the price and the points.
  await expect(page.locator(".totals")).toContainText("€134.90");
  await expect(points(page)).toHaveText("168 points");
  const [voucher] = before.vouchers.filter(({ LoyaltyRewardState }) => LoyaltyRewardState === "available");
  const value = Number(voucher?.Value.Amount);
  await page.getByRole("button", { name: "Use it" }).first().click();
  await expect(page.locator(".totals")).toContainText(`Club voucher-€${value.toFixed(2)}`);
  await expect(page.locator(".totals")).toContainText(`€${(134.9 - value).toFixed(2)}`);
  await expect(points(page)).toHaveText(`${Math.floor((134.9 - value) * 1.25)} points`);
  await picture(page, "basket");

  // A payment that fails keeps the basket and its voucher.
  await page.getByRole("link", { name: "Go to checkout" }).click();
  await picture(page, "checkout");
  const address = async () => {
    await page.getByLabel("Street and number").fill("12 rue des Archives");
    await page.getByLabel("Postcode").fill("75004");
    await page.getByLabel("City").fill("Paris");
  };
  await address();
  await page.getByLabel("Let the payment fail").check();
  await page.getByRole("button", { name: "Order and pay" }).click();
  await expect(page.getByRole("alert")).toBeVisible();

  await address();
  await page.getByRole("button", { name: "Order and pay" }).click();
  await expect(page.getByRole("heading", { name: /^Order / })).toBeVisible();
  await expect(page.locator("main")).toContainText("The payment is reserved");
  const code = page.url().split("/").at(-1) ?? "";
  const placed = await club(page);
  expect(placed.pending).toBe(before.pending);
  const ours = (all: typeof placed) => all.vouchers.find(({ Code }) => Code === voucher?.Code);
  expect(ours(placed)?.HeldUntil).not.toBeNull();
  expect(ours(placed)?.LoyaltyRewardState).toBe("available");

  // Paid while Cercle does not respond: the shop goes on, and its queue sends the sale later.
  await withoutCercle(page, async () => {
    await page.goto(`/staff/orders/${code}`);
    await page.getByRole("button", { name: /^Capture/ }).click();
    await expect(page.locator("main")).toContainText("State: PaymentSettled");
    await page.goto(`/orders/${code}`);
    await expect(page.locator("main")).toContainText("Your order is paid.");
    await expect(points(page)).toHaveCount(0);
  });

  // Then the points are pending at Cercle, and the voucher is used.
  const shown = async () => {
    await page.goto(`/orders/${code}`);
    const words = await points(page)
      .textContent({ timeout: 1_000 })
      .catch(() => null);
    return words === null ? undefined : number(words);
  };
  const paid = 134.9 - value;
  await expect.poll(shown).toBe(Math.floor(paid * 1.25));
  const sold = await club(page);
  expect(sold.pending - before.pending).toBe(Math.floor(paid * 1.25));
  expect(ours(sold)?.LoyaltyRewardState).toBe("used");
  await picture(page, "order");

  // Edited: one belt more.
  await page.goto(`/staff/orders/${code}`);
  await page.getByRole("button", { name: "One more Leather belt" }).click();
  await expect(page.getByText("2 × Leather belt").first()).toBeVisible();
  await expect.poll(shown).toBe(Math.floor((paid + 45) * 1.25));
  const edited = await club(page);
  expect(edited.pending - before.pending).toBe(await shown());

  // One belt less: Vendure's refund for it and the amendment count once together.
  await page.goto(`/staff/orders/${code}`);
  await page.getByRole("button", { name: "One less Leather belt" }).click();
  await expect(page.locator(".refund")).toHaveText("Refunded: €45.00");
  await expect.poll(shown).toBeLessThan(edited.pending - before.pending);
  const lessened = await club(page);
  expect(lessened.pending - before.pending).toBe(await shown());
  expect(lessened.pending - before.pending).toBeGreaterThanOrEqual(Math.floor(paid * 1.25));

  // The scarf comes back: its line, by the number it was sold under, at the price that was paid.
  await page.goto(`/staff/orders/${code}`);
  await page.getByRole("button", { name: "Take back one Silk scarf" }).click();
  await expect(page.locator(".refund")).toHaveCount(2);
  await picture(page, "staff");
  const refunded = number(await page.locator(".refund").filter({ hasNotText: "€45.00" }).textContent()) / 100;
  expect(refunded).toBeLessThan(89.9);
  await expect.poll(shown).toBeLessThan(lessened.pending - before.pending);
  const returned = await club(page);
  expect(returned.pending - before.pending).toBe(await shown());
  expect(Math.abs(lessened.pending - returned.pending - refunded * 1.25)).toBeLessThan(2);

  // A sum, as for a late delivery.
  await page.goto(`/staff/orders/${code}`);
  await page.getByRole("button", { name: "Give back a sum" }).click();
  await expect(page.locator(".refund")).toHaveCount(3);
  await expect.poll(shown).toBeLessThan(returned.pending - before.pending);
  expect((await club(page)).pending - before.pending).toBe(await shown());
  await page.goto(`/staff/orders/${code}`);
  await expect(page.locator(".message")).toHaveCount(0);

  // Signed out at Cercle, she is signed out at the shop.
  await page.goto(`${cercle}/en/account`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${cercle}/en`);
  await expect(async () => {
    await page.goto("/");
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
});
