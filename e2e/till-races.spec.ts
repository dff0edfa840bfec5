import type { Page } from "@playwright/test";
import { expect, test, text } from "./browser.ts";
import { joinAs, obtainVoucher } from "./member.ts";
import { openTill, scan } from "./till-device.ts";

test.use({ tolerated: /409|Failed to load resource/ });

const press = (till: Page, id: string) =>
  till.getByRole("button", { name: text("de", `till.${id}`), exact: true }).click();

/** Each call of that name reaches the server, and its response the till, so much later. */
const slow = (till: Page, call: string, ms: number) =>
  till.route(`**/api/till/${call}`, async (route) => {
    const response = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.fulfill({ response });
  });

test("what was scanned before the button was pressed belongs to the sale, and to no later one", async ({
  page,
  browser,
}) => {
  const { number } = await joinAs(page, { firstname: "Camille", points: 1_200 });
  const voucher = await obtainVoucher(page);
  await obtainVoucher(page);
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
  const { till } = await openTill(context, "de");
  await slow(till, "voucher/hold", 1_000);
  await slow(till, "identify", 1_000);

  await scan(till, voucher);
  await till.locator("#amount").fill("60");
  await press(till, "record");
  await expect(till.locator(".till-done")).toContainText("10,00");
  await press(till, "next");

  // The card is read while an amount stands there already.
  await press(till, "without");
  await till.locator("#amount").fill("20");
  await scan(till, number);
  await press(till, "record");
  await expect(till.locator(".till-done")).toContainText("Camille");
  await press(till, "next");

  // A sale is let go while its voucher is on its way: the voucher is free, and the next sale has none.
  await scan(till, number);
  await till.locator(".till-voucher").click();
  const released = till.waitForResponse("**/api/till/voucher/release");
  await press(till, "drop");
  await released;
  await scan(till, number);
  await expect(till.locator(".till-voucher")).toHaveText(new RegExp(text("de", "till.available")));
  await expect(till.locator(".till-voucher")).toHaveAttribute("aria-pressed", "false");
  await context.close();
});

test("a receipt's number that is scanned after a voucher takes the voucher along", async ({ page, browser }) => {
  const { number } = await joinAs(page, { firstname: "Camille", points: 250 });
  await obtainVoucher(page);
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
  const { till } = await openTill(context, "de");
  await scan(till, number);
  await till.locator("#amount").fill("60");
  await till.locator(".till-voucher").click();
  await expect(till.locator(".till-sum")).toContainText("50,00");
  const receipt = `K-${Date.now()}`;
  await scan(till, receipt);
  await expect(till.locator(".till-ticket-head")).toContainText(receipt);
  await expect(till.locator(".till-sum")).toContainText("50,00");
  await press(till, "record");
  await expect(till.locator(".till-done")).toContainText("10,00");
  await expect(till.locator(".till-facts")).toContainText(receipt);
  await context.close();
});
